"""The clauses of a message that have a form of withdrawal, with what stands around them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from longhaul.compaction.rules.lift_forms import has_trigger
from longhaul.compaction.rules.sentences import split_sentences

_MAX_SENTENCE_CHARS = 1500
"""Nobody withdraws a rule within a longer sentence; such text is data."""
_LEAD_CHARS = 200
_CLAUSE_END = re.compile(r"[,;:]\s+|[()–—、，；：]|\s-\s|\.\.+|\s(?=(?:but|so|and (?:you|we|I))\s)")


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


def find_places(text: str) -> Iterator[Place]:
    """Yield the clauses of what the user says in `text` that have a form of withdrawal."""
    texts = ["", *(sentence.text for sentence in split_sentences(text)), ""]
    for before, sentence, after in zip(texts, texts[1:], texts[2:], strict=False):
        if sentence and len(sentence) <= _MAX_SENTENCE_CHARS and has_trigger(sentence):
            for lead, clause, tail in _clauses(sentence):
                yield Place(
                    clause=clause,
                    lead=lead,
                    tail=tail,
                    sentence=sentence,
                    around=(before, after),
                    message_chars=len(text),
                )


def _clauses(sentence: str) -> Iterator[tuple[str, str, str]]:
    """Yield each clause with a trigger, after what leads to it and before the next clause.

    The whole sentence where only all of it together has a trigger.
    """
    clauses = [*(clause for clause in _CLAUSE_END.split(sentence) if clause.strip()), ""]
    lead, found = "", False
    for clause, tail in zip(clauses, clauses[1:], strict=False):
        if has_trigger(clause):
            found = True
            yield lead, clause, tail
        lead = f"{lead}{clause}, "[-_LEAD_CHARS:]
    if not found:
        yield "", sentence, ""
