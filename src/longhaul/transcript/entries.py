"""Session entries, messages and content blocks of a pi transcript, as parsed data.

Everything here is immutable. What a newer pi adds is kept as an `Opaque…` variant, so that the tree
stays whole. Source: pi 1.6.0, `docs/session-format.md` and `docs/message-types.md`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Visible text of a message."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingBlock:
    """Reasoning of an assistant message."""

    thinking: str


@dataclass(frozen=True, slots=True)
class ImageBlock:
    """An image; its data is not kept."""

    mime_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool call in an assistant message."""

    id: str
    name: str
    arguments: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class OpaqueBlock:
    """A content block of a kind that pi 1.6.0 does not know, or a tool call of another shape."""

    kind: str
    chars: int = 0
    """What pi counts for it in an assistant message, in UTF-16 units; see `tokens`."""


Block: TypeAlias = TextBlock | ThinkingBlock | ImageBlock | ToolCall | OpaqueBlock
Content: TypeAlias = str | tuple[Block, ...]


def content_text(content: Content) -> str:
    """Return the text of a message's content, its blocks joined by newlines."""
    if isinstance(content, str):
        return content
    return "\n".join([block.text for block in content if isinstance(block, TextBlock)])


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemMessage:
    """Prompt sections and tool declarations, or a patch of them."""

    content: Content
    sections: Mapping[str, str | None]
    """Prompt sections by name; None removes one."""
    tools_added: tuple[Mapping[str, JsonValue], ...] | None
    """None where the message has no such list: pi counts an empty one as two characters."""
    tools_removed: tuple[str, ...]
    """Names of the tools that this message takes away."""
    timestamp_ms: float | None = None


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What reached the model as the user's words; `<skill>` and `<file>` blocks included."""

    content: Content


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantMessage:
    """One reply of the model."""

    content: Content
    provider: str = ""
    model: str = ""
    stop_reason: str = ""
    """`stop`, `length`, `toolUse`, `error`, `aborted`, …, as pi wrote it."""
    context_tokens: float = 0
    """What `usage` says the context held, as pi adds it up; 0 where there is no usable usage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NestedCall:
    """A tool call made from inside another tool."""

    name: str
    arguments: Mapping[str, JsonValue]
    status: str = "ok"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResultMessage:
    """What a tool answered."""

    tool_call_id: str
    tool_name: str
    content: Content
    is_error: bool = False
    details: Mapping[str, JsonValue] | None = None
    """Tool-specific data, kept for the ask-the-user tools; None where the tool gave none."""
    nested_calls: tuple[NestedCall, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BashExecutionMessage:
    """A shell command that the user ran directly (`!command`)."""

    command: str
    output: str
    exit_code: int | None = None
    cancelled: bool = False
    exclude_from_context: bool = False


@dataclass(frozen=True, slots=True)
class CustomMessage:
    """A message that an extension put into the context."""

    custom_type: str
    content: Content


@dataclass(frozen=True, slots=True)
class BranchSummaryMessage:
    """The summary of a branch that the session came back from."""

    summary: str


@dataclass(frozen=True, slots=True)
class CompactionSummaryMessage:
    """The text that stands for what a compaction closed."""

    summary: str


@dataclass(frozen=True, slots=True)
class OpaqueMessage:
    """A message of a role that pi 1.6.0 does not know."""

    role: str


Message: TypeAlias = (
    SystemMessage
    | UserMessage
    | AssistantMessage
    | ToolResultMessage
    | BashExecutionMessage
    | CustomMessage
    | BranchSummaryMessage
    | CompactionSummaryMessage
    | OpaqueMessage
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryBase:
    """What every entry of the tree has."""

    id: str
    parent_id: str | None
    timestamp: str = ""
    """ISO 8601, as written; not checked."""
    line: int = 0
    """Line in the session file, from 1; 0 for an entry that comes from no file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageEntry(EntryBase):
    """A message of the conversation."""

    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionEntry(EntryBase):
    """A compaction: the text, and where the kept window begins."""

    summary: str
    first_kept_entry_id: str
    """The entry's own id where nothing before it is kept."""
    tokens_before: float
    """Tokens of the context before, as pi estimated them."""
    system_message: SystemMessage | None = None
    details: Mapping[str, JsonValue] | None = None
    """What the compactor that wrote it kept; opaque here."""
    from_hook: bool = False
    """True when an extension made it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextEditEntry(EntryBase):
    """An edit of what one earlier entry shows the model."""

    target_id: str
    replacement: Content | None
    """New content of the target; None leaves the target out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchSummaryEntry(EntryBase):
    """What `/tree` wrote about the branch it left."""

    summary: str
    from_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomMessageEntry(EntryBase):
    """An extension's message that takes part in the context."""

    custom_type: str
    content: Content


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomEntry(EntryBase):
    """An extension's own data; never in the context."""

    custom_type: str
    data: JsonValue = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChangeEntry(EntryBase):
    """The user chose another model."""

    provider: str
    model_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpaqueEntry(EntryBase):
    """An entry with no part in context or state: labels, names, usage, and unknown types."""

    type: str


Entry: TypeAlias = (
    MessageEntry
    | CompactionEntry
    | ContextEditEntry
    | BranchSummaryEntry
    | CustomMessageEntry
    | CustomEntry
    | ModelChangeEntry
    | OpaqueEntry
)
Path: TypeAlias = tuple[Entry, ...]
