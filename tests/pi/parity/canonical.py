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
    Entry,
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
        "roots": [entry.id for entry in find_roots(session.index)],
        "projection": [[one.entry.id, list(map(describe, one.messages))] for one in shown],
        "tokens": [list(map(estimate_tokens, one.messages)) for one in shown],
        "cuts": [describe_cut(path, keep_recent) for keep_recent in keep],
    }


def describe_cut(path: Path, keep_recent_tokens: int) -> dict[str, object] | None:
    settings = CompactionSettings(reserve_tokens=0, keep_recent_tokens=keep_recent_tokens)
    made = prepare_compaction(path, settings)
    return None if made is None else _describe_preparation(made)


def describe(message: Message) -> list[object]:
    match message:
        case SystemMessage():
            tools = None if message.tools_added is None else list(message.tools_added)
            return ["system", _content(message.content), dict(message.sections), rounded(tools),
                    list(message.tools_removed)]  # fmt: skip
        case UserMessage():
            return ["user", _content(message.content)]
        case AssistantMessage():
            return ["assistant", _content(message.content), message.provider, message.model,
                    message.stop_reason]  # fmt: skip
        case ToolResultMessage():
            nested = [[call.name, rounded(call.arguments)] for call in message.nested_calls]
            return ["toolResult", message.tool_call_id, message.tool_name,
                    _content(message.content), message.is_error, nested]  # fmt: skip
        case BashExecutionMessage():
            return ["bashExecution", message.command, message.output]
        case CustomMessage():
            return ["custom", message.custom_type, _content(message.content)]
        case BranchSummaryMessage():
            return ["branchSummary", message.summary]
        case CompactionSummaryMessage():
            return ["compactionSummary", message.summary]
        case OpaqueMessage():
            return [message.role]


def rounded(value: object) -> object:
    """Return a JSON value with whole numbers as JavaScript holds them; Longhaul keeps all digits."""
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


def ids(entries: Sequence[Entry]) -> list[str]:
    return [entry.id for entry in entries]


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
