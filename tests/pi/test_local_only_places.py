"""What lies under a local-only root, by what the file system finds there."""

import os
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.config import load_config
from longhaul.pi.local_only import is_local_only


def in_folder(cwd: Path | str, *roots: Path | str) -> bool:
    return is_local_only(cwd=str(cwd), session_file=None, roots=map(Path, roots))


def in_file(file: Path, *roots: Path, cwd: Path) -> bool:
    return is_local_only(cwd=str(cwd), session_file=file, roots=roots)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder with `secret/deep`, `secret2` and `public` in it."""
    for name in ("secret/deep", "secret2", "public"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path


def test_without_roots_nothing_is_local_only(work: Path) -> None:
    assert not in_folder(work / "secret")
    assert not in_folder("")


def test_a_root_and_what_is_below_it_is_local_only(work: Path) -> None:
    root = work / "secret"
    assert in_folder(root, root)
    assert in_folder(root / "deep", root)
    assert in_folder(root / "not" / "there" / "yet", root)
    assert not in_folder(work, root)
    assert not in_folder(work / "public", root)


def test_a_place_too_long_to_be_one_is_local_only_where_anything_is(work: Path) -> None:
    assert in_folder("/" + "a/" * 20_000, work / "secret")
    assert not in_folder("/" + "a/" * 20_000)
    assert not in_folder(work / "public", "/" + "a/" * 20_000)


def test_a_name_that_begins_alike_is_another_folder(work: Path) -> None:
    assert not in_folder(work / "secret2", work / "secret")
    assert not in_folder(work / "secret", work / "secret2")
    assert not in_folder(work / "nowhere2", work / "nowhere")


@pytest.mark.parametrize(
    "root", ["secret/", "secret//", "./secret", "public/../secret", "secret/."]
)
def test_a_root_may_be_written_in_any_way(work: Path, root: str) -> None:
    assert in_folder(work / "secret" / "deep", f"{work}/{root}")
    assert not in_folder(work / "public", f"{work}/{root}")


def test_the_files_own_place_counts_too(work: Path) -> None:
    file = work / "secret" / "s.jsonl"
    assert in_file(file, work / "secret", cwd=work / "public")
    assert in_file(file, file, cwd=work / "public")
    assert in_file(work / "public" / "s.jsonl", work / "secret", cwd=work / "secret")
    assert not in_file(work / "public" / "s.jsonl", work / "secret", cwd=work / "public")
    assert is_local_only(cwd="", session_file=file, roots=[work / "secret"])


def test_a_relative_file_counts_from_the_folder_of_the_process(work: Path) -> None:
    file = Path(os.path.relpath(work / "secret" / "s.jsonl"))
    assert in_file(file, work / "secret", cwd=work / "public")
    assert not in_file(file, work / "public" / "x", cwd=work / "public")


def test_one_of_several_nested_roots_suffices(work: Path) -> None:
    outer, inner = work / "secret", work / "secret" / "deep"
    assert in_folder(outer, inner, outer)
    assert in_folder(inner, outer, inner)
    assert not in_folder(outer, inner, work / "secret2")


def test_a_session_of_unknown_place_is_under_every_root(work: Path) -> None:
    assert in_folder("", work / "secret")


def test_the_whole_file_system_can_be_named(work: Path) -> None:
    assert in_folder(work / "public", "/")
    assert in_folder("/no/such/place", "/")


def test_a_link_into_a_root_leads_there(work: Path) -> None:
    (work / "way").symlink_to(work / "secret" / "deep")
    assert in_folder(work / "way", work / "secret")
    assert in_folder(work / "way" / "later", work / "secret")


def test_a_root_may_be_a_link(work: Path) -> None:
    (work / "vault").symlink_to("secret")
    assert in_folder(work / "secret" / "deep", work / "vault")
    assert in_folder(work / "vault" / "deep", work / "secret")
    assert not in_folder(work / "public", work / "vault")


def test_a_link_out_of_a_root_is_still_below_it(work: Path) -> None:
    (work / "secret" / "out").symlink_to(work / "public")
    assert in_folder(work / "secret" / "out", work / "secret")
    assert not in_folder(work / "public", work / "secret")


def test_a_session_file_that_is_a_link_counts_where_it_leads(work: Path) -> None:
    (work / "secret" / "s.jsonl").write_text("", encoding="utf-8")
    (work / "public" / "s.jsonl").symlink_to(work / "secret" / "s.jsonl")
    assert in_file(work / "public" / "s.jsonl", work / "secret", cwd=work / "public")


def test_dots_after_a_link_are_those_of_where_it_leads(work: Path) -> None:
    (work / "public" / "way").symlink_to(work / "secret" / "deep")
    assert in_folder(f"{work}/public/way/..", work / "secret")


def test_a_root_need_not_exist_yet(work: Path) -> None:
    root = work / "later" / "secret"
    assert in_folder(root / "x", root)
    assert not in_folder(work / "later", root)
    assert not in_folder(work / "later" / "public", root)
    root.mkdir(parents=True)
    assert in_folder(root / "x", root)


def test_a_root_behind_a_link_to_what_does_not_exist_yet(work: Path) -> None:
    (work / "vault").symlink_to(work / "later")
    assert in_folder(work / "later", work / "vault")
    assert in_folder(work / "vault" / "x", work / "later")
    (work / "later").mkdir()
    assert in_folder(work / "later", work / "vault")


def test_links_that_lead_in_a_circle_are_names(work: Path) -> None:
    (work / "a").symlink_to("b")
    (work / "b").symlink_to("a")
    assert in_folder(work / "a" / "x", work / "a")
    assert not in_folder(work / "public", work / "a")


def test_a_folder_is_itself_under_another_case_where_the_file_system_says_so(work: Path) -> None:
    shouted = work / "SECRET"
    assert in_folder(shouted / "deep", work / "secret") == shouted.exists()
    assert in_folder(work / "secret" / "deep", shouted) == shouted.exists()


def test_the_case_of_what_does_not_exist_is_not_relied_on(work: Path) -> None:
    assert in_folder(work / "Later" / "STRASSE", work / "later" / "straße")
    assert in_folder(work / "caf\u00e9" / "x", work / "cafe\u0301")


def test_two_names_of_one_file_are_one(work: Path) -> None:
    (work / "secret" / "s.jsonl").write_text("", encoding="utf-8")
    os.link(work / "secret" / "s.jsonl", work / "public" / "s.jsonl")
    assert in_file(work / "public" / "s.jsonl", work / "secret" / "s.jsonl", cwd=work / "public")


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b", "n" * 5000])
def test_a_name_that_no_file_can_have_is_compared_as_text(work: Path, name: str) -> None:
    assert in_folder(work / "secret" / name, work / "secret")
    assert in_folder(work / name / "x", work / name)
    assert not in_folder(work / "public", work / name)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is locked for root")
def test_a_folder_that_cannot_be_entered_is_compared_by_name(work: Path) -> None:
    (work / "secret").chmod(0)
    try:
        assert in_folder(work / "secret" / "deep" / "x", work / "secret" / "deep")
        assert not in_folder(work / "secret" / "other", work / "secret" / "deep")
    finally:
        (work / "secret").chmod(0o755)


def test_roots_come_from_both_files(work: Path) -> None:
    (work / "longhaul.json").write_text('{"localOnlyRoots": ["~/secret"]}', encoding="utf-8")
    (work / "public" / ".pi").mkdir()
    settings = work / "public" / ".pi" / "longhaul.json"
    settings.write_text('{"localOnlyRoots": ["data", "../secret2"]}', encoding="utf-8")
    roots = load_config(work, work / "public", home=work).local_only_roots
    assert in_folder(work / "secret", *roots)
    assert in_folder(work / "secret2", *roots)
    assert in_folder(work / "public" / "data" / "x", *roots)
    assert not in_folder(work / "public", *roots)


NAMES = st.lists(st.text(string.ascii_lowercase, min_size=1, max_size=2), max_size=4)


@given(root=NAMES, place=NAMES)
def test_where_nothing_is_linked_the_names_decide(root: list[str], place: list[str]) -> None:
    nowhere = Path("/no such folder")
    under = place[: len(root)] == root
    assert in_folder(nowhere.joinpath(*place), nowhere.joinpath(*root)) == under


@given(place=NAMES, root=NAMES, more=NAMES)
def test_what_is_below_a_local_only_place_is_local_only(
    place: list[str], root: list[str], more: list[str]
) -> None:
    outer, folder = Path("/").joinpath(*root), Path("/").joinpath(*place)
    assert not in_folder(folder, outer) or in_folder(folder.joinpath(*more), outer)
