"""What each arm loses in a session, and at which compactions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longhaul.evals.measures.amounts import Count
from longhaul.evals.report.loading import ArmText

MAIN_MEASURES = ("goal", "rules", "lifts", "values", "stray")
"""The labelled measures, without those that count a part of another once more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LossCell:
    """How one arm fares with one label."""

    n_due: int
    lost_at: str
    """Compactions, as `3 to 7, 9`; empty where it is never lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LossRow:
    """One label that an arm loses."""

    measure: str
    name: str
    cells: tuple[LossCell, ...]
    """One an arm."""


def find_losses(texts: Sequence[ArmText], arms: Sequence[str]) -> Iterator[LossRow]:
    """Yield the labels of a session that an arm loses, by measure in their order.

    Of several repeats the first counts.
    """
    first = [one for one in texts if one.key.repeat == 1]
    for measure in MAIN_MEASURES:
        for name in _names(first, measure):
            cells = tuple(_cell(first, arm, measure, name) for arm in arms)
            if any(cell.lost_at for cell in cells):
                yield LossRow(measure=measure, name=name, cells=cells)


def _names(texts: Sequence[ArmText], measure: str) -> Sequence[str]:
    names: dict[str, None] = {}
    for one in sorted(texts, key=lambda text: text.key.compaction):
        amount = one.amounts.get(measure)
        if isinstance(amount, Count):
            names |= dict.fromkeys((*amount.kept, *amount.lost))
    return [*names]


def _cell(texts: Sequence[ArmText], arm: str, measure: str, name: str) -> LossCell:
    kept, lost = list[int](), list[int]()
    for one in texts:
        amount = one.amounts.get(measure)
        if one.key.arm == arm and isinstance(amount, Count):
            kept += [one.key.compaction] if name in amount.kept else []
            lost += [one.key.compaction] if name in amount.lost else []
    return LossCell(n_due=len(kept) + len(lost), lost_at=join_ranges(sorted(lost)))


def join_ranges(numbers: Sequence[int]) -> str:
    """Return rising numbers with those that follow each other joined: `3 to 7, 9`."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ", ".join(f"{a}" if a == b else f"{a} to {b}" for a, b in ranges)
