"""A state built from a path alone: its entries, and the diffs that its compactions recorded."""

from longhaul.compaction.diff.apply import apply_changes
from longhaul.compaction.diff.record import Recorded, find_recorded
from longhaul.compaction.diff.verify import verify_diff
from longhaul.compaction.fold import advance
from longhaul.compaction.state import State
from longhaul.compaction.statements import ASK_TOOLS
from longhaul.transcript.entries import Path


def rebuild(path: Path, end: int, *, ask_tools: tuple[str, ...] = ASK_TOOLS) -> State:
    """Return the state of `path[:end]`, from its beginning; carried states are not looked at."""
    state, start = State(), 0
    for recorded in find_recorded(path):
        if recorded.end <= end:
            state = advance(state, path, start, recorded.end, ask_tools=ask_tools)
            state = apply_recorded(state, path, recorded, ask_tools=ask_tools)
            start = recorded.end
    return advance(state, path, start, end, ask_tools=ask_tools)


def apply_recorded(
    state: State, path: Path, recorded: Recorded, *, ask_tools: tuple[str, ...] = ASK_TOOLS
) -> State:
    """Return `state`, that of the path up to the recorded cut, after the diff recorded there.

    The diff is held against the entries again: a session file is not trusted.
    """
    verified = verify_diff(
        recorded.call.diff,
        state,
        path,
        start=recorded.start,
        end=recorded.end,
        ask_tools=ask_tools,
    )
    return apply_changes(state, verified.changes)
