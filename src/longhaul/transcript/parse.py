"""Decoded lines of a session file -> entries."""

from collections.abc import Callable, Mapping
from typing import TypedDict

from longhaul.errors import TranscriptError
from longhaul.transcript.blocks import parse_content
from longhaul.transcript.entries import (
    BranchSummaryEntry,
    CompactionEntry,
    ContextEditEntry,
    CustomEntry,
    CustomMessageEntry,
    Entry,
    JsonValue,
    MessageEntry,
    ModelChangeEntry,
    OpaqueEntry,
    SystemMessage,
)
from longhaul.transcript.json_units import number_text
from longhaul.transcript.messages import parse_message, parse_system_message
from longhaul.transcript.shapes import ShapeError, is_truthy, number_or_zero, text_or_empty

Record = Mapping[str, JsonValue]


def parse_entry(record: Record, *, where: str, line: int) -> Entry:
    """Return the entry that one decoded line records; one of an unknown type is kept opaque.

    `where` names the file and `line` counts from 1, both for errors. The record must be of format
    version 3; older ones are migrated first. Image data is dropped.

    Raises:
        TranscriptError: a field that counts is missing or of another type; the message names it.

    Source: pi 1.6.0, `docs/session-format.md`.
    """
    kind = record.get("type")
    parse = _BY_TYPE.get(kind) if isinstance(kind, str) else None
    try:
        return (parse or parse_opaque_entry)(record, line)
    except ShapeError as error:
        raise TranscriptError(f"{where}:{line} {error}") from None


def parse_opaque_entry(record: Record, line: int) -> OpaqueEntry:
    """Return only the place in the tree of an entry; what stands for one that cannot be parsed."""
    return OpaqueEntry(
        **_place(record, line),
        type=text_or_empty(record.get("type")),
    )


def parse_id(value: JsonValue, line: int) -> str:
    """Return the key under which pi finds an entry; empty where nothing finds it.

    pi never checks ids: a number or `true` is a key of its own, which no string equals; an object
    or a list is equal to nothing but itself, so that its line can stand for it.
    """
    if isinstance(value, str):
        return value
    if not is_truthy(value):
        return ""
    if isinstance(value, (list, dict)):
        return f"\0line {line}"
    return "\0true" if value is True else f"\0{number_text(float(value or 0))}"


class _Place(TypedDict):
    """What every entry has."""

    id: str
    parent_id: str | None
    timestamp: str
    line: int


def _place(record: Record, line: int) -> _Place:
    return {
        "id": parse_id(record.get("id"), line),
        "parent_id": parse_id(record.get("parentId"), line) or None,
        "timestamp": text_or_empty(record.get("timestamp")),
        "line": line,
    }


def _parse_message_entry(record: Record, line: int) -> MessageEntry:
    message = record.get("message")
    if not isinstance(message, dict):
        raise ShapeError("message", "object", message)
    try:
        parsed = parse_message(message)
    except ShapeError as error:
        raise error.within("message") from None
    return MessageEntry(  # without `_place`: nearly every line comes through here
        id=parse_id(record.get("id"), line),
        parent_id=parse_id(record.get("parentId"), line) or None,
        timestamp=text_or_empty(record.get("timestamp")),
        line=line,
        message=parsed,
    )


def _parse_compaction(record: Record, line: int) -> CompactionEntry:
    details = record.get("details")
    return CompactionEntry(
        **_place(record, line),
        summary=text_or_empty(record.get("summary")),
        first_kept_entry_id=parse_id(record.get("firstKeptEntryId"), line),
        tokens_before=number_or_zero(record.get("tokensBefore")),
        system_message=_parse_checkpoint(record.get("systemMessage")),
        details=details if isinstance(details, dict) else None,
        from_hook=is_truthy(record.get("fromHook")),
    )


def _parse_checkpoint(value: JsonValue) -> SystemMessage | None:
    """Return a compaction's system message; None for a damaged one: it must not cost the rest."""
    try:
        return parse_system_message(value) if isinstance(value, dict) else None
    except ShapeError:
        return None


def _parse_context_edit(record: Record, line: int) -> ContextEditEntry:
    replacement = record.get("replacement", "")
    if replacement is not None and not isinstance(replacement, dict):
        raise ShapeError("replacement", "object or null", replacement)
    try:
        content = None if replacement is None else parse_content(replacement.get("content"))
    except ShapeError as error:
        raise error.within("replacement") from None
    return ContextEditEntry(
        **_place(record, line),
        target_id=parse_id(record.get("targetId"), line),
        replacement=content,
    )


def _parse_branch_summary(record: Record, line: int) -> BranchSummaryEntry:
    summary = record.get("summary")
    if is_truthy(summary) and not isinstance(summary, str):
        raise ShapeError("summary", "str", summary)
    return BranchSummaryEntry(
        **_place(record, line),
        summary=text_or_empty(summary),
        from_id=parse_id(record.get("fromId"), line) or None,
    )


def _parse_custom_message(record: Record, line: int) -> CustomMessageEntry:
    content = record.get("content")
    return CustomMessageEntry(
        **_place(record, line),
        custom_type=text_or_empty(record.get("customType")),
        content=() if content is None else parse_content(content),
    )


def _parse_custom(record: Record, line: int) -> CustomEntry:
    return CustomEntry(
        **_place(record, line),
        custom_type=text_or_empty(record.get("customType")),
        data=record.get("data"),
    )


def _parse_model_change(record: Record, line: int) -> ModelChangeEntry:
    return ModelChangeEntry(
        **_place(record, line),
        provider=text_or_empty(record.get("provider")),
        model_id=text_or_empty(record.get("modelId")),
    )


_BY_TYPE: Mapping[str, Callable[[Record, int], Entry]] = {
    "message": _parse_message_entry,
    "compaction": _parse_compaction,
    "context_edit": _parse_context_edit,
    "branch_summary": _parse_branch_summary,
    "custom_message": _parse_custom_message,
    "custom": _parse_custom,
    "model_change": _parse_model_change,
}
