"""Tool calls paired with their results, in the order in which the results came."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRun:
    """One use of a tool, and what came of it."""

    name: str
    arguments: Mapping[str, JsonValue]
    """Empty where the path holds a result without its call."""
    result: ToolResultMessage | BashExecutionMessage | NestedCall
    entry_id: str
    """The entry that holds the result."""
    turn: int
    """7 for `u7`; 0 before the first user message."""


def find_runs(path: Path, start: int, end: int, first_turn: int) -> Iterator[ToolRun]:
    """Yield the runs whose results stand in `path[start:end]`, oldest first.

    `first_turn` counts the user messages before `start`. A call may stand before `start`. Calls
    made from inside a tool come before that tool's own run; shell commands of the user are runs of
    `bash`.
    """
    calls: dict[str, tuple[int, ToolCall]] = {}
    for index in range(max(0, start - _LOOK_BACK_ENTRIES), start):
        _note_calls(calls, index, path[index])
    turn = first_turn
    for index in range(start, end):
        entry = path[index]
        if not isinstance(entry, MessageEntry):
            continue
        message = entry.message
        if isinstance(message, UserMessage):
            turn += 1
        elif isinstance(message, AssistantMessage):
            _note_calls(calls, index, entry)
        elif isinstance(message, ToolResultMessage):
            yield from _nested_runs(message, entry.id, turn)
            yield _answered(message, calls, index, entry.id, turn)
        elif isinstance(message, BashExecutionMessage):
            yield ToolRun(
                name="bash",
                arguments={"command": message.command},
                result=message,
                entry_id=entry.id,
                turn=turn,
            )


def _note_calls(calls: dict[str, tuple[int, ToolCall]], index: int, entry: Entry) -> None:
    if not isinstance(entry, MessageEntry) or not isinstance(entry.message, AssistantMessage):
        return
    if not isinstance(entry.message.content, str):
        for block in entry.message.content:
            if isinstance(block, ToolCall):
                calls[block.id] = index, block


def _answered(
    message: ToolResultMessage,
    calls: Mapping[str, tuple[int, ToolCall]],
    index: int,
    entry_id: str,
    turn: int,
) -> ToolRun:
    called_at, call = calls.get(message.tool_call_id, (-1, None))
    is_near = call is not None and index - called_at <= _LOOK_BACK_ENTRIES
    return ToolRun(
        name=call.name if call and is_near else message.tool_name,
        arguments=call.arguments if call and is_near else {},
        result=message,
        entry_id=entry_id,
        turn=turn,
    )


def _nested_runs(message: ToolResultMessage, entry_id: str, turn: int) -> Iterator[ToolRun]:
    for call in message.nested_calls:
        yield ToolRun(
            name=call.name, arguments=call.arguments, result=call, entry_id=entry_id, turn=turn
        )
