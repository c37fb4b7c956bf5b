"""The goal: the message that says what the session builds."""

import re
from collections.abc import Iterable
from itertools import islice

from longhaul.compaction.passages import find_passages, first_passage
from longhaul.compaction.rules.quotations import without_sayings
from longhaul.compaction.rules.sentences import split_sentences
from longhaul.compaction.state import Quote
from longhaul.compaction.statements import Statement, quote_from

GOAL_CHARS = 400
"""Most characters of a goal's quote."""
_OPENING_TURNS = 4
"""Until this turn a message that says what to build replaces one that says no such thing."""

_BUILDS = re.compile(
    r"\b(?:build|write|create|make|implement|develop|port|rewrite|migrate|convert|refactor|design|add"
    r"|set up|turn|need|want|(?:would|(?<=['’])d) (?:like|love)|looking for)\b"
    r"(?!\s+(?:it|this|that|these|those|them)\b)"  # what is built has a name, when it is first said
    r"|\b(?:project|app|tool|script|library|service)\b",
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
_N_PASSAGES = 4
"""How much of a message is looked at, in the user's own words."""


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
    is_opening = statement.turn <= _OPENING_TURNS
    if goal and not is_opening and not _ANOTHER_PROJECT.search(statement.text):
        return False  # most messages: their own words need not be told from pasted ones
    own = " ".join(islice(find_passages(statement.text, GOAL_CHARS), _N_PASSAGES))
    if len(own.split()) < _MIN_WORDS:
        return False
    if goal is None:
        return True
    own = without_sayings(own)  # what it shows in quotation marks may be somebody else's
    if not _BUILDS.search(own):
        return False
    says_more = is_opening and not _BUILDS.search(goal.text)
    return says_more or bool(_ANOTHER_PROJECT.search(own))


def _quote(statement: Statement) -> Quote:
    """Quote the message from its start, or from the sentence that says what to build."""
    text = statement.text
    if len(text) <= GOAL_CHARS:
        return quote_from(statement, first_passage(text, GOAL_CHARS))
    sentences = split_sentences(text)
    building = (at for at, one in enumerate(sentences) if _BUILDS.search(one.text))
    said = sentences[next(building, 0) :]
    return quote_from(statement, next(find_passages(text, GOAL_CHARS, sentences=said)))
