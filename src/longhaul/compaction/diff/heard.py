"""What was said and printed before a cut, by the names that a diff uses for it."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from longhaul.compaction.printed import printed_text
from longhaul.compaction.state import Quote, State
from longhaul.compaction.statements import Statement, count_turns, find_statements, with_turns
from longhaul.compaction.white_space import fold_space
from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    ContextEditEntry,
    Message,
    MessageEntry,
    Path,
    ToolResultMessage,
    UserMessage,
    content_text,
)

_NAME = re.compile(r"([ur])([1-9][0-9]{0,8})")
_SHOWN_CHARS = 60_000
"""How much of a turn is looked through for where words that the user did not type come from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What a tool printed."""

    entry_id: str
    turn: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A path up to a cut, as items of a diff name its parts."""

    state: State
    path: Path
    end: int
    ask_tools: tuple[str, ...]
    statements: tuple[Statement, ...]
    """What the user typed, oldest first; without messages that were edited later."""
    by_turn: Mapping[int, tuple[Statement, ...]]
    n_turns: int
    first_turn: int
    """The turn in which the span begins."""
    order: Mapping[str, int]
    """By entry id, which of the statements' entries it is, oldest first."""
    shown: Mapping[int, str]
    """All that stands in the turns that matter, whoever wrote it; of each the beginning."""


def hear(
    path: Path,
    state: State,
    *,
    start: int,
    end: int,
    ask_tools: tuple[str, ...],
    turns: Collection[int],
) -> Heard:
    """Return what `path[:end]` holds; `state` is its state, `turns` are those that items quote.

    The span begins at `path[start]`.
    """
    edited = {one.target_id for one in path[:end] if isinstance(one, ContextEditEntry)}
    typed = find_statements(path, 0, end, n_turns=0, ask_tools=ask_tools)
    statements = tuple(one for one in typed if one.entry_id not in edited)
    by_turn: dict[int, list[Statement]] = defaultdict(list)
    for statement in statements:
        by_turn[statement.turn].append(statement)
    return Heard(
        state=state,
        path=path,
        end=end,
        ask_tools=ask_tools,
        statements=statements,
        by_turn={turn: tuple(said) for turn, said in by_turn.items()},
        n_turns=count_turns(path, 0, end),
        first_turn=count_turns(path, 0, start) + 1,
        order={one.entry_id: place for place, one in enumerate(statements)},
        shown=_shown(path[:end], turns),
    )


def turn_of(name: str) -> int | None:
    """Return 7 for `u7`; None for anything else."""
    return _number(name, "u")


def rule_number_of(name: str) -> int | None:
    """Return 3 for `r3`; None for anything else."""
    return _number(name, "r")


def _number(name: str, letter: str) -> int | None:
    found = _NAME.fullmatch(name.strip().lower())
    return int(found[2]) if found and found[1] == letter else None


def comes_before(heard: Heard, earlier: Quote, later: Statement) -> bool:
    """Return whether an entry that is quoted stands before the entry of a statement."""
    order = heard.order
    return order.get(earlier.entry_id, len(order)) < order[later.entry_id]


def find_outputs(heard: Heard) -> Iterator[Output]:
    """Yield what tools printed, oldest first; what the user answered a tool is no output."""
    for entry, turn in with_turns(heard.path[: heard.end]):
        if isinstance(entry, MessageEntry):
            text = printed_text(entry.message, heard.ask_tools)
            if text:
                yield Output(entry_id=entry.id, turn=turn, text=text)


def is_shown(heard: Heard, turn: int, words: str) -> bool:
    """Return whether words stand in a turn, whoever wrote them there."""
    return fold_space(words) in fold_space(heard.shown.get(turn, ""))


def _shown(path: Path, turns: Collection[int]) -> dict[int, str]:
    shown: dict[int, list[str]] = defaultdict(list)
    left = dict.fromkeys(turns, _SHOWN_CHARS)
    for entry, turn in with_turns(path if turns else ()):
        if isinstance(entry, MessageEntry) and left.get(turn, 0) > 0:
            text = _any_text(entry.message)[: left[turn]]
            shown[turn].append(text)
            left[turn] -= len(text)
    return {turn: "\n".join(texts) for turn, texts in shown.items()}


def _any_text(message: Message) -> str:
    if isinstance(message, UserMessage | AssistantMessage | ToolResultMessage):
        return content_text(message.content)
    return message.output if isinstance(message, BashExecutionMessage) else ""
