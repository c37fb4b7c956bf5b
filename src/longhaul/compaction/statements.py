"""What the user typed: the only source of goals, objectives, rules and lifts."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from longhaul.compaction.secrets import mask_secrets
from longhaul.compaction.state import Quote
from longhaul.transcript.entries import (
    Entry,
    JsonValue,
    MessageEntry,
    Path,
    ToolResultMessage,
    UserMessage,
    content_text,
)

ASK_TOOLS = ("question", "questionnaire")
"""Tools of pi's examples by which a user answers; a user's settings may name more."""

_SKILL_OPENING = '<skill name="'
_SKILL_CLOSING = "\n</skill>"
_FILE_OPENING = '<file name="'
_FILE_CLOSING = "</file>"
_ANSWER_PREFIX = re.compile(r"User (?:wrote|selected): (?:\d+\. )?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Words of the user: a message without the blocks pi puts into it, or an answer to a tool."""

    entry_id: str
    turn: int
    """7 for `u7`; an answer belongs to the turn in which it was given."""
    text: str
    """As typed, but with secrets masked."""
    is_answer: bool = False
    """True for an answer to an ask-the-user tool."""


def quote_from(statement: Statement, text: str) -> Quote:
    """Return `text`, words of a statement, bound to where they stand."""
    return Quote(entry_id=statement.entry_id, turn=statement.turn, text=text)


def find_statements(
    path: Path,
    start: int,
    end: int,
    *,
    n_turns: int,
    ask_tools: tuple[str, ...] = ASK_TOOLS,
    only: Collection[str] | None = None,
) -> Iterator[Statement]:
    """Yield what the user typed in `path[start:end]`, oldest first.

    `n_turns` counts the user messages before `start`. A message that holds nothing typed gives no
    statement, but is a turn. Answers come only from tools named in `ask_tools`. Where `only` is
    given, statements of other entries than those are passed over.

    Secrets are masked in each whole message, so that none is cut in two before it is seen. To quote
    the user verbatim means here: to quote the message with its secrets masked.
    """
    for entry, turn in with_turns(path[start:end], n_turns):
        if isinstance(entry, MessageEntry) and (only is None or entry.id in only):
            yield from _statements(entry, turn, ask_tools)


def _statements(entry: MessageEntry, turn: int, ask_tools: tuple[str, ...]) -> Iterator[Statement]:
    message = entry.message
    if isinstance(message, UserMessage):
        typed = typed_text(content_text(message.content))
        if typed.strip():
            yield Statement(entry_id=entry.id, turn=turn, text=mask_secrets(typed))
    elif isinstance(message, ToolResultMessage) and message.tool_name in ask_tools:
        for answer in find_answers(message):
            masked = mask_secrets(answer)
            yield Statement(entry_id=entry.id, turn=turn, text=masked, is_answer=True)


def count_turns(path: Path, start: int, end: int) -> int:
    """Return the number of user messages in `path[start:end]`."""
    return sum(map(_begins_turn, path[start:end]))


def with_turns(entries: Iterable[Entry], n_turns: int = 0) -> Iterator[tuple[Entry, int]]:
    """Yield each entry with its turn, 7 for `u7`; `n_turns` user messages stand before them.

    An entry before the first user message of a path has turn 0.
    """
    turn = n_turns
    for entry in entries:
        turn += _begins_turn(entry)
        yield entry, turn


def _begins_turn(entry: Entry) -> bool:
    return isinstance(entry, MessageEntry) and isinstance(entry.message, UserMessage)


def typed_text(text: str) -> str:
    """Return a user message without the blocks that pi put into it.

    pi writes a `<skill>` block only at the very start, and `<file>` blocks before the user's words.
    What such a block holds, its name included, is untrusted and may hold any tag, so a block
    reaches to the last closing tag of its kind; one at the start that never closes reaches to the
    end. What stands before a `<file>` block came through a pipe and counts only where nothing
    follows. The result is one piece of `text`, so that a quote of it is a quote of the message.
    """
    return _without_files(_without_skill(text))


def _without_skill(text: str) -> str:
    if not text.startswith(_SKILL_OPENING):
        return text
    closing = text.rfind(_SKILL_CLOSING)
    return "" if closing < 0 else text[closing + len(_SKILL_CLOSING) :]


def _without_files(text: str) -> str:
    opening, closing = text.find(_FILE_OPENING), text.rfind(_FILE_CLOSING)
    if opening < 0 or (closing < opening and opening > 0):
        return text
    after = "" if closing < opening else text[closing + len(_FILE_CLOSING) :]
    return after if after.strip() else text[:opening]


def find_answers(result: ToolResultMessage) -> tuple[str, ...]:
    """Return the user's answers in the result of an ask-the-user tool, verbatim.

    Only words that stand in the result's text count. A cancelled or failed question gives none.
    Source: pi 1.6.0, `examples/extensions/question.ts` and `questionnaire.ts`.
    """
    if result.is_error:
        return ()
    text = content_text(result.content)
    if result.details is None:
        return _answers_without_details(result.tool_name, text)
    answers = _answers_in_details(result.details)
    return tuple(answer for answer in answers if answer.strip() and answer in text)


def _answers_without_details(tool_name: str, text: str) -> tuple[str, ...]:
    if tool_name not in ASK_TOOLS:
        return (text,) if text.strip() else ()
    prefix = _ANSWER_PREFIX.match(text)
    return (text[prefix.end() :],) if prefix else ()


def _answers_in_details(details: Mapping[str, JsonValue]) -> list[str]:
    answer = details.get("answer")
    if isinstance(answer, str):
        return [answer]
    answers = details.get("answers")
    if not isinstance(answers, list):
        return []
    labels = [item.get("label") for item in answers if isinstance(item, dict)]
    return [label for label in labels if isinstance(label, str)]
