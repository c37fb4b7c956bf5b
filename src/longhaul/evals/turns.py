"""The turns of a path, `u1` on: where each lies, and what was said, called and printed in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from longhaul.compaction.statements import with_turns
from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    CompactionEntry,
    Content,
    Entry,
    JsonValue,
    Message,
    MessageEntry,
    Path,
    SystemMessage,
    ToolCall,
    ToolResultMessage,
    UserMessage,
    content_text,
)
from longhaul.transcript.projection import entry_messages


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One user message and the work that it starts: `path[start:end]`, without what trails it."""

    number: int
    """7 for `u7`."""
    start: int
    """The user message."""
    end: int
    """Behind the last entry of it that shows a model something; a compaction after its last word
    and a change of model are no part of it."""
    line: int
    """The user message's line in the session file."""
    text: str
    """The user message, as the session holds it."""


@dataclass(frozen=True, slots=True)
class TurnTexts:
    """What one turn holds beside the user message."""

    said: tuple[str, ...]
    """Visible text of the assistant."""
    printed: tuple[str, ...]
    """Output of tools, and of commands that the user ran."""
    called: tuple[str, ...]
    """Texts anywhere in the arguments of tool calls."""


def find_turns(path: Path) -> tuple[Turn, ...]:
    """Return the turns of a path in order: the n-th is `u<n>`, as everywhere in the package."""
    numbered = (
        (turn, index, entry) for index, (entry, turn) in enumerate(with_turns(path)) if turn
    )
    grouped = groupby(numbered, key=itemgetter(0))
    return tuple(
        _turn(number, [(at, entry) for _, at, entry in group]) for number, group in grouped
    )


def _turn(number: int, places: list[tuple[int, Entry]]) -> Turn:
    start, first = places[0]
    return Turn(
        number=number,
        start=start,
        end=max(index for index, entry in places if _is_conversation(entry)) + 1,
        line=first.line,
        text="".join(
            content_text(message.content)
            for message in entry_messages(first)
            if isinstance(message, UserMessage)
        ),
    )


def _is_conversation(entry: Entry) -> bool:
    return not isinstance(entry, CompactionEntry) and any(
        not isinstance(message, SystemMessage) for message in entry_messages(entry)
    )


def turn_texts(path: Path, turn: Turn) -> TurnTexts:
    """Return what was said, printed and called in a turn; reasoning is no part of it."""
    messages = [
        entry.message for entry in path[turn.start : turn.end] if isinstance(entry, MessageEntry)
    ]
    return TurnTexts(
        said=tuple(
            content_text(one.content) for one in messages if isinstance(one, AssistantMessage)
        ),
        printed=tuple(text for one in messages for text in _printed(one)),
        called=tuple(text for one in messages for text in _called(one)),
    )


def _printed(message: Message) -> Iterator[str]:
    if isinstance(message, ToolResultMessage):
        yield content_text(message.content)
    elif isinstance(message, BashExecutionMessage):
        yield message.output


def _called(message: Message) -> Iterator[str]:
    content: Content = message.content if isinstance(message, AssistantMessage) else ""
    for block in content:
        if isinstance(block, ToolCall):
            yield from _texts({**block.arguments})


def _texts(value: JsonValue) -> Iterator[str]:
    """Yield the texts inside a value, numbers as JSON writes them."""
    match value:
        case str():
            yield value
        case dict():
            for item in value.values():
                yield from _texts(item)
        case list():
            for item in value:
                yield from _texts(item)
        case bool() | None:
            return
        case _:
            yield str(value)
