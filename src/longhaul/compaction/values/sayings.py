"""What the user and the assistant wrote: in messages, in tool calls, in answers."""

from collections.abc import Iterator

from longhaul.compaction.statements import find_answers, text_of, typed_text
from longhaul.compaction.values.tokens import Mention
from longhaul.compaction.values.window import Output, digits_of
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
)

_MAX_SAID_CHARS = 20_000
_MAX_ARGUMENT_CHARS = 2_000
_WRITING_TOOLS = frozenset(("write", "edit"))
_STATED_ENTRIES = 150
"""So many entries before an output are searched for what was said before it."""
_STATED_SMALL_ENTRIES = 40
"""The same for small numbers, which stand in much that is said."""
_BLOCK_ENTRIES = 25
_MAX_BLOCKS = 100


def find_sayings(message: Message, ask_tools: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """Yield what user or assistant wrote in a message, and whether it is a file's content.

    Thinking is not written to anybody; what the user kept from the model was not said to it.
    """
    match message:
        case UserMessage(content=content):
            yield typed_text(text_of(content))[:_MAX_SAID_CHARS], False
        case AssistantMessage(content=content):
            yield text_of(content)[:_MAX_SAID_CHARS], False
            for block in content if isinstance(content, tuple) else ():
                if isinstance(block, ToolCall):
                    yield from _arguments(block)
        case BashExecutionMessage(exclude_from_context=False, command=command):
            yield command[:_MAX_ARGUMENT_CHARS], False
        case ToolResultMessage(tool_name=name) if name in ask_tools:
            for answer in find_answers(message):
                yield answer[:_MAX_SAID_CHARS], False
        case _:
            return


def _arguments(call: ToolCall) -> Iterator[tuple[str, bool]]:
    is_code = call.name in _WRITING_TOOLS
    for value in call.arguments.values():
        for text in (value,) if isinstance(value, str) else _texts_in(value, 3):
            yield text[:_MAX_ARGUMENT_CHARS], is_code


def _texts_in(value: JsonValue, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict) and depth:
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(part, depth - 1)


class Sayings:
    """What was said in a path, searched for a mention as an output is."""

    def __init__(self, path: Path, ask_tools: tuple[str, ...]) -> None:
        """Search in `path`, where `ask_tools` bring answers of the user."""
        self._path, self._ask_tools = path, ask_tools
        self._blocks: dict[int, tuple[bytes, tuple[Output, ...]]] = {}
        """Some entries each, with the digits of all of them."""
        self._said: dict[int, tuple[tuple[str, bool], ...]] = {}

    def at(self, index: int) -> tuple[tuple[str, bool], ...]:
        """Return what the entry at `index` says, see `find_sayings`."""
        said = self._said.get(index)
        if said is None:
            entry = self._path[index]
            message = entry.message if isinstance(entry, MessageEntry) else None
            said = tuple(find_sayings(message, self._ask_tools)) if message else ()
            self._said[index] = said
            self._said.pop(index - _MAX_BLOCKS * _BLOCK_ENTRIES, None)
        return said

    def hold(self, mention: Mention, *, before: int) -> bool:
        """Return whether one of the entries shortly `before` an index mentions the same."""
        digits = digits_of(mention.core)
        reach = _STATED_SMALL_ENTRIES if mention.neighbours else _STATED_ENTRIES
        first = max(0, before - reach)
        blocks = map(self._block, range(first // _BLOCK_ENTRIES, before // _BLOCK_ENTRIES + 1))
        return any(
            first <= said.index < before
            and digits in said.digits
            and said.find(mention) is not None
            for block_digits, block in blocks
            if digits in block_digits
            for said in block
        )

    def _block(self, number: int) -> tuple[bytes, tuple[Output, ...]]:
        block = self._blocks.get(number)
        if block is None:
            start = number * _BLOCK_ENTRIES
            end = min(start + _BLOCK_ENTRIES, len(self._path))
            said = tuple(self._output(index) for index in range(start, end))
            block = self._blocks[number] = b" ".join(part.digits for part in said), said
            self._blocks.pop(number - _MAX_BLOCKS, None)
        return block

    def _output(self, index: int) -> Output:
        text = "\n".join(text for text, _ in self.at(index))
        return Output(index, self._path[index].id, 0, text)
