"""Where words that a model quotes stand in a message, and whether the user says them there."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from longhaul.compaction.invisible import drop_invisible
from longhaul.compaction.rules.quotations import find_quotations
from longhaul.compaction.rules.sentences import Sentence, split_sentences
from longhaul.compaction.unspaced import holds_words

_MAX_QUOTE_CHARS = 2_000
"""Longer words are no quote of a rule, nor of what withdraws one."""
_MAX_PLACES = 20
"""Of words that stand in a message again and again, so many places are looked at."""
_MARKS = ("'’‘‛′`´\"“”„‟«»″", "-‐‑‒–—−―")  # noqa: RUF001 - look-alikes are the point
"""Marks that a model writes for one another, or that stand for one another in what it was shown."""
_CLASSES = {mark: f"[{re.escape(marks)}]" for marks in _MARKS for mark in marks}
_ELLIPSIS = r"(?:…|\.\.\.)"
_HIDDEN = "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]*"
_AROUND = "\"'“”‘’«»`"
_ENDS = f"{_AROUND}.,;:!?…。！？) \n"  # noqa: RUF001
_NO_LETTER = re.compile(r"\W+")
_ITEM_MARK = re.compile(r"[\W_]*(?:\d{1,3}|[A-Za-z])?[\W_]*")
_SIGNS = re.compile(r"[\W_]*")


def find_places(quote: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield where `quote` stands in `text`: from where to where, at most 20 places.

    White space is folded, marks of one kind (quotation marks, dashes, an ellipsis) stand for one
    another, the first letter may be of the other case, and characters that are never seen are
    passed over. Marks around the quote, and an ellipsis at its end, need not be there.
    """
    words = quote.strip() if "&lt;" in text else quote.strip().replace("&lt;", "<")
    if len(words) > _MAX_QUOTE_CHARS:
        return
    hidden = _HIDDEN if drop_invisible(text) != text else ""
    for variant in dict.fromkeys((words, _bare(words))):
        if _letters(variant) and _letters(variant) in _letters(text):
            found = _pattern(variant, hidden).finditer(text)
            places = [match.span() for match in islice(found, _MAX_PLACES)]
            if places:
                yield from places
                return


@lru_cache(maxsize=64)
def _letters(text: str) -> str:
    """Return what every way to write the same words has in common: a quick look."""
    return _NO_LETTER.sub("", text).lower()


def _bare(words: str) -> str:
    return words.strip(_AROUND).removesuffix("…").removesuffix("...").strip(_AROUND).strip()


@lru_cache(maxsize=64)
def _pattern(words: str, hidden: str) -> re.Pattern[str]:
    pieces = [
        hidden.join(_form(mark) for mark in word.replace("...", "…")) for word in words.split()
    ]
    first = words[0]
    if first.isalpha() and first.lower() != first.upper():
        either = "|".join(dict.fromkeys(map(re.escape, (first, first.lower(), first.upper()))))
        pieces[0] = f"(?:{either}){pieces[0].removeprefix(re.escape(first))}"
    return re.compile(rf"{hidden}\s+{hidden}".join(pieces))


def _form(mark: str) -> str:
    return _ELLIPSIS if mark == "…" else _CLASSES.get(mark) or re.escape(mark)


def is_own(text: str, start: int, end: int) -> bool:
    """Return whether the user says `text[start:end]`, rather than shows or reports it.

    Words in quotation marks inside a sentence are shown; the whole sentence is said.
    """
    at = start
    touched = sentences_at(text, start, end)
    if any(_is_quoted(text, one, start, end) for one in touched):
        return False
    for sentence in touched:
        if not _ITEM_MARK.fullmatch(text, at, max(at, sentence.start)):
            return False
        at = max(at, sentence.end)
    return bool(touched) and (at >= end or _ITEM_MARK.fullmatch(text, at, end) is not None)


def _is_quoted(text: str, sentence: Sentence, start: int, end: int) -> bool:
    """Return whether all words of `text[start:end]` stand in one quotation of a sentence."""
    signs = _SIGNS.match(text, start, end)
    first = signs.end() if signs else start
    last = first + len(text[first:end].rstrip(_ENDS))
    quotations = find_quotations(text, sentence.start, sentence.end)
    return any(left < first and last <= right for left, right in quotations)


def sentences_at(text: str, start: int, end: int) -> tuple[Sentence, ...]:
    """Return the sentences of the user's own that `text[start:end]` touches."""
    return tuple(one for one in split_sentences(text) if one.start < end and one.end > start)


def is_short(words: str) -> bool:
    """Return whether words are too few to say something by themselves."""
    return not holds_words(words, n_words=2, n_signs=4)
