"""How many tokens pi thinks a message or a context holds: characters divided by four, rounded up.

Characters are UTF-16 units. Source: pi 1.6.0, `estimateTokens`, `estimateProjectedContextTokens`
and `getCurrentSystemMessage`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    BranchSummaryMessage,
    CompactionEntry,
    CompactionSummaryMessage,
    Content,
    ContextEditEntry,
    CustomMessage,
    Entry,
    ImageBlock,
    JsonValue,
    Message,
    OpaqueBlock,
    OpaqueEntry,
    Path,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolResultMessage,
    UserMessage,
    content_text,
)
from longhaul.transcript.json_units import json_units, utf16_units
from longhaul.transcript.projection import Projection

IMAGE_CHARS = 4800
"""What an image counts for, whatever its size."""

INVALIDATING_TYPES = ("context_edit", "compaction")


@dataclass(frozen=True, slots=True)
class _Usage:
    index: int
    tokens: float


def estimate_tokens(message: Message) -> int:
    """Return the tokens of one message; 0 for a role that pi does not know."""
    return -(-_message_chars(message) // 4)


def estimate_context_tokens(projection: Projection, path: Path) -> float:
    """Return the tokens of a context: the newest reply's usage plus an estimate of what follows.

    Usage from before the newest compaction or edit of the path says nothing about the context now;
    without any, everything is estimated, the system messages as the one that they add up to.
    """
    last = _find_usage(projection)
    if last is not None and _is_newest(path, projection[last.index].entry):
        trailing = (message for one in projection[last.index + 1 :] for message in one.messages)
        return last.tokens + sum(map(estimate_tokens, trailing))
    messages = [message for one in projection for message in one.messages]
    system = current_system_message(m for m in messages if isinstance(m, SystemMessage))
    rest = sum(estimate_tokens(m) for m in messages if not isinstance(m, SystemMessage))
    return rest + (estimate_tokens(system) if system else 0)


def current_system_message(messages: Iterable[SystemMessage]) -> SystemMessage | None:
    """Return the one system message that replaying `messages` gives; None where they say nothing.

    Contents follow each other, sections are patched by name, tools removed and added by name.
    """
    texts: list[str] = []
    sections: dict[str, str | None] = {}
    tools: dict[JsonValue, Mapping[str, JsonValue]] = {}
    timestamp_ms: float | None = None
    for message in messages:
        timestamp_ms = message.timestamp_ms if timestamp_ms is None else timestamp_ms
        texts.append(content_text(message.content))
        _patch_sections(sections, message)
        _patch_tools(tools, message)
    if timestamp_ms is None and not tools:
        return None
    return SystemMessage(
        content="\n\n".join(text for text in texts if text),
        sections=sections,
        tools_added=tuple(tools.values()) or None,
        tools_removed=(),
        timestamp_ms=timestamp_ms or 0,
    )


def _patch_sections(sections: dict[str, str | None], message: SystemMessage) -> None:
    for name, text in message.sections.items():
        if text is None:
            sections.pop(name, None)
        else:
            sections[name] = text


def _patch_tools(tools: dict[JsonValue, Mapping[str, JsonValue]], message: SystemMessage) -> None:
    for name in message.tools_removed:
        tools.pop(name, None)
    for tool in message.tools_added or ():
        tools[tool["name"]] = tool


def _find_usage(projection: Projection) -> _Usage | None:
    """Return where the newest usable usage of a context stands, and what it says."""
    for index in range(len(projection) - 1, -1, -1):
        for message in projection[index].messages:
            if isinstance(message, AssistantMessage) and _has_usage(message):
                return _Usage(index, message.context_tokens)
    return None


def _has_usage(message: AssistantMessage) -> bool:
    return message.context_tokens > 0 and message.stop_reason not in {"aborted", "error"}


def _is_newest(path: Path, entry: Entry) -> bool:
    """Return whether `entry` stands on the path after every edit and compaction."""
    for other in reversed(path):
        if other.id == entry.id:
            return True
        if isinstance(other, (ContextEditEntry, CompactionEntry)) or (
            isinstance(other, OpaqueEntry) and other.type in INVALIDATING_TYPES
        ):
            return False
    return False


def _message_chars(message: Message) -> int:
    match message:
        case AssistantMessage():
            return _reply_chars(message.content)
        case UserMessage() | ToolResultMessage() | CustomMessage():
            return _content_chars(message.content)
        case BashExecutionMessage():
            return utf16_units(message.command) + utf16_units(message.output)
        case BranchSummaryMessage() | CompactionSummaryMessage():
            return utf16_units(message.summary)
        case SystemMessage():
            return _system_chars(message)
    return 0


def _content_chars(content: Content) -> int:
    if isinstance(content, str):
        return utf16_units(content)
    chars = 0
    for block in content:
        if isinstance(block, TextBlock):
            chars += utf16_units(block.text)
        elif isinstance(block, ImageBlock):
            chars += IMAGE_CHARS
    return chars


def _reply_chars(content: Content) -> int:
    """Return the characters of a reply; a reply that is a bare string counts nothing in pi."""
    chars = 0
    for block in content if isinstance(content, tuple) else ():
        match block:
            case TextBlock():
                chars += utf16_units(block.text)
            case ThinkingBlock():
                chars += utf16_units(block.thinking)
            case ToolCall():
                chars += utf16_units(block.name) + json_units(dict(block.arguments))
            case OpaqueBlock():
                chars += block.chars
    return chars


def _system_chars(message: SystemMessage) -> int:
    chars = _content_chars(message.content)
    chars += sum(utf16_units(text) for text in message.sections.values() if text)
    if message.tools_added is not None:
        chars += json_units([dict(tool) for tool in message.tools_added])
    return chars
