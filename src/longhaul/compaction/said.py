"""What the user said, a line each, for what no other section quotes."""

from collections.abc import Iterable, Iterator

from longhaul.compaction.passages import find_passages, first_passage, head_of
from longhaul.compaction.rules.finder import RuleFinder, find_rules
from longhaul.compaction.rules.sentences import split_sentences
from longhaul.compaction.state import Said
from longhaul.compaction.statements import Statement, quote_from
from longhaul.compaction.white_space import fold_space

SAID_CHARS = 200
"""Most characters of a line."""
N_NEWEST = 60
"""The newest lines are kept however little they look like rules."""
N_RULE_SHAPED = 60
"""Of the older ones, the lines that look most like rules."""
_N_PASSAGES = 8
"""Most lines of one message beside those that may be rules."""


def advance_said(
    said: tuple[Said, ...], statements: Iterable[Statement], *, find: RuleFinder = find_rules
) -> tuple[Said, ...]:
    """Return the lines after `statements`: the newest, and before them the most like a rule.

    A short message is one line. Of a long one the lines are the passages that may be rules, and as
    much of the rest of the user's own words as a few lines hold.
    """
    lines = list(said)
    for statement in statements:
        lines.extend(_lines(statement, find))
        while len(lines) > N_NEWEST + N_RULE_SHAPED:
            older = range(len(lines) - N_NEWEST)
            del lines[min(older, key=lambda index: (lines[index].score, index))]
    return tuple(lines)


def _lines(statement: Statement, find: RuleFinder) -> Iterator[Said]:
    text, candidates = statement.text, find(statement.text)
    if len(text) <= SAID_CHARS:
        yield _said(
            statement, fold_space(text), max((found.score for found in candidates), default=0.0)
        )
        return
    others = [
        sentence
        for sentence in split_sentences(text)
        if not any(
            found.start < sentence.end and sentence.start < found.end for found in candidates
        )
    ]
    passages = list(find_passages(text, SAID_CHARS, sentences=others))
    if not passages and not candidates:
        passages = [first_passage(text, SAID_CHARS)]
    for passage in passages[:_N_PASSAGES]:
        yield _said(statement, passage, 0.0)
    for found in candidates:
        yield _said(statement, head_of(fold_space(found.quote), SAID_CHARS), found.score)


def _said(statement: Statement, text: str, score: float) -> Said:
    return Said(quote=quote_from(statement, text), score=round(score, 3))
