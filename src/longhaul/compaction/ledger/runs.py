"""Tool calls paired with their results, in the order in which the results came."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    Entry,
    JsonValue,
    MessageEntry,
    NestedCall,
    Path,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)

_LOOK_BACK_ENTRIES = 400
"""A call is looked for at most so many entries before its result."""


class ToolRun(NamedTuple):
    """One use of a tool, and what came of it; a tuple, as there are very many."""

    name: str
    arguments: Mapping[str, JsonValue]
    """Empty where the path holds a result without its call."""
    result: ToolResultMessage | BashExecutionMessage | NestedCall
    entry_id: str
    """The entry that holds the result."""
    turn: int
    """7 for `u7`; 0 before the first user message."""


def find_runs(path: Path, start: int, end: int, n_turns: int) -> Iterator[ToolRun]:
    """Yield the runs whose results stand in `path[start:end]`, oldest first.

    `n_turns` counts the user messages before `start`. A call may stand before `start`. Calls
    made from inside a tool come before that tool's own run; shell commands of the user are runs of
    `bash`.
    """
    calls, turn = _calls_before(path, start), n_turns
    for index in range(start, end):
        entry = path[index]
        if not isinstance(entry, MessageEntry):
            continue
        message = entry.message
        if isinstance(message, AssistantMessage):
            _note_calls(calls, index, entry)
        elif isinstance(message, ToolResultMessage):
            for nested in message.nested_calls:
                yield ToolRun(nested.name, nested.arguments, nested, entry.id, turn)
            name, arguments = _called(message, calls, index)
            yield ToolRun(name, arguments, message, entry.id, turn)
        elif isinstance(message, UserMessage):
            turn += 1
        elif isinstance(message, BashExecutionMessage):
            yield ToolRun("bash", {"command": message.command}, message, entry.id, turn)


def _calls_before(path: Path, start: int) -> dict[str, tuple[int, ToolCall]]:
    """Return by id, with their indices, the calls that a result at `start` may answer."""
    calls: dict[str, tuple[int, ToolCall]] = {}
    for index in range(max(0, start - _LOOK_BACK_ENTRIES), start):
        _note_calls(calls, index, path[index])
    return calls


def _note_calls(calls: dict[str, tuple[int, ToolCall]], index: int, entry: Entry) -> None:
    if isinstance(entry, MessageEntry) and isinstance(entry.message, AssistantMessage):
        for block in entry.message.content:
            if isinstance(block, ToolCall):
                calls[block.id] = index, block


def _called(
    message: ToolResultMessage, calls: Mapping[str, tuple[int, ToolCall]], index: int
) -> tuple[str, Mapping[str, JsonValue]]:
    """Return name and arguments of the call that `message` answers, or what it says itself."""
    called_at, call = calls.get(message.tool_call_id, (-1, None))
    if call is None or index - called_at > _LOOK_BACK_ENTRIES:
        return message.tool_name, {}
    return call.name, call.arguments
