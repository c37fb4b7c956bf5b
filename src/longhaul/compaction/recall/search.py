"""Which documents a query means, best first."""

import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Protocol

from longhaul.compaction.recall.documents import Corpus
from longhaul.compaction.recall.passage import lower
from longhaul.compaction.recall.query import Query
from longhaul.compaction.recall.ranking import MOST_HITS, Hit, rank_hits
from longhaul.compaction.recall.view import View
from longhaul.compaction.recall.words import Term, short_hashes

_NEAR = 0.6
"""What a word counts that is only similar, against one that is the same."""
_LEAST_SHARE = 0.25
"""A document is a hit with so much of what the best one has of the query's words."""
_FILLERS = frozenset(
    """
    a about again all an and any are as at be but by can could did do does for from had has have how
    i in is it its me my of on or our should so than that the their them then there they this to us
    was we were what when where which who why will with would you your
    """.split()  # noqa: SIM905 - six lines of quotes otherwise
)
"""Words of how one asks; they find nothing where others are asked for too."""
_LEAST_BEGINNING = 3
"""Fewer letters begin too many words."""
_MANY_ROWS = 1000
"""What stands in more rows needs nothing like it beside it."""


class WordIndex(Protocol):
    """Finds rows by words, and documents by rows.

    A row is a line that several documents hold, or all else that one does.
    """

    def rows_with(self, words: Sequence[str], *, begins: bool = False) -> set[int]:
        """Return the numbers of the rows that hold all `words`, of any path.

        `words` are in small letters, each of letters and digits alone. With `begins` the last may
        also be the beginning of a word.
        """

    def documents_of(self, rows: Iterable[int]) -> set[int]:
        """Return the documents that hold any of `rows`."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a query found."""

    hits: tuple[Hit, ...]
    """Best first; in the path's order where a query only lists."""
    n_documents: int
    """How many documents are meant, those left out of `hits` included."""


@dataclass(frozen=True, slots=True)
class _Match:
    """Which documents hold a term."""

    rarity: float
    whole: set[int]
    near: set[int]
    """Those that hold only something like it."""


def find_hits(corpus: Corpus, view: View, query: Query, words: WordIndex) -> Found:
    """Return what `query` means in `view`."""
    asked = _asked(corpus, view, query)
    if not query.exact and not query.terms:
        listed = [document for document in view.turns if document in asked]
        return Found(tuple(map(Hit, listed)), len(listed))
    for needle in query.exact:
        asked = _find_exact(corpus, asked, needle)
    scores, n_found = _score_words(corpus, asked, query, words) if query.terms else ({}, 0)
    if query.exact:
        scores, n_found = {document: scores.get(document, 0.0) for document in asked}, len(asked)
    return Found(rank_hits(corpus, scores, query), n_found)


def _asked(corpus: Corpus, view: View, query: Query) -> AbstractSet[int]:
    turns, kind = query.turns, query.kind
    if turns is None and kind is None:
        return view.members
    return {
        document
        for document, turn in view.turns.items()
        if (turns is None or turns.first <= turn <= turns.last)
        and (kind is None or corpus.kinds[document] == kind)
    }


def _find_exact(corpus: Corpus, documents: AbstractSet[int], needle: str) -> AbstractSet[int]:
    """Return the documents that hold `needle` to the letter; in any case where none does."""
    texts = corpus.texts
    found = {document for document in documents if needle in texts[document]}
    if found:
        return found
    small = lower(needle)
    if small == needle.upper():
        return set()
    return {document for document in documents if small in lower(texts[document])}


def _score_words(
    corpus: Corpus, documents: AbstractSet[int], query: Query, words: WordIndex
) -> tuple[dict[int, float], int]:
    """Return the best of `documents` with how much they hold of the words, from 0 to 1.

    And how many hold enough of them to be hits.
    """
    matches = _by_rarity(corpus, documents, query, words)
    full = _holding_all(matches)
    if len(full) >= MOST_HITS:
        same = matches[0].whole.intersection(*[match.whole for match in matches[1:]])
        chosen = same if len(same) >= MOST_HITS else full
        return _sum_up(matches, chosen), len(full)
    scores = _sum_up(matches, None)
    least = _LEAST_SHARE * max(scores.values(), default=0.0)
    scores = {document: score for document, score in scores.items() if score >= least}
    return scores, len(scores)


def _holding_all(matches: Sequence[_Match]) -> set[int]:
    """Return what holds all words of a query, or something like them."""
    sets = [match.whole | match.near for match in matches]
    return sets[0].intersection(*sets[1:]) if sets else set()


def _sum_up(matches: Sequence[_Match], chosen: set[int] | None) -> dict[int, float]:
    """Return how much of the words each document holds; None chooses all that hold any."""
    total = sum(match.rarity for match in matches)
    scores: dict[int, float] = {}
    counted = 0.0
    for match in matches:
        # What has only the commonest words of a query is no hit, so it is not even counted.
        is_common = match.rarity < counted * _LEAST_SHARE * _LEAST_SHARE
        within = scores.keys() if is_common else chosen
        share = match.rarity / total
        for found, worth in ((match.whole, share), (match.near, share * _NEAR)):
            for document in found if within is None else found & within:
                scores[document] = scores.get(document, 0.0) + worth
        counted += match.rarity
    return scores


def _by_rarity(
    corpus: Corpus, documents: AbstractSet[int], query: Query, words: WordIndex
) -> list[_Match]:
    """Return what each term finds, the rarest first, without those that find nothing."""
    matches: list[_Match] = []
    telling = [term for term in query.terms if term.text not in _FILLERS]
    for term in telling or query.terms:
        if term.fragments:
            whole, near = _find_fragments(corpus, documents, term)
        else:
            whole, near = _find_words(documents, term, words)
        n_found = len(whole) + len(near)
        if n_found:
            matches.append(_Match(math.log1p(len(documents) / n_found), whole, near))
    return sorted(matches, key=lambda match: match.rarity, reverse=True)


def _find_words(
    documents: AbstractSet[int], term: Term, words: WordIndex
) -> tuple[set[int], set[int]]:
    """Return which of `documents` hold a term, and which of the others something like it."""
    same = words.rows_with([term.whole])
    whole = words.documents_of(same) & documents
    if len(same) > _MANY_ROWS:
        return whole, set()
    near = words.documents_of(_rows_near(term, words) - same) & documents
    return whole, near - whole


def _rows_near(term: Term, words: WordIndex) -> set[int]:
    near: set[int] = set()
    if len(term.whole) >= _LEAST_BEGINNING:
        near |= words.rows_with([term.whole], begins=True)
    if len(term.parts) > 1:
        near |= words.rows_with(term.parts, begins=True)
    if term.whole.endswith("s") and len(term.whole) > _LEAST_BEGINNING:
        near |= words.rows_with([term.whole[:-1]])
    for short in short_hashes(term.whole):
        near |= words.rows_with([short])
    return near


def _find_fragments(
    corpus: Corpus, documents: AbstractSet[int], term: Term
) -> tuple[set[int], set[int]]:
    """Do as `_find_words` for a term that stands in no index, by reading what is not ASCII.

    Like it is what holds half of its pieces.
    """
    whole: set[int] = set()
    near: set[int] = set()
    for document in documents:
        text = corpus.texts[document]
        if text.isascii():
            continue
        if term.text in lower(text):
            whole.add(document)
        elif 2 * sum(fragment in text for fragment in term.fragments) >= len(term.fragments):
            near.add(document)
    return whole, near
