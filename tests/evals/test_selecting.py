"""Which sessions and compactions are replayed."""

import json
from pathlib import Path

import pytest

from longhaul.evals.cases import NotScored
from longhaul.evals.selecting import (
    Chosen,
    SelectionError,
    find_newest,
    load_candidates,
    parse_places,
)
from longhaul.evals.store import StoredSession, find_sessions
from tests.evals.replayable import save_replayable
from tests.records import asked, compacted, write_chain


def test_sessions_are_found_below_the_folder_too_by_their_path_in_it(tmp_path: Path) -> None:
    for name in ("b", "a", "below/c"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        save_replayable(tmp_path, name)
    (tmp_path / "labels.json").write_text("{}")
    assert [one.name for one in find_sessions(tmp_path).sessions] == ["a", "b", "below/c"]


def test_links_are_not_followed_and_said_to_be_left_out(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    save_replayable(outside, "s")
    (inside / "file.jsonl").symlink_to(outside / "s.jsonl")
    (inside / "folder").symlink_to(outside)
    (inside / "gone.jsonl").symlink_to(outside / "gone")
    store = find_sessions(inside)
    assert store.sessions == ()
    reason = "a link; copy the session into the folder"
    assert store.left_out == tuple(
        NotScored(session=name, compaction=0, arm="", reason=reason)
        for name in ("file", "folder", "gone")
    )


def test_a_folder_that_is_excluded_is_not_looked_into(tmp_path: Path) -> None:
    (tmp_path / "score-out").mkdir()
    save_replayable(tmp_path / "score-out", "rows")
    assert find_sessions(tmp_path, excluded=[tmp_path / "score-out"]).sessions == ()


def test_a_folder_called_like_a_session_is_none(tmp_path: Path) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    assert find_sessions(tmp_path).sessions == ()


def test_places_name_session_and_number() -> None:
    expected = Chosen(frozenset({("a", 1), ("b/c", 12)}))
    assert parse_places("a:1, b/c.jsonl:12") == expected
    assert expected.names == {"a", "b/c"}


@pytest.mark.parametrize("text", ["a", "a:0", ":1", "a:x", "a:1,"])
def test_a_place_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(SelectionError, match="names no compaction; write SESSION:NUMBER"):
        parse_places(text)


def test_candidates_are_what_the_rows_of_another_run_are_about(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    keys = [{"session": "a", "compaction": n, "arm": "x", "repeat": 1} for n in (1, 1, 2)]
    file.write_text("".join(f"{json.dumps(one)}\n" for one in keys))
    assert load_candidates(file) == Chosen(frozenset({("a", 1), ("a", 2)}))
    with pytest.raises(SelectionError, match="no rows there"):
        load_candidates(tmp_path / "none.jsonl")


def test_the_newest_are_chosen_over_all_sessions_by_their_time(tmp_path: Path) -> None:
    def dated(day: int) -> dict[str, object]:
        return {**compacted("e1"), "timestamp": f"2026-01-{day:02}"}

    write_chain(tmp_path / "a.jsonl", asked("x"), dated(1), dated(9))  # type: ignore[arg-type]
    write_chain(tmp_path / "b.jsonl", asked("x"), dated(5), dated(3))  # type: ignore[arg-type]
    sessions = [StoredSession(name=name, file=tmp_path / f"{name}.jsonl") for name in "ab"]
    assert find_newest(sessions, 2) == Chosen(frozenset({("a", 2), ("b", 1)}))
    assert len(find_newest(sessions, 99).places) == 4


def test_a_folder_is_excluded_however_it_is_written(tmp_path: Path) -> None:
    save_replayable(tmp_path, "s")
    (tmp_path / "out").mkdir()
    save_replayable(tmp_path / "out", "rows")
    written = tmp_path / "out" / ".." / "out"
    assert [one.name for one in find_sessions(tmp_path, excluded=[written]).sessions] == ["s"]
