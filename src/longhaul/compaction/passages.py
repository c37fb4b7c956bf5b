"""Passages of a message in the user's own words: what a quote may show."""

from collections.abc import Iterable, Iterator

from longhaul.compaction.rules.sentences import Sentence, split_sentences
from longhaul.compaction.white_space import fold_space


def find_passages(
    text: str, max_chars: int, *, sentences: Iterable[Sentence] | None = None
) -> Iterator[str]:
    """Yield the user's own words in `text`, folded, neighbouring sentences together.

    A passage is at most `max_chars` long, and ends where something pasted or quoted stands between
    two sentences. Only `sentences` count, where they are given. A message of pasted text alone
    gives none.
    """
    start = end = 0
    for sentence in split_sentences(text) if sentences is None else sentences:
        if sentence.end - start > max_chars or text[end : sentence.start].strip():
            yield from _unless_blank(text[start:end], max_chars)
            start = sentence.start
        end = sentence.end
    yield from _unless_blank(text[start:end], max_chars)


def first_passage(text: str, max_chars: int) -> str:
    """Return where the user begins to speak in `text`; its head where all of it is pasted."""
    own = next(find_passages(text, max_chars), None)
    return head_of(fold_space(text), max_chars) if own is None else own


def head_of(text: str, max_chars: int) -> str:
    """Return the start of folded `text`, at most `max_chars` long, cut at a word where it has any.

    Unlike a clipped text the result has no mark of the cut, so it stays a quote.
    """
    if len(text) <= max_chars:
        return text
    head, space, _ = text[: max_chars + 1].rpartition(" ")
    return head if space else text[:max_chars]


def _unless_blank(passage: str, max_chars: int) -> Iterator[str]:
    if passage.strip():
        yield head_of(fold_space(passage), max_chars)
