"""What the user and the assistant wrote: in messages, in tool calls, in answers."""

import re
from itertools import accumulate, islice
from typing import NamedTuple

from longhaul.compaction.secrets import mask_secrets
from longhaul.compaction.statements import find_answers, typed_text
from longhaul.compaction.values.search import find_token
from longhaul.compaction.values.tokens import Mention, find_mentions
from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    JsonValue,
    Message,
    MessageEntry,
    Path,
    ToolCall,
    ToolResultMessage,
    UserMessage,
    content_text,
)

_MAX_SAID_CHARS = 20_000
_MAX_ARGUMENT_CHARS = 2_000
_MAX_ARGUMENT_DEPTH = 3
_MAX_MENTIONS = 60
"""More mentions of one text are not looked at."""
_WRITING_TOOLS = frozenset(("write", "edit"))
_STATED_ENTRIES = 150
"""So many entries before an output are searched for what was said before it."""
_STATED_SMALL_ENTRIES = 40
"""The same for small numbers, which stand in much that is said."""
_BLOCK_ENTRIES = 25
_HAS_DIGIT = re.compile(r"[0-9]").search


class Saying(NamedTuple):
    """A text that the user or the assistant wrote; a tuple, as there are very many."""

    text: str
    is_code: bool = False
    """True for what a file is written with."""


def find_sayings(message: Message, ask_tools: tuple[str, ...]) -> list[Saying]:
    """Return what user or assistant wrote in a message, as far as it holds a digit.

    Thinking is not written to anybody; what the user kept from the model was not said to it.
    """
    sayings = [Saying(text) for text in _texts(message, ask_tools) if _HAS_DIGIT(text)]
    if isinstance(message, AssistantMessage):
        for block in message.content:
            if isinstance(block, ToolCall):
                sayings += _arguments(block)
    return sayings


def _texts(message: Message, ask_tools: tuple[str, ...]) -> list[str]:
    if isinstance(message, AssistantMessage):
        return [content_text(message.content)[:_MAX_SAID_CHARS]]
    if isinstance(message, UserMessage):
        return [typed_text(content_text(message.content))[:_MAX_SAID_CHARS]]
    if isinstance(message, ToolResultMessage) and message.tool_name in ask_tools:
        return [answer[:_MAX_SAID_CHARS] for answer in find_answers(message)]
    if isinstance(message, BashExecutionMessage) and not message.exclude_from_context:
        return [message.command[:_MAX_ARGUMENT_CHARS]]
    return []


def _arguments(call: ToolCall) -> list[Saying]:
    is_code = call.name in _WRITING_TOOLS
    texts: list[str] = []
    for value in call.arguments.values():
        _gather_texts(value, _MAX_ARGUMENT_DEPTH, texts)
    clipped = (text[:_MAX_ARGUMENT_CHARS] for text in texts)
    return [Saying(text, is_code) for text in clipped if _HAS_DIGIT(text)]


def _gather_texts(value: JsonValue, depth: int, texts: list[str]) -> None:
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, list | dict) and depth:
        for part in value.values() if isinstance(value, dict) else value:
            _gather_texts(part, depth - 1, texts)


def _mentions(text: str, *, is_code: bool) -> list[Mention]:
    """Return the values that a text mentions; most mention none, so those are not masked first."""
    found = list(islice(find_mentions(text, is_code=is_code), _MAX_MENTIONS))
    masked = mask_secrets(text) if found else text
    if masked == text:
        return found
    return list(islice(find_mentions(masked, is_code=is_code), _MAX_MENTIONS))


class Sayings:
    """What was said in a path, read when it is asked for."""

    def __init__(self, path: Path, ask_tools: tuple[str, ...]) -> None:
        """Read `path`, where `ask_tools` bring answers of the user."""
        self._path, self._ask_tools = path, ask_tools
        self._said: dict[int, list[Saying]] = {}
        self._mentions: dict[int, list[Mention]] = {}
        self._blocks: dict[int, tuple[str, list[int]]] = {}
        """What some entries say, and where in it each begins, and the last ends."""

    def mentions(self, index: int) -> list[Mention]:
        """Return the values that the entry at `index` mentions, in order; secrets are none."""
        mentions = self._mentions.get(index)
        if mentions is None:
            mentions = self._mentions[index] = []
            for text, is_code in self._at(index):
                mentions += _mentions(text, is_code=is_code)
        return mentions

    def _at(self, index: int) -> list[Saying]:
        said = self._said.get(index)
        if said is None:
            entry, said = self._path[index], []
            if isinstance(entry, MessageEntry):
                said = find_sayings(entry.message, self._ask_tools)
            self._said[index] = said
        return said

    def hold(self, mention: Mention, *, before: int) -> bool:
        """Return whether one of the entries shortly `before` an index mentions the same."""
        first = max(0, before - (_STATED_SMALL_ENTRIES if mention.neighbours else _STATED_ENTRIES))
        for number in range(before // _BLOCK_ENTRIES, first // _BLOCK_ENTRIES - 1, -1):
            text, starts = self._block(number)
            block_first = number * _BLOCK_ENTRIES
            start = starts[max(first - block_first, 0)]
            end = starts[min(before - block_first, len(starts) - 1)]
            if find_token(text, mention, start, end) is not None:
                return True
        return False

    def _block(self, number: int) -> tuple[str, list[int]]:
        block = self._blocks.get(number)
        if block is None:
            first = number * _BLOCK_ENTRIES
            end = min(first + _BLOCK_ENTRIES, len(self._path))
            texts = ["".join(f"{said.text}\n" for said in self._at(i)) for i in range(first, end)]
            starts = list(accumulate(map(len, texts), initial=0))
            block = self._blocks[number] = "".join(texts), starts
        return block
