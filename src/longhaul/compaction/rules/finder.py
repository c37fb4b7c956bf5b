"""The standing rules in a message, and what else in it is worth carrying in the user's words."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from longhaul.compaction.rules.model_data import DATA
from longhaul.compaction.rules.scorer import (
    Model,
    odds_to_probability,
    parse_model,
    read_message,
    score_sentences,
)
from longhaul.compaction.rules.sentences import Sentence, split_sentences

_MAX_QUOTE_CHARS = 300
_MAX_SENTENCES = 400
"""How many sentences of a message are scored; of more, the first and the last half of these."""
_MAX_UNSURE = 3
_FRAGMENT_WORDS = 4
_JOINED_ODDS = 1.0
"""How far below a sure sibling's log odds a sentence may lie that only completes one."""
_MANY_SENTENCES = 12
_MORE_ODDS = 1.0
"""Log odds more that a rule needs for each doubling of the sentences past that many: a long message
is mostly a document, and has more chances to go wrong."""
_GOES_ON = frozenset(
    ("it", "its", "it's", "they", "their", "that", "that's", "these", "those", "this", "same")
)
"""Words with which a sentence goes on about the subject of the one before."""

_SHORT_WORDS = 16
_POINTS_BACK = _GOES_ON | {
    "also",
    "for",
    "applies",
    "always",
    "everywhere",
    "and",
    "holds",
    "every",
}
_POINTS_BACK_AT_END = re.compile(
    r"\b(?:that way|like that|like this|as well|too|so)[.!]?\Z", re.IGNORECASE
)

_MODEL = parse_model(DATA)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCandidate:
    """Words of a message that may give a standing rule: `quote` is `message[start:end]`."""

    quote: str
    start: int
    end: int
    score: float
    """How much it looks like a rule, 0 to 1."""
    sure: bool
    """Whether it looks enough like one to stand among the rules."""


RuleFinder: TypeAlias = Callable[[str], tuple[RuleCandidate, ...]]
"""`find_rules`, or the same with a memory of what it was asked."""


def find_rules(text: str) -> tuple[RuleCandidate, ...]:
    """Return what in `text` gives a rule, by place, then its likeliest other sentences, best first.

    A candidate is a sentence, or neighbours on one subject, of at most 300 characters. The sure
    ones are rules; at most three others follow. A message of pasted text alone gives none.
    """
    sentences = _scored_part(split_sentences(text))
    scores = score_sentences(read_message(text, sentences), _MODEL)
    runs = list(_runs(sentences, scores, _MODEL))
    taken = {index for run in runs for index in run}
    rest = sorted((i for i in range(len(sentences)) if i not in taken), key=lambda i: -scores[i])
    return (
        *(_candidate(text, sentences, scores, run, sure=True) for run in runs),
        *(_candidate(text, sentences, scores, (i,), sure=False) for i in rest[:_MAX_UNSURE]),
    )


@lru_cache(maxsize=16)
def score_sentences_of(text: str) -> tuple[tuple[Sentence, float], ...]:
    """Return the sentences of what the user says in `text`, each with its score.

    The score is how much it looks like a rule, from 0 to 1, as a candidate's. Of more than 400
    sentences the middle ones are left out.
    """
    sentences = _scored_part(split_sentences(text))
    scores = score_sentences(read_message(text, sentences), _MODEL)
    return tuple(zip(sentences, map(odds_to_probability, scores), strict=True))


def _scored_part(sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    if len(sentences) <= _MAX_SENTENCES:
        return sentences
    half = _MAX_SENTENCES // 2
    return (*sentences[:half], *sentences[-half:])


def _runs(
    sentences: Sequence[Sentence], scores: Sequence[float], model: Model
) -> Iterator[tuple[int, ...]]:
    """Yield the indices of each rule's sentences: a sure one, and those that complete it."""
    more = _MORE_ODDS * math.log2(max(1.0, len(sentences) / _MANY_SENTENCES))
    found = max(scores, default=model.bias) > model.sure + more
    least = more + (model.sibling if found else model.sure)
    at = done = 0
    while at < len(sentences):
        end = at + 1
        if scores[at] > least:
            completing = model.sibling + more - _JOINED_ODDS
            while end < len(sentences) and scores[end] > completing:
                if not _goes_on(sentences[at], sentences[end - 1], sentences[end]):
                    break
                end += 1
            first = at - 1 if at > done and _points_back(sentences, at) else at
            yield tuple(range(first, end))
            done = end
        at = end


def _goes_on(first: Sentence, previous: Sentence, following: Sentence) -> bool:
    """Return whether `following` is about the subject of the sentence before it."""
    words = following.text.split(maxsplit=_FRAGMENT_WORDS)
    near = following.paragraph == previous.paragraph and not following.list_item
    short = len(words) < _FRAGMENT_WORDS or words[0].lower().rstrip(",:") in _GOES_ON
    asks = following.text.endswith(("?", "？"))  # noqa: RUF001 - a question in Chinese or Japanese
    return near and short and not asks and following.end - first.start <= _MAX_QUOTE_CHARS


def _points_back(sentences: Sequence[Sentence], at: int) -> bool:
    """Return whether a sentence only says for what the one before it holds."""
    previous, sentence = sentences[at - 1], sentences[at]
    words = sentence.text.lower().split()
    together = previous.paragraph == sentence.paragraph and not sentence.list_item
    points = words[0].rstrip(",:") in _POINTS_BACK or _POINTS_BACK_AT_END.search(sentence.text)
    fits = sentence.end - previous.start <= _MAX_QUOTE_CHARS
    return together and bool(points) and len(words) <= _SHORT_WORDS and fits


def _candidate(
    text: str,
    sentences: Sequence[Sentence],
    scores: Sequence[float],
    run: Sequence[int],
    *,
    sure: bool,
) -> RuleCandidate:
    start, end = sentences[run[0]].start, sentences[run[-1]].end
    end = _clipped(text, start, end)
    score = odds_to_probability(max(scores[index] for index in run))
    return RuleCandidate(quote=text[start:end], start=start, end=end, score=score, sure=sure)


def _clipped(text: str, start: int, end: int) -> int:
    """Return where a quote ends that may not be longer than 300 characters."""
    if end - start <= _MAX_QUOTE_CHARS:
        return end
    limit = start + _MAX_QUOTE_CHARS
    space = max(text.rfind(" ", start + 1, limit), text.rfind("\n", start + 1, limit))
    return space if space > start else limit
