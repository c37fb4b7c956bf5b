"""The lines of Narrative: what a model noted, and the timeline that needs none."""

from collections.abc import Iterator

from longhaul.compaction.render.budget import Line
from longhaul.compaction.render.quoting import SHORT_CHARS, plain, quoted
from longhaul.compaction.state import Note, Request, State

_STEP_CHARS = 60
"""Most characters of a request in the timeline; Said holds more of it."""
_BEFORE_NOTES = 1_000_000
"""Takes the timeline's lines before those of the notes."""


def note_lines(state: State) -> Iterator[Line]:
    """Yield what a model noted, what is to come first, then the newest."""
    ahead = [note for note in state.notes if note.kind in ("next", "in progress")]
    behind = [note for note in state.notes if note.kind in ("decided", "done")]
    n_behind = len(behind)
    for order, note in enumerate(ahead, n_behind):
        yield _note_line(note, order)
    for order in reversed(range(n_behind)):
        yield _note_line(behind[order], order)


def _note_line(note: Note, order: int) -> Line:
    text = f"- {note.kind} (u{note.turn}): {plain(note.text)}"
    return Line(section="Narrative", text=text, order=order)


def timeline_lines(state: State) -> Iterator[Line]:
    """Yield the timeline of closed requests and closing words, newest first.

    Where a model noted what a turn did, it says more than the turn's own closing words.
    """
    noted = {note.turn for note in state.notes}
    for request in reversed(state.requests):
        turn = request.quote.turn
        if turn <= state.n_turns and turn not in noted:
            text = f"- u{turn} {_step(request)}: {_ending(request)}"
            yield Line(section="Narrative", text=text, order=turn - _BEFORE_NOTES)


def _step(request: Request) -> str:
    return quoted(request.quote.text, _STEP_CHARS)


def _ending(request: Request) -> str:
    said = f", the assistant: {quoted(request.closing, SHORT_CHARS)}" if request.closing else ""
    return f"{'not ended' if request.outcome == 'open' else request.outcome}{said}"
