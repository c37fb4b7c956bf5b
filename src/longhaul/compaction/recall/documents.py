"""What a session holds that can be searched: each entry's texts, apart by what they are."""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from longhaul.compaction.printed import RECALL_TOOL
from longhaul.compaction.statements import ASK_TOOLS, find_answers, typed_text
from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    BranchSummaryEntry,
    BranchSummaryMessage,
    CompactionEntry,
    CompactionSummaryMessage,
    Content,
    ContextEditEntry,
    CustomMessage,
    CustomMessageEntry,
    Entry,
    JsonValue,
    Message,
    MessageEntry,
    NestedCall,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolResultMessage,
    UserMessage,
    content_text,
)

Kind = Literal[
    "user",
    "answer",
    "attached",
    "assistant",
    "thinking",
    "command",
    "call",
    "output",
    "note",
    "summary",
    "system",
]
"""Whose words a text is. `answer` is the user's to an asking tool, `attached` what came with a
user's message (files, skills), `command` a shell's, `note` what an extension put there."""


SHORT_CHARS = 500
"""A longer text holds many words, and so the words of a query more often by chance."""
_LONG_PENALTY = 0.5
"""How much less such a text weighs."""
_KIND_WEIGHTS: dict[Kind, float] = {
    "user": 2.0,
    "answer": 2.0,
    "assistant": 1.6,
    "command": 1.3,
    "call": 1.0,
    "output": 1.0,
    "note": 0.8,
    "attached": 0.8,
    "thinking": 0.4,
    "summary": 0.2,
    "system": 0.0,
}
"""What the user said answers most questions; what a tool printed proves the rest."""

Part: TypeAlias = tuple[Kind, str, str]
"""One searchable text of an entry: its kind, the text, and the tool of a call, a command or an
output, or the type of a note. A plain tuple: a long session has a hundred thousand of them."""


class Corpus:
    """The texts of a session's entries in file order; a document is the number of one of them."""

    def __init__(self, ask_tools: tuple[str, ...] = ASK_TOOLS) -> None:
        """Start empty; `ask_tools` are the tools whose outputs hold the user's own words."""
        self._ask_tools = ask_tools
        self.texts: list[str] = []
        """By document; secrets stand in them until `replace` takes them out."""
        self.kinds: list[Kind] = []
        self.tools: list[str] = []
        self.weights: list[float] = []
        """How much a document is worth beside another that holds the same words."""
        self.entries: list[Entry] = []
        """The entry of each document."""
        self._spans: dict[int, range] = {}
        """The documents of each entry, by its line in the session file."""

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.texts)

    def add(self, entries: Iterable[Entry]) -> None:
        """Add the texts of further entries."""
        texts, weights = self.texts, self.weights
        for entry in entries:
            first = len(texts)
            for kind, text, tool in entry_parts(entry, self._ask_tools):
                texts.append(text)
                weight = _KIND_WEIGHTS[kind]
                weights.append(weight if len(text) < SHORT_CHARS else weight - _LONG_PENALTY)
                self.kinds.append(kind)
                self.tools.append(tool)
                self.entries.append(entry)
            self._spans[entry.line] = range(first, len(texts))

    def replace(self, document: int, text: str) -> None:
        """Put `text`, the masked one, in place of a document's own."""
        self.texts[document] = text

    def documents_of(self, entry: Entry) -> range:
        """Return the documents of an entry, in its order."""
        return self._spans[entry.line]


def entry_parts(entry: Entry, ask_tools: tuple[str, ...] = ASK_TOOLS) -> Iterable[Part]:
    """Return the texts of an entry that are not empty, in its order."""
    match entry:
        case MessageEntry():
            return _message_parts(entry.message, ask_tools)
        case CompactionEntry():
            system = _system_parts(entry.system_message) if entry.system_message else ()
            return [*_parts("summary", entry.summary), *system]
        case BranchSummaryEntry():
            return _parts("summary", entry.summary)
        case CustomMessageEntry():
            return _parts("note", content_text(entry.content), entry.custom_type)
        case ContextEditEntry() if entry.replacement is not None:
            return _parts("note", content_text(entry.replacement), "context edit")
        case _:
            return ()


def _message_parts(message: Message, ask_tools: tuple[str, ...]) -> Iterable[Part]:
    match message:
        case ToolResultMessage():
            return _result_parts(message, ask_tools)
        case AssistantMessage():
            return _reply_parts(message.content)
        case UserMessage():
            return _user_parts(content_text(message.content))
        case _:
            return _other_parts(message)


def _other_parts(message: Message) -> Iterable[Part]:
    match message:
        case BashExecutionMessage():
            command = _parts("command", message.command, "bash")
            return [*command, *_parts("output", message.output, "bash")]
        case CustomMessage():
            return _parts("note", content_text(message.content), message.custom_type)
        case BranchSummaryMessage() | CompactionSummaryMessage():
            return _parts("summary", message.summary)
        case SystemMessage():
            return _system_parts(message)
        case _:
            return ()


def _parts(kind: Kind, text: str, tool: str = "") -> tuple[Part, ...]:
    return ((kind, text, tool),) if text else ()


def _user_parts(text: str) -> tuple[Part, ...]:
    typed = typed_text(text)
    if typed == text:
        return _parts("user", text)
    return (*_parts("user", typed), ("attached", text, ""))


def _reply_parts(content: Content) -> list[Part]:
    if isinstance(content, str):
        return [*_parts("assistant", content)]
    parts: list[Part] = []
    for block in content:
        match block:
            case ToolCall() if block.name != RECALL_TOOL:
                parts.append(_call_part(block))
            case TextBlock() if block.text:
                parts.append(("assistant", block.text, ""))
            case ThinkingBlock() if block.thinking:
                parts.append(("thinking", block.thinking, ""))
            case _:
                pass
    return parts


def _result_parts(message: ToolResultMessage, ask_tools: tuple[str, ...]) -> list[Part]:
    tool = message.tool_name
    if tool == RECALL_TOOL:
        return []
    text = content_text(message.content)
    parts: list[Part] = [("output", text, tool)] if text else []
    if tool in ask_tools:
        parts += [("answer", answer, tool) for answer in find_answers(message)]
    if message.nested_calls:
        parts += map(_call_part, message.nested_calls)
    return parts


def _call_part(call: ToolCall | NestedCall) -> Part:
    """Return what a call asks for, each argument on lines of its own."""
    lines: list[str] = []
    for name, value in call.arguments.items():
        if isinstance(value, str):
            lines.append(value)
        else:
            _add_lines(lines, name, value)
    kind: Kind = "command" if "command" in call.arguments else "call"
    return kind, "\n".join(lines) or call.name, call.name


def _add_lines(lines: list[str], name: str, value: JsonValue) -> None:
    """Add an argument; of other values than texts the name says what they are."""
    if isinstance(value, str):
        lines.append(value)
    elif isinstance(value, dict):
        for inner, item in value.items():
            _add_lines(lines, inner, item)
    elif isinstance(value, list):
        for item in value:
            _add_lines(lines, name, item)
    elif value is not None:
        lines.append(f"{name}={value}")


def _system_parts(message: SystemMessage) -> list[Part]:
    sections = [text for text in message.sections.values() if text]
    texts = [content_text(message.content), *sections]
    return [("system", text, "") for text in texts if text]
