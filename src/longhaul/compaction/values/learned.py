"""Values first seen in tool output that the conversation then used or reported."""

from collections.abc import Iterable, Iterator
from itertools import islice

from longhaul.compaction.state import Value
from longhaul.compaction.statements import ASK_TOOLS, text_of
from longhaul.compaction.values.known import KnownValues
from longhaul.compaction.values.sayings import Sayings
from longhaul.compaction.values.tokens import Mention, describe, find_mentions
from longhaul.compaction.values.window import (
    MAX_AGE_ENTRIES,
    MAX_OUTPUTS,
    MAX_WINDOW_CHARS,
    Output,
    OutputWindow,
    digits_of,
)
from longhaul.transcript.entries import (
    BashExecutionMessage,
    MessageEntry,
    Path,
    ToolResultMessage,
    UserMessage,
)

_MAX_MENTIONS = 60
"""More mentions of one text are not looked at."""


def advance_values(
    values: tuple[Value, ...],
    path: Path,
    start: int,
    end: int,
    first_turn: int,
    *,
    ask_tools: tuple[str, ...] = ASK_TOOLS,
) -> tuple[Value, ...]:
    """Return the values known after `path[start:end]`, where `values` are those before `start`.

    By last use, oldest first, the newest 80. `first_turn` counts the user messages before `start`.
    A value is used where the user or the assistant writes it, in a message or a tool call, after a
    tool printed it; what they wrote before it was printed is none. Outputs and messages before
    `start` are looked at, as far back as the window and the search for earlier sayings reach.
    """
    known = KnownValues(values)
    window = _window_before(path, start, first_turn, ask_tools)
    sayings = Sayings(path, ask_tools)
    turn = first_turn
    for index in range(start, end):
        entry = path[index]
        if not isinstance(entry, MessageEntry):
            continue
        turn += isinstance(entry.message, UserMessage)
        window.move_to(index)
        for mention in _mentions(sayings.at(index)):
            if not known.use(mention, turn):
                learned = _learn(mention, window, sayings, turn)
                if learned is not None:
                    known.add(learned)
        output = _output(entry, index, turn, ask_tools)
        if output is not None:
            window.add(output)
    return known.values()


def _learn(mention: Mention, window: OutputWindow, sayings: Sayings, turn: int) -> Value | None:
    found = window.find(mention)
    if found is None and mention.may_round and len(digits_of(mention.core)) > 1:
        found = window.find(mention, rounded=True)
    if found is None or sayings.hold(mention, before=found[0].index):
        return None
    output, token = found
    return Value(
        token=token,
        what=describe(mention),
        entry_id=output.entry_id,
        turn=output.turn,
        used_turn=turn,
    )


def _window_before(
    path: Path, start: int, first_turn: int, ask_tools: tuple[str, ...]
) -> OutputWindow:
    """Return the outputs before `start`, as many as an entry there can use."""
    window, turn, n_chars = OutputWindow(), first_turn, 0
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
    match entry.message:
        case ToolResultMessage(tool_name=name, content=content) if name not in ask_tools:
            text = text_of(content)
        case BashExecutionMessage(exclude_from_context=False, output=text):
            pass
        case _:
            return None
    return Output(index, entry.id, turn, text) if text else None


def _mentions(said: Iterable[tuple[str, bool]]) -> Iterator[Mention]:
    for text, is_code in said:
        yield from islice(find_mentions(text, is_code=is_code), _MAX_MENTIONS)
