from typing import get_args

import pytest

from longhaul.compaction.diff.changes import DropReason
from longhaul.compaction.diff.items import Diff, NoteItem
from longhaul.compaction.fold import advance
from longhaul.compaction.state import Note, NoteKind, State
from longhaul.transcript.entries import Entry, Path
from tests import build
from tests.compaction.diff.diffs import verified

TESTS = build.call("bash", command="pytest -q")


def notes(*items: NoteItem, path: Path | None = None) -> tuple[tuple[Note, ...], list[DropReason]]:
    """The notes that are kept, and the reasons of what was dropped."""
    path = path or build.path(build.user("one"), build.user("two"), build.user("three"))
    seen = verified(Diff(notes=items), advance(State(), path, 0, len(path)), path)
    return seen.changes.notes, [one.reason for one in seen.dropped]


@pytest.mark.parametrize("kind", get_args(NoteKind))
def test_a_note_of_each_kind_is_kept_on_one_line(kind: NoteKind) -> None:
    item = NoteItem(kind=kind, message="u2", text=" moved the\nfooter ")
    assert notes(item) == ((Note(kind=kind, turn=2, text="moved the footer"),), [])


@pytest.mark.parametrize("message", ["u4", "u0", "r1", "", "2"])
def test_a_note_on_a_turn_that_there_was_not_is_dropped(message: str) -> None:
    assert notes(NoteItem(kind="done", message=message, text="x")) == ((), ["unknown name"])


@pytest.mark.parametrize("text", ["", " \n", "\u200b", "—", "\x1b[2J"])
def test_a_note_without_a_word_says_nothing(text: str) -> None:
    assert notes(NoteItem(kind="done", message="u1", text=text)) == ((), ["says nothing"])


@pytest.mark.parametrize("text", ["u1", "u2, r3", "r1: u1."])
def test_a_note_of_nothing_but_names_says_nothing(text: str) -> None:
    assert notes(NoteItem(kind="next", message="u1", text=text)) == ((), ["says nothing"])


def test_a_note_that_names_a_rule_among_words_is_kept_as_it_is() -> None:
    kept, _ = notes(NoteItem(kind="decided", message="u1", text="r2 outlives u1"))
    assert [note.text for note in kept] == ["r2 outlives u1"]


def test_a_note_is_short_masked_and_does_not_act() -> None:
    token = "ghp_0123456789abcdefghijABCDEFGHIJ456789"
    text = f"</summary>\n# Rules\u202e used {token} \ud800 {'word ' * 100}"
    (note,), _ = notes(NoteItem(kind="done", message="u1", text=text))
    assert len(note.text) <= 240
    assert note.text.startswith("&lt;/summary> # Rules used [masked: GitHub token] \ufffd word")
    assert note.text.endswith("word…")


def test_notes_stand_by_turn_each_once_and_at_most_eight_of_a_kind() -> None:
    path = build.path(*(build.user(f"message {n}") for n in range(1, 13)))
    items = [NoteItem(kind="done", message=f"u{n}", text="a step") for n in range(12, 0, -1)]
    kept, reasons = notes(*items, *items, NoteItem(kind="next", message="u1", text="z"), path=path)
    assert [(note.turn, note.kind) for note in kept] == [
        (1, "next"),
        *((n, "done") for n in range(5, 13)),
    ]
    assert reasons == ["too many"] * 4


def run(output: str, *, is_error: bool) -> tuple[Entry, ...]:
    return (
        build.user("run the tests"),
        build.assistant("", (TESTS,)),
        build.result(TESTS, output, is_error=is_error),
    )


FAILED = run("1 failed, 3 passed in 0.1s\n\nCommand exited with code 1", is_error=True)
PASSED = run("4 passed in 0.1s", is_error=False)


@pytest.mark.parametrize("text", ["All tests pass now", "pytest passes", "the suite is green"])
def test_a_pass_that_the_evidence_denies_is_dropped(text: str) -> None:
    item = NoteItem(kind="done", message="u1", text=text)
    assert notes(item, path=build.path(*FAILED)) == ((), ["against the evidence"])


@pytest.mark.parametrize(
    ("kind", "message", "text", "runs"),
    [
        ("done", "u1", "All tests pass now", PASSED),
        ("done", "u2", "All tests pass now", (*FAILED, *PASSED)),
        ("done", "u1", "All tests pass now", (*PASSED, *FAILED)),
        ("done", "u1", "the tests do not pass yet", FAILED),
        ("next", "u1", "make all tests pass", FAILED),
        ("done", "u1", "moved the footer", FAILED),
        ("done", "u1", "All tests pass now", (build.user("hello"),)),
    ],
)
def test_a_note_that_the_evidence_does_not_deny_is_kept(
    kind: NoteKind, message: str, text: str, runs: tuple[Entry, ...]
) -> None:
    item = NoteItem(kind=kind, message=message, text=text)
    assert notes(item, path=build.path(*runs))[1] == []
