"""The clauses of a message that have a form of withdrawal, with what stands around them."""

# ruff: noqa: RUF001 - marks of any script

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from longhaul.compaction.rules.lift_forms import has_trigger
from longhaul.compaction.rules.sentences import Sentence, split_sentences

_MAX_SENTENCE_CHARS = 1500
"""Nobody withdraws a rule within a longer sentence; such text is data."""
_MAX_SENTENCES = 200
"""How many sentences of a message are looked at; of more, the first and the last half of these."""
_LEAD_CHARS = 200
_MARK_CHARS = 8
_MARK = re.compile(r"(?<!\w)\(?(?:\d|[a-h])[.)]\s*\Z")
_GOES_ON = re.compile(
    r"(?:is|are|was|can|may|goes|no longer|doesn't|needn't|and|still)\b", re.IGNORECASE
)
_CLAUSE_END = re.compile(
    r"[,;:]\s+|(?<!\d)(?<![(\s][a-h])[)–—、，；：]|\((?!\w\))|\s-\s|\.\.+"
    r"|\s(?=(?:but|so|and (?:you|we|I))\s)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A clause that may withdraw a rule, and what stands around it."""

    clause: str
    lead: str
    """What its sentence says before it."""
    tail: str
    """The clause after it."""
    sentence: str
    around: tuple[str, str]
    """The sentences before and after; empty where there is none."""
    message_chars: int


def find_places(text: str, is_wanted: Callable[[str], bool] | None = None) -> Iterator[Place]:
    """Yield the clauses of what the user says in `text` that have a form of withdrawal.

    Only those in sentences that `is_wanted` holds of, where it is given.
    """
    sentences = split_sentences(text)
    if len(sentences) > _MAX_SENTENCES:
        sentences = (*sentences[: _MAX_SENTENCES // 2], *sentences[-_MAX_SENTENCES // 2 :])
    texts = ["", *(_with_mark(text, sentence) for sentence in sentences), ""]
    for before, sentence, after in zip(texts, texts[1:], texts[2:], strict=False):
        if not sentence or len(sentence) > _MAX_SENTENCE_CHARS:
            continue
        wanted = is_wanted is None or is_wanted(sentence)
        if wanted and has_trigger(sentence):
            for lead, clause, tail in _clauses(sentence):
                yield Place(
                    clause=clause,
                    lead=lead,
                    tail=tail,
                    sentence=sentence,
                    around=(before, after),
                    message_chars=len(text),
                )


def _with_mark(text: str, sentence: Sentence) -> str:
    """Return a sentence, with the mark before it where that is its subject: "(2) is off"."""
    if not _GOES_ON.match(sentence.text):
        return sentence.text
    mark = _MARK.search(text, max(0, sentence.start - _MARK_CHARS), sentence.start)
    return text[mark.start() : sentence.end] if mark else sentence.text


def _clauses(sentence: str) -> Iterator[tuple[str, str, str]]:
    """Yield each clause with a trigger, after what leads to it and before the next clause.

    The whole sentence where only all of it together has a trigger.
    """
    clauses = [*(clause for clause in _CLAUSE_END.split(sentence) if clause.strip()), ""]
    lead, found = "", False
    for clause, tail in pairwise(clauses):
        if has_trigger(clause):
            found = True
            yield lead, clause, tail
        lead = f"{lead}{clause}, "[-_LEAD_CHARS:]
    if not found:
        yield "", sentence, ""
