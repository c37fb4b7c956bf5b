"""What a path shows the model, after compaction and context edits."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from longhaul.transcript.entries import (
    AssistantMessage,
    BranchSummaryEntry,
    BranchSummaryMessage,
    CompactionEntry,
    CompactionSummaryMessage,
    ContextEditEntry,
    CustomMessage,
    CustomMessageEntry,
    Entry,
    Message,
    MessageEntry,
    Path,
    SystemMessage,
    TextBlock,
    ToolResultMessage,
    UserMessage,
)


@dataclass(frozen=True, slots=True)
class Projected:
    """One entry of the context, and the messages that it shows the model: often one, often none."""

    entry: Entry
    messages: tuple[Message, ...]


Projection = tuple[Projected, ...]


def project_path(path: Path) -> Projection:
    """Return the context of a path: its newest compaction first, then what that keeps and after.

    Source: pi 1.6.0, `buildSessionProjection`.
    """
    entries = select_context(path)
    edits = {entry.target_id: entry for entry in entries if isinstance(entry, ContextEditEntry)}
    shown = [Projected(entry, edited_messages(entry, edits)) for entry in entries]
    # An older compaction inside the kept range shows nothing: the newest one speaks for it.
    return tuple(
        Projected(one.entry, ()) if index and isinstance(one.entry, CompactionEntry) else one
        for index, one in enumerate(shown)
    )


def select_context(path: Path) -> Path:
    """Return the entries that take part in the context, the newest compaction first.

    Of what that compaction keeps, system messages are left out: its own stands for them. All of
    the path where it was never compacted.
    """
    for index in range(len(path) - 1, -1, -1):
        newest = path[index]
        if isinstance(newest, CompactionEntry):
            start = find_kept_index(path, index, newest.first_kept_entry_id)
            kept = path[index if start is None else start : index]
            shown = (entry for entry in kept if not _is_system(entry))
            return (newest, *shown, *path[index + 1 :])
    return path


def find_kept_index(path: Path, end: int, entry_id: str) -> int | None:
    """Return where what a compaction at `end` keeps begins: the first entry before it so named.

    None where there is none, as for a compaction that names itself and keeps nothing.

    Source: pi 1.6.0, `buildContextEntries`.
    """
    return next((index for index in range(end) if path[index].id == entry_id), None)


def first_indices(path: Path) -> dict[str, int]:
    """Return by id the first entry that has it: `find_kept_index` for many compactions at once."""
    return {path[index].id: index for index in range(len(path) - 1, -1, -1)}


def entry_messages(entry: Entry) -> tuple[Message, ...]:
    """Return the messages that an entry stands for before any edit."""
    match entry:
        case MessageEntry():
            return (entry.message,)
        case CustomMessageEntry():
            return (CustomMessage(entry.custom_type, entry.content),)
        case BranchSummaryEntry():
            return (BranchSummaryMessage(entry.summary),) if entry.summary else ()
        case CompactionEntry():
            summary = CompactionSummaryMessage(entry.summary)
            return (entry.system_message, summary) if entry.system_message else (summary,)
        case _:
            return ()


def edited_messages(entry: Entry, edits: Mapping[str, ContextEditEntry]) -> tuple[Message, ...]:
    """Return the messages that an entry shows under the newest edit of it, if `edits` has one."""
    messages = entry_messages(entry)
    edit = edits.get(entry.id)
    if edit is None:
        return messages
    return (
        tuple(_edited(message, edit) for message in messages)
        if edit.replacement is not None
        else ()
    )


def _edited(message: Message, edit: ContextEditEntry) -> Message:
    content = edit.replacement
    assert content is not None
    match message:
        case AssistantMessage() | ToolResultMessage():
            blocks = (TextBlock(content),) if isinstance(content, str) else content
            return replace(message, content=blocks)
        case UserMessage() | CustomMessage():
            return replace(message, content=content)
        case _:
            return message


def _is_system(entry: Entry) -> bool:
    return isinstance(entry, MessageEntry) and isinstance(entry.message, SystemMessage)
