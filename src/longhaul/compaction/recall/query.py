"""What is asked of recall."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from longhaul.compaction.recall.documents import Kind
from longhaul.compaction.recall.words import Term, parse_terms

_QUOTED = re.compile(r'(?<!\S)"(.+?)"(?!\S)', re.DOTALL)
_TURNS = re.compile(r"(?<!\S)u([0-9]{1,9})(?:(?:-|\.\.)u?([0-9]{1,9}))?(?!\S)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Turns:
    """Turns from the first to the last, both included."""

    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What a document must hold, or should."""

    text: str
    """As typed."""
    exact: tuple[str, ...] = ()
    """Each must stand in a document to the letter."""
    terms: tuple[Term, ...] = ()
    """Words; a document that holds more of them, and the rarer ones, ranks higher."""
    turns: Turns | None = None
    """None for every turn."""
    kind: Kind | None = None
    """None for every kind."""


def parse_turns(text: str) -> Turns | None:
    """Return the turns that `u7` or `u7-u12` names; None for another text."""
    found = _TURNS.fullmatch(text.strip())
    return _turns(found) if found else None


def parse_queries(
    text: str, *, turns: Turns | None = None, kind: Kind | None = None
) -> Iterator[Query]:
    """Yield what `text` may mean, to be tried in turn until one finds something.

    Quoted parts are exact, `u7` and `u7-u12` name turns where `turns` does not, and the rest are
    words. A text all in quotes is first taken as one exact string, whatever quotes are in it. What
    no word finds is tried as an exact string last.
    """
    bare = text.strip()
    if len(bare) > 2 and bare[0] == bare[-1] == '"':  # noqa: PLR2004 - the two quotes
        yield Query(text=text, exact=(bare[1:-1],), turns=turns, kind=kind)
    exact = tuple(_QUOTED.findall(bare))
    rest = _QUOTED.sub(" ", bare)
    named = _TURNS.search(rest) if turns is None else None
    asked = turns if named is None else _turns(named)
    terms = parse_terms(rest if named is None else f"{rest[: named.start()]} {rest[named.end() :]}")
    if exact or terms or asked or kind:
        yield Query(text=text, exact=exact, terms=terms, turns=asked, kind=kind)
    if bare and not exact:
        yield Query(text=text, exact=(bare,), turns=turns, kind=kind)


def _turns(found: re.Match[str]) -> Turns:
    first = int(found[1])
    return Turns(first, max(first, int(found[2] or first)))
