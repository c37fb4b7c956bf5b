"""Where a text holds what a mention means, as a whole token."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from longhaul.compaction.values.tokens import Mention

_MAX_OCCURRENCES = 100
"""More places where a token may stand are not looked at in one text."""
_LONGEST_DATE_PART = 4

_DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_FULL_HASH = re.compile(r"[0-9a-f]*")


def find_token(text: str, mention: Mention, first: int = 0, end: int | None = None) -> str | None:
    """Return the token of `text[first:end]` that `mention` means, spelled as there; or None."""
    end = len(text) if end is None else end
    if mention.neighbours and not _holds_any(text, mention.neighbours, first, end):
        return None
    find = _find_beside if mention.neighbours else _find_alone
    for core in spellings(mention.core):
        starts = islice(_occurrences(text, core, first, end), _MAX_OCCURRENCES)
        token = find(text, starts, core, mention)
        if token is not None:
            return token
    return None


def find_longer(text: str, mention: Mention, prefixes: Iterable[str]) -> str | None:
    """Return the number of `text` that `mention` is a rounding of, with its unit; or None.

    `prefixes` are what such a number begins with, see `longer_prefixes`.
    """
    wanted, most = number_of(mention.core), half_step(mention.core)
    for prefix in prefixes:
        for start in islice(_occurrences(text, prefix, 0, len(text)), _MAX_OCCURRENCES):
            found = _DECIMAL.match(text, start)
            if found and abs(float(found[0]) - wanted) <= most:
                token = _with_unit(text, start, found.end(), mention)
                if token is not None:
                    return token
    return None


def _holds_any(text: str, words: Iterable[str], first: int, end: int) -> bool:
    return any(text.find(word, first, end) >= 0 for word in words)


def _occurrences(text: str, part: str, first: int, end: int) -> Iterator[int]:
    """Yield where `part` stands in `text[first:end]`, overlaps left out."""
    start = text.find(part, first, end)
    while start >= 0:
        yield start
        start = text.find(part, start + len(part), end)


def is_whole(text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]` stands as a whole token.

    Not preceded by a word character or a dot, not followed by a word character or by a dot and a
    digit.
    """
    before, after = text[start - 1 : start] if start else "", text[end : end + 2]
    if before and (before in "._" or before.isalnum()):
        return False
    if not after or not (after[0] in "._" or after[0].isalnum()):
        return True
    return after[0] == "." and not after[1:].isdecimal()


def _is_number_part(text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]` is digits of a longer number, date, time or ratio."""
    if not text[start].isdigit():
        return False
    joints = "," if end - start > _LONGEST_DATE_PART else ",-:/"
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    return (before[1:] in joints and before[:1].isdigit() and before[1:] != "") or (
        after[:1] in joints and after[1:].isdigit() and after[:1] != ""
    )


def number_of(core: str) -> float:
    """Return the number that `core` writes, with or without separators of thousands."""
    return float(core.replace(",", "").replace("_", ""))


def half_step(core: str) -> float:
    """Return by how much a number may differ from `core`, its rounding."""
    return 0.5 * 10.0 ** -len(core.partition(".")[2])


def longer_prefixes(core: str) -> tuple[str, str]:
    """Return what a number with more digits that rounds to `core` begins with: `166.`, `165.`."""
    n_decimals = len(core.partition(".")[2])
    wanted = number_of(core)
    lower = max(wanted - 2 * half_step(core), 0)
    end = "" if n_decimals else "."
    return f"{wanted:.{n_decimals}f}{end}", f"{lower:.{n_decimals}f}{end}"


def spellings(core: str) -> Iterable[str]:
    """Return how a text may spell a number: with and without separators of thousands."""
    if not core[:1].isdigit():
        return (core,)
    plain = core.replace(",", "").replace("_", "")
    if plain != core:
        return core, plain
    if core.isdigit() and len(core) >= len("1000"):
        return core, f"{int(core):,}"
    return (core,)


def _find_alone(text: str, starts: Iterable[int], core: str, mention: Mention) -> str | None:
    longer: str | None = None
    for start in starts:
        end = start + len(core)
        if _is_number_part(text, start, end):
            continue
        for suffix in mention.suffixes:
            if text.startswith(suffix, end) and is_whole(text, start, end + len(suffix)):
                return text[start : end + len(suffix)]
        if is_whole(text, start, end) and not text.startswith("%", end):
            return core
        if mention.is_hash and longer is None:
            full = _FULL_HASH.match(text, end)
            if full and is_whole(text, start, full.end()):
                longer = text[start : full.end()]
    return longer


def _find_beside(text: str, starts: Iterable[int], core: str, mention: Mention) -> str | None:
    """Return a small number with the word behind it, or alone where the word stands before it."""
    for start in starts:
        end = start + len(core)
        if _is_number_part(text, start, end):
            continue
        behind = 1 if text.startswith(" ", end) else 0
        for word in mention.neighbours:
            token_end = end + behind + len(word)
            if text.startswith(word, end + behind) and is_whole(text, start, token_end):
                return text[start:token_end]
            if _is_labelled(text, start, end, word):
                return core
    return None


def _is_labelled(text: str, start: int, end: int, word: str) -> bool:
    """Return whether `text[start:end]` is a whole token with `word` before it: `tests: 37`."""
    gap = text[max(0, start - 2) : start]
    label_end = start - len(gap) + len(gap.rstrip(" :="))
    return (
        label_end < start
        and text.endswith(word, 0, label_end)
        and is_whole(text, label_end - len(word), end)
    )


def _with_unit(text: str, start: int, end: int, mention: Mention) -> str | None:
    """Return a number with its unit, or alone where the unit stands somewhat before it or is none.

    None where the number is no whole token or of another unit.
    """
    if _is_number_part(text, start, end):
        return None
    for suffix in mention.suffixes:
        if text.startswith(suffix, end) and is_whole(text, start, end + len(suffix)):
            return text[start : end + len(suffix)]
    if not is_whole(text, start, end):
        return None
    unit = mention.suffixes[-1] if mention.suffixes else ""
    line_start = text.rfind("\n", 0, start) + 1
    return text[start:end] if unit in text[max(line_start, start - 24) : start] else None
