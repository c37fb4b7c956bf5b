"""Values first seen in tool output that the conversation then used or reported."""

from longhaul.compaction.printed import printed_text
from longhaul.compaction.secrets import mask_secrets
from longhaul.compaction.state import Value
from longhaul.compaction.statements import ASK_TOOLS, count_turns
from longhaul.compaction.values.describe import describe
from longhaul.compaction.values.known import KnownValues
from longhaul.compaction.values.sayings import Sayings
from longhaul.compaction.values.tokens import Mention
from longhaul.compaction.values.window import (
    MAX_AGE_ENTRIES,
    MAX_OUTPUTS,
    MAX_WINDOW_CHARS,
    Output,
    OutputWindow,
)
from longhaul.transcript.entries import (
    MessageEntry,
    Path,
    UserMessage,
)

_PERIOD_ENTRIES = 1_024
_MEMORY_MENTIONS = 1_000
_MEMORY_ENTRIES = 4_096
_MAX_PLACES = 20
_BESIDE_CHARS = 400
"""So much of a line around a token is looked at, to tell whether it is a secret."""


def advance_values(
    values: tuple[Value, ...],
    path: Path,
    start: int,
    end: int,
    n_turns: int,
    *,
    ask_tools: tuple[str, ...] = ASK_TOOLS,
) -> tuple[Value, ...]:
    """Return the values known after `path[start:end]`, where `values` are those before `start`.

    By last use, oldest first, the newest 80. `n_turns` counts the user messages before `start`.
    A value is used where the user or the assistant writes it, in a message or a tool call, after a
    tool printed it; what they wrote before it was printed is none. Outputs and messages before
    `start` are looked at, as far back as the window and the search for earlier sayings reach.

    In a very long session memory ends, see `_memory_start`: a value that was printed before that is
    known only where it was learned again since.
    """
    sayings = Sayings(path, ask_tools)
    memory_start = _memory_start(sayings, start, end)
    if memory_start > 0:
        values = ()
        n_turns += _turns_moved(path, start, memory_start)
        start = memory_start
    known = KnownValues(values)
    window = _window_before(path, start, n_turns, ask_tools)
    turn = n_turns
    for index in range(start, end):
        entry = path[index]
        if not isinstance(entry, MessageEntry):
            continue
        turn += isinstance(entry.message, UserMessage)
        mentions = sayings.mentions(index)
        if mentions:
            window.move_to(index)
            for mention in mentions:
                _note(mention, known, window, sayings, turn)
        output = _output(entry, index, turn, ask_tools)
        if output is not None:
            window.move_to(index)
            window.add(output)
    return known.values()


def _turns_moved(path: Path, start: int, new_start: int) -> int:
    """Return how many more user messages stand before `new_start`; fewer are negative."""
    return count_turns(path, start, new_start) - count_turns(path, new_start, start)


def _memory_start(sayings: Sayings, start: int, end: int) -> int:
    """Return the entry from which on the values are to be read anew; 0 where they are carried.

    They are read anew once in 1,024 entries, where the path then holds more than 1,000 mentions or
    4,096 entries: from so far back, and so that only the entry's place in the path decides. Else
    reading a long session would take as long as all its values do, of which 80 are kept.
    """
    boundary = end - end % _PERIOD_ENTRIES
    first, n_mentions = boundary, 0
    if boundary <= start:
        return 0
    while first > 0 and n_mentions < _MEMORY_MENTIONS and boundary - first < _MEMORY_ENTRIES:
        first -= _PERIOD_ENTRIES
        indices = range(first, first + _PERIOD_ENTRIES)
        n_mentions += sum(len(sayings.mentions(index)) for index in indices)
    return first


def _note(
    mention: Mention, known: KnownValues, window: OutputWindow, sayings: Sayings, turn: int
) -> None:
    """Note that a value is used, or learned where an output printed it before it was said."""
    if known.use(mention, turn):
        return
    found = window.find(mention)
    if found is None or sayings.hold(mention, before=found.output.index):
        return
    output = found.output
    if stands_as_secret(output.text, found.token):
        return
    known.add(
        Value(
            token=found.token,
            what=describe(mention),
            entry_id=output.entry_id,
            turn=output.turn,
            used_turn=turn,
        )
    )


def stands_as_secret(text: str, token: str) -> bool:
    """Return whether an output prints a token where it is a secret: `token: …`."""
    start = text.find(token)
    for _ in range(_MAX_PLACES):
        if start < 0:
            return False
        first, end = max(0, start - _BESIDE_CHARS), start + len(token) + _BESIDE_CHARS
        beside = text[text.rfind("\n", first, start) + 1 or first : end].split("\n", 1)[0]
        if beside.count(token) > mask_secrets(beside).count(token):
            return True
        start = text.find(token, start + len(token))
    return False


def _window_before(
    path: Path, start: int, n_turns: int, ask_tools: tuple[str, ...]
) -> OutputWindow:
    """Return the outputs before `start`, as many as an entry there can use."""
    window, turn, n_chars = OutputWindow(), n_turns, 0
    newest_first: list[Output] = []
    for index in range(start - 1, max(-1, start - 1 - MAX_AGE_ENTRIES), -1):
        entry = path[index]
        if not isinstance(entry, MessageEntry):
            continue
        output = _output(entry, index, turn, ask_tools)
        if output is not None:
            newest_first.append(output)
            n_chars += len(output.text)
        turn -= isinstance(entry.message, UserMessage)
        if len(newest_first) > MAX_OUTPUTS or n_chars > MAX_WINDOW_CHARS:
            break
    for output in reversed(newest_first):
        window.add(output)
    return window


def _output(
    entry: MessageEntry, index: int, turn: int, ask_tools: tuple[str, ...]
) -> Output | None:
    """Return what an entry holds of a tool's printing; None for none, or an answer of the user."""
    text = printed_text(entry.message, ask_tools)
    return Output(index, entry.id, turn, text) if text else None
