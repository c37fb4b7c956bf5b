"""The order of hits, best first; what is said again and again is one of them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from longhaul.compaction.recall.documents import SHORT_CHARS, Corpus
from longhaul.compaction.recall.passage import find_passage
from longhaul.compaction.recall.query import Query

_WORDS_WEIGHT, _CLOSENESS_WEIGHT = 10.0, 3.0
"""What holding all words of a query counts, and that they stand in one line; a document's own
weight is 2 at most."""
MOST_HITS = 1000
"""More are counted, but not ranked: a query that finds as many has to be narrowed."""
_N_CLOSE = 200
"""Of so many of the best hits the text is read, to see how close the words stand."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that a query means, and those with the same text."""

    document: int
    """The newest of them."""
    same: tuple[int, ...] = ()
    """The others, oldest first."""


def rank_hits(corpus: Corpus, scores: Mapping[int, float], query: Query) -> tuple[Hit, ...]:
    """Return the best documents as hits; `scores` is how much each holds of the words, 0 to 1."""
    return _same_together(corpus, _rank(corpus, scores, query))


def _rank(corpus: Corpus, scores: Mapping[int, float], query: Query) -> list[int]:
    """Return the best documents, best first; of two that are as good the newer one is."""
    levels: defaultdict[float, list[int]] = defaultdict(list)
    weights = corpus.weights
    for document, score in scores.items():
        levels[_WORDS_WEIGHT * score + weights[document]].append(document)
    ranked: list[tuple[float, int]] = []
    for rank in sorted(levels, reverse=True):
        ranked += [(rank, document) for document in sorted(levels[rank], reverse=True)]
        if len(ranked) >= MOST_HITS:
            break
    if query.terms:
        best = [
            (rank + _CLOSENESS_WEIGHT * _closeness(corpus, document, query), document)
            for rank, document in ranked[:_N_CLOSE]
        ]
        ranked[:_N_CLOSE] = sorted(best, reverse=True)
    return [document for _, document in ranked[:MOST_HITS]]


def _closeness(corpus: Corpus, document: int, query: Query) -> float:
    return find_passage(corpus.texts[document], query).closeness


def _same_together(corpus: Corpus, ranked: Sequence[int]) -> tuple[Hit, ...]:
    """Return hits in which short texts that are said again and again stand once."""
    groups: dict[object, list[int]] = {}
    for document in ranked:
        text = corpus.texts[document]
        key = (corpus.kinds[document], text) if len(text) < SHORT_CHARS else document
        groups.setdefault(key, []).append(document)
    return tuple(Hit(max(group), tuple(sorted(group)[:-1])) for group in groups.values())
