"""Where a recording goes: looked at before, and written whole."""

import stat
from pathlib import Path

import pytest

from longhaul.record.driving import RecordError
from longhaul.record.saving import require_target, save_session


def refused(target: Path) -> str:
    with pytest.raises(RecordError) as caught:
        require_target(target, overwrite=False)
    return str(caught.value)


def test_a_session_is_written_whole_and_readable(tmp_path: Path) -> None:
    target = tmp_path / "a.jsonl"
    target.write_text("older")
    save_session(target, b"{}\n")
    assert target.read_bytes() == b"{}\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o644
    assert [*tmp_path.iterdir()] == [target]


def test_a_session_that_cannot_be_put_in_place_leaves_no_half_file(tmp_path: Path) -> None:
    target = tmp_path / "a.jsonl"
    target.mkdir()
    with pytest.raises(RecordError) as caught:
        save_session(target, b"{}\n")
    assert str(caught.value) == (
        f"cannot write {target}: Is a directory; make room there, or name another folder with"
        " --out, and record again"
    )
    assert [*tmp_path.iterdir()] == [target]


def test_a_place_that_can_be_written_is_left_as_it_was(tmp_path: Path) -> None:
    require_target(tmp_path / "a.jsonl", overwrite=False)
    assert [*tmp_path.iterdir()] == []


def test_a_folder_that_is_not_there_is_made_once_there_is_a_session(tmp_path: Path) -> None:
    target = tmp_path / "none" / "yet" / "a.jsonl"
    require_target(target, overwrite=False)
    assert [*tmp_path.iterdir()] == []
    save_session(target, b"{}\n")
    assert target.read_bytes() == b"{}\n"


def test_a_file_in_the_folders_place_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert refused(file / "a.jsonl").startswith(f"cannot write to {file}: ")


def test_a_session_that_is_there_is_only_replaced_on_request(tmp_path: Path) -> None:
    target = tmp_path / "a.jsonl"
    target.touch()
    assert refused(target) == f"{target} is there already; replace it with --overwrite"
    require_target(target, overwrite=True)


def test_a_link_that_leads_nowhere_is_there_too(tmp_path: Path) -> None:
    target = tmp_path / "a.jsonl"
    target.symlink_to("none")
    assert refused(target) == f"{target} is there already; replace it with --overwrite"


def test_a_folder_in_the_sessions_place_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=f"^{tmp_path} is a folder; name another with --out$"):
        require_target(tmp_path, overwrite=True)


def test_a_folder_that_cannot_be_written_is_named() -> None:
    assert refused(Path("/proc/a.jsonl")).startswith("cannot write to /proc: ")
