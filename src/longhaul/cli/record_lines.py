"""How far a recording is, and what came of it: as lines, a table and JSON."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path as FilePath

from rich.console import Console
from rich.table import Table

from longhaul.cli import terminal
from longhaul.compaction.render.quoting import plain
from longhaul.compaction.report_text import count
from longhaul.record.driving import Progress
from longhaul.record.recording import Recording
from longhaul.transcript.entries import JsonValue


@contextmanager
def progress(console: Console) -> Iterator[Callable[[Progress], None]]:
    """Show how far a recording is: on a terminal in one line, elsewhere one for each turn."""
    if not console.is_terminal:
        yield lambda now: _print_turn(console, now)
        return
    with console.status("starting pi in the sandbox; Ctrl-C ends it") as status:
        yield lambda now: status.update(progress_text(now))


def progress_text(now: Progress) -> str:
    """Return how far a recording is, in a line."""
    doing = ", compacting" if now.is_compacting else ""
    return (
        f"turn {now.turn} of {now.n_turns}, step {now.step + 1}, {now.tokens:,} tokens,"
        f" {count(now.n_compactions, 'compaction')}{doing}"
    )


def recording_table(recording: Recording, target: FilePath | None) -> Table:
    """Return what came of a recording; `target` is None where nothing was written."""
    table = Table(show_header=False)
    table.add_row("session", plain(str(target)) if target else "not written (--check)")
    table.add_row("turns", str(recording.n_turns))
    table.add_row("compactions", str(recording.n_compactions))
    stalled = ", ".join(f"u{number}" for number in recording.aborted)
    table.add_row("aborted after a stall", stalled or "none")
    for name, value in recording.captured.items():
        table.add_row(f"captured {name}", plain(value))
    return table


def note_lines(notes: Iterable[object]) -> Sequence[str]:
    """Return what there is to know about a play or its recording and is no error, a line each."""
    return [plain(f"note: {one}") for one in notes]


def problem_lines(recording: Recording, target: FilePath | None) -> Sequence[str]:
    """Return where a play does not fit, a line each; that it fits, where that was asked for."""
    if recording.problems:
        return [plain(str(one)) for one in recording.problems]
    if target:
        return []
    more = f"; {count(len(recording.notes), 'note')} to read" if recording.notes else ""
    return [f"the play fits: every step was used{more}"]


def recording_record(recording: Recording, target: FilePath | None) -> dict[str, JsonValue]:
    """Return what came of a recording, for programs."""
    return {
        "session": str(target) if target else None,
        "turns": recording.n_turns,
        "compactions": recording.n_compactions,
        "abortedTurns": list(recording.aborted),
        "captured": dict(recording.captured),
        "problems": [str(one) for one in recording.problems],
        "notes": [str(one) for one in recording.notes],
    }


def _print_turn(console: Console, now: Progress) -> None:
    if now.step == 0 and not now.is_compacting:
        terminal.print_texts(console, [progress_text(now)])
