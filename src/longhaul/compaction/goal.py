"""The goal: the message that says what the session builds."""

import re
from collections.abc import Iterable

from longhaul.compaction.rules.sentences import split_sentences
from longhaul.compaction.state import Quote
from longhaul.compaction.statements import Statement

GOAL_CHARS = 400
"""Most characters of a goal's quote."""
_OPENING_TURNS = 4
"""Until this turn a message that says what to build replaces one that says no such thing."""

_BUILDS = re.compile(
    r"\b(?:build|write|create|make|implement|develop|port|rewrite|migrate|convert|refactor|design|add"
    r"|set up|turn|need|want|would like|project|app|tool|script|library|service)\b",
    re.IGNORECASE,
)
_ANOTHER_PROJECT = re.compile(
    r"\b(?:new|different|another|next|separate) (?:project|goal|repo|repository|app|tool|product)\b"
    r"|\b(?:scrap|forget|abandon|drop|park|shelve) (?:the|this|that|all) (?:whole )?"
    r"(?:project|thing|idea|app|tool|plan)\b"
    r"|\binstead of (?:this|that|the) (?:project|app|tool)\b",
    re.IGNORECASE,
)
_MIN_WORDS = 4


def advance_goal(goal: Quote | None, statements: Iterable[Statement]) -> Quote | None:
    """Return the goal after the user said `statements`; None while no message gave one.

    The first message of substance gives the goal. An early one that says what to build takes its
    place where the first said no such thing; later only words that set another project do.
    """
    for statement in statements:
        if not statement.is_answer and _gives_goal(goal, statement):
            goal = _quote(statement)
    return goal


def _gives_goal(goal: Quote | None, statement: Statement) -> bool:
    if len(statement.text.split()) < _MIN_WORDS:
        return False
    if goal is None:
        return True
    head = statement.text[: 4 * GOAL_CHARS]
    if not _BUILDS.search(head):
        return False
    is_opening = statement.turn <= _OPENING_TURNS and not _BUILDS.search(goal.text)
    return is_opening or bool(_ANOTHER_PROJECT.search(head))


def _quote(statement: Statement) -> Quote:
    """Quote the message from its start, or from the sentence that says what to build."""
    text = " ".join(statement.text.split())
    if len(text) > GOAL_CHARS:
        text = " ".join(statement.text[_building_start(statement.text) :].split())
    return Quote(entry_id=statement.entry_id, turn=statement.turn, text=head_of(text, GOAL_CHARS))


def _building_start(text: str) -> int:
    sentences = split_sentences(text)
    building = (sentence.start for sentence in sentences if _BUILDS.search(sentence.text))
    first = sentences[0].start if sentences else 0
    return next(building, first)


def head_of(text: str, max_chars: int) -> str:
    """Return the start of folded `text`, at most `max_chars` long, cut at a word where it has any.

    Unlike a clipped text the result has no mark of the cut, so it stays a quote.
    """
    if len(text) <= max_chars:
        return text
    return text[:max_chars].rsplit(" ", 1)[0] if " " in text[:max_chars] else text[:max_chars]
