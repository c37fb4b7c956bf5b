"""What Longhaul reads from a session, in the form in which the oracle answers."""

from collections.abc import Mapping, Sequence

from longhaul.compaction.cut import CompactionSettings, Preparation, prepare_compaction
from longhaul.pi.sessions import Session, path_to
from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    Block,
    BranchSummaryMessage,
    CompactionSummaryMessage,
    Content,
    CustomMessage,
    ImageBlock,
    JsonValue,
    Message,
    OpaqueBlock,
    OpaqueMessage,
    Path,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)
from longhaul.transcript.projection import project_path
from longhaul.transcript.tokens import estimate_tokens
from longhaul.transcript.tree import find_roots

EXACT = 2**53

ROLES: Mapping[type[Message], str] = {
    SystemMessage: "system",
    UserMessage: "user",
    AssistantMessage: "assistant",
    ToolResultMessage: "toolResult",
    BashExecutionMessage: "bashExecution",
    CustomMessage: "custom",
    BranchSummaryMessage: "branchSummary",
    CompactionSummaryMessage: "compactionSummary",
}


def describe_session(
    session: Session, keep: Sequence[int], leaf: str | None = None
) -> dict[str, object]:
    """Return everything that is compared of a session, for several kept windows, in tokens."""
    path = path_to(session, session.leaf_id if leaf is None else leaf)
    shown = project_path(path)
    return {
        "id": session.header.id,
        "entries": [[entry.id, entry.parent_id or ""] for entry in session.entries],
        "leaf": session.leaf_id or "",
        "path": [entry.id for entry in path],
        "roots": [entry.id for entry in find_roots(session.index)] if has_roots(session) else None,
        "projection": [[one.entry.id, list(map(describe, one.messages))] for one in shown],
        "tokens": [list(map(estimate_tokens, one.messages)) for one in shown],
        "cuts": [describe_cut(path, keep_recent) for keep_recent in keep],
    }


def has_roots(session: Session) -> bool:
    """Return whether pi can be asked for its tree: with an id twice it may go round for ever."""
    return len(session.index) == len(session.entries)


def describe_cut(path: Path, keep_recent_tokens: int) -> dict[str, object] | None:
    settings = CompactionSettings(reserve_tokens=0, keep_recent_tokens=keep_recent_tokens)
    made = prepare_compaction(path, settings)
    return None if made is None else _describe_preparation(made)


def describe(message: Message) -> list[object]:
    """Return a message as `[role, field, …]`."""
    role = message.role if isinstance(message, OpaqueMessage) else ROLES[type(message)]
    return [role, *_fields(message)]


def _fields(message: Message) -> list[object]:
    match message:
        case SystemMessage():
            tools = None if message.tools_added is None else list(message.tools_added)
            fields = [_content(message.content), dict(message.sections), rounded(tools)]
            return [*fields, list(message.tools_removed)]
        case AssistantMessage():
            fields = [_content(message.content), message.provider, message.model]
            return [*fields, message.stop_reason]
        case ToolResultMessage():
            nested = [[call.name, rounded(call.arguments)] for call in message.nested_calls]
            fields = [message.tool_call_id, message.tool_name, _content(message.content)]
            return [*fields, message.is_error, nested]
        case _:
            return _plain_fields(message)


def _plain_fields(message: Message) -> list[object]:
    match message:
        case UserMessage():
            return [_content(message.content)]
        case BashExecutionMessage():
            return [message.command, message.output]
        case CustomMessage():
            return [message.custom_type, _content(message.content)]
        case BranchSummaryMessage() | CompactionSummaryMessage():
            return [message.summary]
        case _:
            return []


def rounded(value: object) -> object:
    """Return a JSON value with whole numbers as JavaScript holds them; ours keep all digits."""
    match value:
        case bool():
            return value
        case int():
            return value if abs(value) <= EXACT else float(value)
        case list():
            return [rounded(item) for item in value]
        case Mapping():
            return {key: rounded(item) for key, item in value.items()}
        case _:
            return value


def _describe_preparation(made: Preparation) -> dict[str, object]:
    files = made.file_operations
    return {
        "firstKept": made.first_kept_entry_id,
        "history": list(map(describe, made.messages_to_summarize)),
        "prefix": list(map(describe, made.turn_prefix_messages)),
        "isSplitTurn": made.is_split_turn,
        "tokensBefore": made.tokens_before,
        "previousSummary": made.previous_summary,
        "fileOps": {
            "read": list(files.read),
            "written": list(files.written),
            "edited": list(files.edited),
        },
    }


def _content(content: Content) -> object:
    return content if isinstance(content, str) else [_block(block) for block in content]


def _block(block: Block) -> list[object]:
    match block:
        case TextBlock():
            return ["text", block.text]
        case ThinkingBlock():
            return ["thinking", block.thinking]
        case ImageBlock():
            return ["image", block.mime_type]
        case ToolCall():
            arguments: JsonValue = dict(block.arguments)
            return ["call", block.id, block.name, rounded(arguments)]
        case OpaqueBlock():
            return ["opaque", block.kind]
