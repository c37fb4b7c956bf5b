"""Where a text holds what it was judged by: kept labels, rules not lifted, stray lines."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from longhaul.compaction.values.search import is_whole
from longhaul.evals.judge import rules_section, shows_lifted
from longhaul.evals.markers import find_matches
from longhaul.evals.measures.amounts import Amount, Count, Tally

MarkKind = Literal["kept", "elsewhere", "unlifted", "value"]
"""`kept`: a rule in the rules section; `elsewhere`: one that only stands outside of it; `unlifted`:
a withdrawn one shown in force; `value`: a value as a whole token."""


RULE_MEASURES = ("rules", "rulesAnywhere", "lifts")
"""Measures whose names hold markers that are looked for in texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Some characters of a line."""

    text: str
    kind: MarkKind | None = None
    """None where they are nothing in particular."""
    name: str = ""
    """Of the label that they keep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a text."""

    pieces: tuple[Piece, ...]
    is_stray: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class _Mark:
    start: int
    end: int
    kind: MarkKind
    name: str


def mark_lines(text: str, amounts: Mapping[str, Amount]) -> tuple[Line, ...]:
    """Return the lines of a text with what its measures found in it marked.

    Raises:
        MarkerError: a label's marker takes too long.
    """
    section = frozenset(rules_section(text))
    stray = _found(amounts, "stray")
    return tuple(
        Line(
            pieces=tuple(_cut(line, sorted(_marks(line, amounts, is_rules=line in section)))),
            is_stray=line in stray,
        )
        for line in text.splitlines()
    )


def _marks(line: str, amounts: Mapping[str, Amount], *, is_rules: bool) -> Iterator[_Mark]:
    if is_rules:
        yield from _rule_marks(line, _kept(amounts, "rules"), "kept")
        yield from _rule_marks(line, _lost(amounts, "lifts"), "unlifted")
    outside = [name for name in _kept(amounts, "rulesAnywhere") if name in _lost(amounts, "rules")]
    yield from _rule_marks(line, outside, "elsewhere")
    for name in _kept(amounts, "values"):
        yield from _value_marks(line, name)


def _rule_marks(line: str, names: Iterable[str], kind: MarkKind) -> Iterator[_Mark]:
    """Yield where a line names rules, by the marker in each rule's name, and shows none lifted."""
    for name in names:
        marker = marker_of(name)
        spans = find_matches(marker, line) if marker else ()
        if spans and not shows_lifted(line, marker):
            yield from (_Mark(start=start, end=end, kind=kind, name=name) for start, end in spans)


def marker_of(name: str) -> str:
    """Return the marker in a rule's name: `type hint` of `u3 /type hint/`; empty without one."""
    return name.partition(" /")[2].removesuffix("/")


def _value_marks(line: str, name: str) -> Iterator[_Mark]:
    """Yield where a line holds a value, by the spelling in its name: `u7 165.7 ms`."""
    spelling = name.partition(" ")[2]
    start = line.find(spelling) if spelling else -1
    while start >= 0:
        end = start + len(spelling)
        if is_whole(line, start, end):
            yield _Mark(start=start, end=end, kind="value", name=name)
        start = line.find(spelling, end)


def _cut(line: str, marks: Iterable[_Mark]) -> Iterator[Piece]:
    """Yield a line in pieces; of marks that overlap the first counts."""
    behind = 0
    for mark in marks:
        if mark.start < behind:
            continue
        if mark.start > behind:
            yield Piece(text=line[behind : mark.start])
        yield Piece(text=line[mark.start : mark.end], kind=mark.kind, name=mark.name)
        behind = mark.end
    if behind < len(line):
        yield Piece(text=line[behind:])


def _kept(amounts: Mapping[str, Amount], name: str) -> tuple[str, ...]:
    amount = amounts.get(name)
    return amount.kept if isinstance(amount, Count) else ()


def _lost(amounts: Mapping[str, Amount], name: str) -> tuple[str, ...]:
    amount = amounts.get(name)
    return amount.lost if isinstance(amount, Count) else ()


def _found(amounts: Mapping[str, Amount], name: str) -> tuple[str, ...]:
    amount = amounts.get(name)
    return amount.found if isinstance(amount, Tally) else ()
