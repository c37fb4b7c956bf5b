"""Builders of entries, so that a case is a few lines: `path(user("..."), assistant("..."))`.

What a builder leaves open (ids, parents, timestamps, lines, ids of tool calls) `path` fills in.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    Block,
    BranchSummaryEntry,
    CompactionEntry,
    Content,
    ContextEditEntry,
    CustomEntry,
    CustomMessageEntry,
    Entry,
    JsonValue,
    MessageEntry,
    ModelChangeEntry,
    OpaqueEntry,
    Path,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)

OPEN_CALL = "open:"
"""What the id of a call begins with until `path` numbers it."""


def user(content: str | Sequence[Block], *, id: str = "") -> MessageEntry:  # noqa: A002 - pi's word
    return MessageEntry(id=id, parent_id=None, message=UserMessage(_content(content)))


def call(tool: str, *, call_id: str | None = None, **arguments: JsonValue) -> ToolCall:
    """Return a call of `tool`; give `call_id` only where a test looks at it."""
    open_id = OPEN_CALL + tool + repr(sorted(arguments.items()))
    return ToolCall(id=call_id or open_id, name=tool, arguments=arguments)


def assistant(
    text: str = "",
    calls: Iterable[ToolCall] = (),
    *,
    thinking: str = "",
    stop_reason: str = "",
    context_tokens: float = 0,
    id: str = "",  # noqa: A002 - pi's word
) -> MessageEntry:
    """Return a reply: thinking, text and calls in this order, each only where given."""
    blocks: list[Block] = [ThinkingBlock(thinking)] if thinking else []
    blocks += [TextBlock(text)] if text else []
    blocks += list(calls)
    stopped = "toolUse" if any(isinstance(block, ToolCall) for block in blocks) else "stop"
    message = AssistantMessage(
        content=tuple(blocks),
        provider="scripted",
        model="scripted-1",
        stop_reason=stop_reason or stopped,
        context_tokens=context_tokens,
    )
    return MessageEntry(id=id, parent_id=None, message=message)


def result(
    answered: ToolCall | str,
    text: str | Sequence[Block] = "",
    *,
    is_error: bool = False,
    tool: str = "",
    details: Mapping[str, JsonValue] | None = None,
    id: str = "",  # noqa: A002 - pi's word
) -> MessageEntry:
    """Return what a tool answered to a call, or to the id of one (then name the `tool`)."""
    message = ToolResultMessage(
        tool_call_id=answered if isinstance(answered, str) else answered.id,
        tool_name=tool if isinstance(answered, str) else answered.name,
        content=(TextBlock(text),) if isinstance(text, str) else tuple(text),
        is_error=is_error,
        details=details,
    )
    return MessageEntry(id=id, parent_id=None, message=message)


def ran(command: str, output: str = "", *, exit_code: int | None = 0) -> MessageEntry:
    """Return a shell command that the user ran directly."""
    message = BashExecutionMessage(command=command, output=output, exit_code=exit_code)
    return MessageEntry(id="", parent_id=None, message=message)


def system(
    content: str = "",
    sections: Mapping[str, str | None] | None = None,
    tools_added: Iterable[Mapping[str, JsonValue]] | None = None,
    tools_removed: Iterable[str] = (),
) -> SystemMessage:
    """Return a system message, as a compaction carries it; `message_entry` makes an entry of it."""
    return SystemMessage(
        content=content,
        sections=sections or {},
        tools_added=None if tools_added is None else tuple(tools_added),
        tools_removed=tuple(tools_removed),
        timestamp_ms=1,
    )


def compaction(
    summary: str = "summary",
    first_kept: str = "",
    *,
    tokens_before: float = 0,
    details: Mapping[str, JsonValue] | None = None,
    from_hook: bool = False,
    system_message: SystemMessage | None = None,
) -> CompactionEntry:
    """Return a compaction; `first_kept` is an id such as `e3`, empty to keep nothing before it."""
    return CompactionEntry(
        id="",
        parent_id=None,
        summary=summary,
        first_kept_entry_id=first_kept,
        tokens_before=tokens_before,
        system_message=system_message,
        details=details,
        from_hook=from_hook,
    )


def context_edit(target: str, replacement: Content | None = None) -> ContextEditEntry:
    """Return an edit of the entry with id `target`; without a replacement it leaves it out."""
    return ContextEditEntry(id="", parent_id=None, target_id=target, replacement=replacement)


def branch_summary(summary: str, from_id: str | None = None) -> BranchSummaryEntry:
    return BranchSummaryEntry(id="", parent_id=None, summary=summary, from_id=from_id)


def custom_message(content: str | Sequence[Block], custom_type: str = "note") -> CustomMessageEntry:
    return CustomMessageEntry(
        id="", parent_id=None, custom_type=custom_type, content=_content(content)
    )


def custom(custom_type: str, data: JsonValue = None) -> CustomEntry:
    return CustomEntry(id="", parent_id=None, custom_type=custom_type, data=data)


def model_change(provider: str = "scripted", model_id: str = "scripted-1") -> ModelChangeEntry:
    return ModelChangeEntry(id="", parent_id=None, provider=provider, model_id=model_id)


def opaque(type: str = "label") -> OpaqueEntry:  # noqa: A002 - pi's word
    return OpaqueEntry(id="", parent_id=None, type=type)


def message_entry(message: SystemMessage) -> MessageEntry:
    return MessageEntry(id="", parent_id=None, message=message)


def path(*entries: Entry) -> Path:
    """Return `entries` as the path of a session: linked, numbered `e1`, `e2`, …, one a second.

    Calls without an id of their own become `c1`, `c2`, …; a result belongs to the newest call
    before it that it was built from.
    """
    return tuple(_linked(_numbered(entries)))


def _content(content: str | Sequence[Block]) -> Content:
    return content if isinstance(content, str) else tuple(content)


def _linked(entries: Iterable[Entry]) -> Iterator[Entry]:
    parent_id: str | None = None
    for number, entry in enumerate(entries, 1):
        entry_id = entry.id or f"e{number}"
        linked: Entry = replace(
            entry,
            id=entry_id,
            parent_id=parent_id,
            timestamp=entry.timestamp or _clock(number),
            line=number + 1,
        )
        if isinstance(linked, CompactionEntry) and not linked.first_kept_entry_id:
            linked = replace(linked, first_kept_entry_id=entry_id)
        yield linked
        parent_id = entry_id


def _clock(second: int) -> str:
    return f"2026-01-01T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.000Z"


def _numbered(entries: Iterable[Entry]) -> Iterator[Entry]:
    newest: dict[str, str] = {}
    numbers = count(1)
    for entry in entries:
        match entry:
            case MessageEntry(message=AssistantMessage(content=tuple() as blocks) as message):
                named = tuple(_named(block, newest, numbers) for block in blocks)
                yield replace(entry, message=replace(message, content=named))
            case MessageEntry(message=ToolResultMessage(tool_call_id=open_id) as message):
                answered = newest.get(open_id, open_id)
                yield replace(entry, message=replace(message, tool_call_id=answered))
            case _:
                yield entry


def _named(block: Block, newest: dict[str, str], numbers: Iterator[int]) -> Block:
    if not isinstance(block, ToolCall) or not block.id.startswith(OPEN_CALL):
        return block
    newest[block.id] = f"c{next(numbers)}"
    return replace(block, id=newest[block.id])
