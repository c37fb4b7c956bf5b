"""What an entry of a session says, asks a tool for, and prints: read for the harness."""

from collections.abc import Iterator
from dataclasses import dataclass

from longhaul.compaction.printed import RECALL_TOOL
from longhaul.compaction.statements import ASK_TOOLS
from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    CompactionEntry,
    Content,
    CustomMessage,
    Entry,
    JsonValue,
    Message,
    SystemMessage,
    ThinkingBlock,
    ToolCall,
    ToolResultMessage,
    UserMessage,
    content_text,
)
from longhaul.transcript.projection import entry_messages


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryTexts:
    """The texts of one entry, apart by whose they are; summaries of any kind are none."""

    said: tuple[str, ...] = ()
    """Visible words of the user and the assistant; files that came with a message, and the user's
    answers to a tool, included."""
    called: tuple[str, ...] = ()
    """Arguments of tool calls, and commands that the user ran; numbers as JSON writes them."""
    printed: tuple[str, ...] = ()
    """What tools and commands printed."""
    told: tuple[str, ...] = ()
    """What an extension, the system prompt, or Longhaul's own recall told the model."""
    thought: tuple[str, ...] = ()
    """Reasoning."""


def entry_texts(entry: Entry) -> EntryTexts:
    """Return the texts of an entry as the session holds them, edits not applied."""
    if isinstance(entry, CompactionEntry):
        return EntryTexts()
    messages = entry_messages(entry)
    return message_texts(messages[0]) if messages else EntryTexts()


def message_texts(message: Message) -> EntryTexts:
    """Return the texts of one message."""
    match message:
        case UserMessage():
            return EntryTexts(said=_shown(message.content))
        case AssistantMessage():
            return EntryTexts(
                said=_shown(message.content),
                called=tuple(text for call in tool_calls(message) for text in texts_in(call)),
                thought=tuple(_thoughts(message.content)),
            )
        case ToolResultMessage():
            return _result_texts(message)
        case _:
            return _other_texts(message)


def _other_texts(message: Message) -> EntryTexts:
    match message:
        case BashExecutionMessage(exclude_from_context=False):
            return EntryTexts(called=(message.command,), printed=(message.output,))
        case SystemMessage():
            sections = tuple(text for text in message.sections.values() if text)
            return EntryTexts(told=(*_shown(message.content), *sections))
        case CustomMessage():
            return EntryTexts(told=_shown(message.content))
        case _:
            return EntryTexts()


def tool_calls(message: AssistantMessage) -> tuple[ToolCall, ...]:
    """Return the tool calls of a reply, in order."""
    content: Content = message.content
    if isinstance(content, str):
        return ()
    return tuple(block for block in content if isinstance(block, ToolCall))


def texts_in(call: ToolCall) -> Iterator[str]:
    """Yield the texts and numbers anywhere in a call's arguments."""
    return _leaves({**call.arguments})


def _result_texts(message: ToolResultMessage) -> EntryTexts:
    printed = _shown(message.content)
    if message.tool_name == RECALL_TOOL:
        return EntryTexts(told=printed)
    if message.tool_name in ASK_TOOLS:
        return EntryTexts(said=printed)
    nested = (text for call in message.nested_calls for text in _leaves({**call.arguments}))
    return EntryTexts(called=tuple(nested), printed=printed)


def _shown(content: Content) -> tuple[str, ...]:
    text = content_text(content)
    return (text,) if text else ()


def _thoughts(content: Content) -> Iterator[str]:
    for block in content:
        if isinstance(block, ThinkingBlock):
            yield block.thinking


def _leaves(value: JsonValue) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for item in value.values():
                yield from _leaves(item)
        case list():
            for item in value:
                yield from _leaves(item)
        case bool() | None:
            return
        case _:
            yield str(value)
