"""One text beside the one before it: runs of lines that stayed, and of lines that changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from longhaul.evals.report.marks import Line

_MOST_PAIRS = 250_000
"""Lines of the one text times lines of the other, up to which what stayed is looked for; beyond,
only what they begin and end with counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Lines that stayed, or lines with those in whose place they stand."""

    was: tuple[str, ...]
    """Lines that are gone; empty where nothing is."""
    now: tuple[Line, ...]
    """Empty where nothing came in their place."""
    is_same: bool


def find_blocks(
    before: Sequence[str], lines: Sequence[str], now: Sequence[Line]
) -> Iterator[Block]:
    """Yield a text in blocks; `now` are its `lines` as shown, `before` are those of the older."""
    head = _n_common(before, lines)
    tail = _n_common(before[head:][::-1], lines[head:][::-1])
    ends = (len(before) - tail, len(lines) - tail)
    if head:
        yield Block(was=(), now=tuple(now[:head]), is_same=True)
    yield from _middle(before[head : ends[0]], lines[head : ends[1]], now[head : ends[1]])
    if tail:
        yield Block(was=(), now=tuple(now[ends[1] :]), is_same=True)


def _middle(before: Sequence[str], lines: Sequence[str], now: Sequence[Line]) -> Iterator[Block]:
    if not before and not lines:
        return
    if len(before) * len(lines) > _MOST_PAIRS:
        yield Block(was=tuple(before), now=tuple(now), is_same=False)
        return
    matcher = SequenceMatcher(a=before, b=lines, autojunk=False)
    for tag, start, end, now_start, now_end in matcher.get_opcodes():
        is_same = tag == "equal"
        was = () if is_same else tuple(before[start:end])
        yield Block(was=was, now=tuple(now[now_start:now_end]), is_same=is_same)


def _n_common(before: Sequence[str], lines: Sequence[str]) -> int:
    pairs = zip(before, lines, strict=False)
    differing = (number for number, (old, new) in enumerate(pairs) if old != new)
    return next(differing, min(len(before), len(lines)))
