"""How far a recording is and what came of it, in words."""

import io
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from longhaul.cli.record_lines import (
    note_lines,
    problem_lines,
    progress,
    progress_text,
    recording_record,
    recording_table,
)
from longhaul.record.driving import Progress
from longhaul.record.recording import Recording
from longhaul.record.script import PlayProblem

DONE = Recording(
    session=b"{}\n",
    n_turns=4,
    n_compactions=2,
    captured={"hash": "[red]abc"},
    problems=(PlayProblem("u2 step 1", "capture n finds nothing"),),
    aborted=(3,),
    notes=(PlayProblem("u1 step 1", "bash failed: (no output)"),),
)
FITTING = Recording(session=b"", n_turns=1, n_compactions=0, captured={}, problems=(), aborted=())
NOW = Progress(turn=2, n_turns=4, step=3, tokens=12_345, n_compactions=1, is_compacting=True)


def shown(console: Console) -> str:
    file = console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


def console(*, is_terminal: bool) -> Console:
    file = io.StringIO()
    return Console(file=file, force_terminal=is_terminal, width=100, highlight=False, markup=False)


def test_a_line_says_turn_step_tokens_and_compactions() -> None:
    assert progress_text(NOW) == ("turn 2 of 4, step 4, 12,345 tokens, 1 compaction, compacting")


def test_off_a_terminal_there_is_a_line_for_each_turn() -> None:
    place = console(is_terminal=False)
    with progress(place) as on_progress:
        for turn in (1, 2):
            on_progress(Progress(turn=turn, n_turns=2))
            on_progress(Progress(turn=turn, n_turns=2, step=1, tokens=50))
            on_progress(Progress(turn=turn, n_turns=2, is_compacting=True))
    assert shown(place) == (
        "turn 1 of 2, step 1, 0 tokens, 0 compactions\n"
        "turn 2 of 2, step 1, 0 tokens, 0 compactions\n"
    )


def test_on_a_terminal_the_line_changes_in_place() -> None:
    place = console(is_terminal=True)
    with progress(place) as on_progress:
        on_progress(NOW)
    assert "turn 2 of 4, step 4, 12,345 tokens, 1 compaction, compacting\n" in shown(place)
    assert shown(place).endswith("\x1b[2K"), "it is gone at the end"


def test_what_came_of_it_is_a_table_and_the_problems_lines() -> None:
    place = console(is_terminal=False)
    place.print(recording_table(DONE, Path("out", "a.jsonl")))
    rows = [line.strip("│ ").split("│") for line in shown(place).splitlines()[1:-1]]
    assert [tuple(map(str.strip, row)) for row in rows] == [
        ("session", "out/a.jsonl"),
        ("turns", "4"),
        ("compactions", "2"),
        ("aborted after a stall", "u3"),
        ("captured hash", "[red]abc"),
    ]
    assert problem_lines(DONE, None) == ["u2 step 1: capture n finds nothing"]
    assert problem_lines(FITTING, None) == ["the play fits: every step was used"]
    assert problem_lines(FITTING, Path("a.jsonl")) == []
    noted = replace(FITTING, notes=DONE.notes)
    assert problem_lines(noted, None) == ["the play fits: every step was used; 1 note to read"]
    assert note_lines(DONE.notes) == ["note: u1 step 1: bash failed: (no output)"]


def test_programs_get_the_same_as_a_record() -> None:
    assert recording_record(DONE, None) == {
        "session": None,
        "turns": 4,
        "compactions": 2,
        "abortedTurns": [3],
        "captured": {"hash": "[red]abc"},
        "problems": ["u2 step 1: capture n finds nothing"],
        "notes": ["u1 step 1: bash failed: (no output)"],
    }
