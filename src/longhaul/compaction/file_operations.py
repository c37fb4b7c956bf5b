"""Which files the tool calls of some messages read, wrote and edited, as pi lists them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from longhaul.transcript.entries import (
    AssistantMessage,
    CompactionEntry,
    JsonValue,
    Message,
    ToolCall,
    ToolResultMessage,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOperations:
    """Paths as the calls gave them, each once, in the order of their first operation."""

    read: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()


def collect_operations(
    messages: Iterable[Message], previous: CompactionEntry | None
) -> FileOperations:
    """Return the file operations of `messages`, added to what a previous compaction carries.

    A compaction that an extension made carries none: its `details` are the extension's own.

    Source: pi 1.6.0, `extractFileOperations`.
    """
    read = dict.fromkeys(_carried_files(previous, "readFiles"))
    written: dict[str, None] = {}
    edited = dict.fromkeys(_carried_files(previous, "modifiedFiles"))
    by_tool = {"read": read, "write": written, "edit": edited}
    for name, arguments in _calls(messages):
        path = arguments.get("path")
        if name in by_tool and isinstance(path, str) and path:
            by_tool[name][path] = None
    return FileOperations(read=tuple(read), written=tuple(written), edited=tuple(edited))


def _carried_files(previous: CompactionEntry | None, field: str) -> list[str]:
    if previous is None or previous.from_hook or previous.details is None:
        return []
    files = previous.details.get(field)
    return [file for file in files if isinstance(file, str)] if isinstance(files, list) else []


def _calls(messages: Iterable[Message]) -> Iterable[tuple[str, Mapping[str, JsonValue]]]:
    """Yield name and arguments of each call, those that a script made inside a tool included."""
    for message in messages:
        match message:
            case ToolResultMessage():
                yield from ((nested.name, nested.arguments) for nested in message.nested_calls)
            case AssistantMessage():
                yield from (
                    (block.name, block.arguments)
                    for block in message.content
                    if isinstance(block, ToolCall)
                )
