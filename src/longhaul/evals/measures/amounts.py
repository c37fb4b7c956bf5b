"""What measures return: the things that were due, or found, by name; their number is the measure.

Names rather than numbers, so that a report can say what was lost and a mean over distinct things
can be taken without judging again.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """What was due at one compaction: the part that the text keeps, and the part that it lost.

    Each name is stable across the compactions of a session (`u3`, a path, a value), and one thing
    is named once.
    """

    kept: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def n_due(self) -> int:
        """How much was due."""
        return len(self.kept) + len(self.lost)


@dataclass(frozen=True, slots=True)
class Tally:
    """What was found at one compaction where nothing is due: stray lines, wrong claims."""

    found: tuple[str, ...] = ()


Amount: TypeAlias = Count | Tally


def count_kept(judged: Iterable[tuple[str, bool]]) -> Count:
    """Return what was judged, names with whether each is kept, by what came of it."""
    listed = list(judged)
    return Count(
        kept=tuple(name for name, is_kept in listed if is_kept),
        lost=tuple(name for name, is_kept in listed if not is_kept),
    )
