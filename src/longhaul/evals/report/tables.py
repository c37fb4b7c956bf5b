"""The tables of a page: every measure of every arm, and what the arms cost, runs side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from longhaul.evals.measures.catalog import MEASURES, Better, Measure
from longhaul.evals.report.loading import Run
from longhaul.evals.report.wording import COSTS
from longhaul.evals.report.wording import MEASURES as TOLD
from longhaul.evals.summary import Figure, Number, Repeat, Share


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One arm in one row."""

    text: str = ""
    """Empty where the measure says nothing of the arm."""
    spread: str = ""
    """The least and the most of several repeats; empty where there is one, or they agree."""
    share: float | None = None
    """0 to 1; None where nothing is due."""
    distinct: str = ""
    is_best: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """One measure, or one cost."""

    name: str
    told: str
    better: Better
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnGroup:
    """The arms of one run."""

    title: str
    arms: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Arms side by side."""

    title: str
    groups: tuple[ColumnGroup, ...]
    rows: tuple[TableRow, ...]


def build_tables(runs: Sequence[Run], titles: Sequence[str]) -> tuple[Table, ...]:
    """Return the tables of some runs, those without a row left out; `titles` are theirs."""
    groups = tuple(
        ColumnGroup(title=title, arms=tuple(run.summary.arms))
        for run, title in zip(runs, titles, strict=True)
    )
    tables = (
        Table(title="Labelled measures", groups=groups, rows=tuple(_rows(runs, is_labelled=True))),
        Table(
            title="Unlabelled measures", groups=groups, rows=tuple(_rows(runs, is_labelled=False))
        ),
        Table(title="Costs", groups=groups, rows=tuple(_cost_rows(runs))),
    )
    return tuple(table for table in tables if table.rows)


def _rows(runs: Sequence[Run], *, is_labelled: bool) -> Iterator[TableRow]:
    for measure in MEASURES:
        if measure.is_labelled is is_labelled:
            cells = [cell for run in runs for cell in _cells(measure, run)]
            if any(cell.text for cell in cells):
                yield TableRow(
                    name=measure.name,
                    told=TOLD.get(measure.name, ""),
                    better=measure.better,
                    cells=tuple(cells),
                )


def _cells(measure: Measure, run: Run) -> Iterator[Cell]:
    """Yield one measure of each arm of a run, the best marked."""
    arms = list(run.summary.arms.values())
    figures = [
        [one.figures[measure.name] for one in repeats if measure.name in one.figures]
        for repeats in arms
    ]
    best = _best(measure.better, figures, arms)
    for found in figures:
        yield _cell(found, is_best=bool(found) and _worth(found) == best)


def _best(
    better: Better, figures: Sequence[Sequence[Figure]], arms: Sequence[Sequence[Repeat]]
) -> float | None:
    """Return the best of some arms; None where they agree, or were not scored on the same."""
    known = [found for found in figures if found]
    same = {
        (repeats[0].n_compactions, _due(found))
        for repeats, found in zip(arms, figures, strict=True)
        if found
    }
    worths = {_worth(found) for found in known}
    if better == "context" or len(same) != 1 or len(worths) < 2:  # noqa: PLR2004 - two to differ
        return None
    return max(worths) if better == "more" else min(worths)


def _due(figures: Sequence[Figure]) -> int | None:
    first = figures[0]
    return first.due if isinstance(first, Share) else None


def _worth(figures: Sequence[Figure]) -> float:
    return median(one.kept if isinstance(one, Share) else one.n for one in figures)


def _cell(figures: Sequence[Figure], *, is_best: bool) -> Cell:
    if not figures:
        return Cell()
    numbers = [one.n if isinstance(one, Number) else one.kept for one in figures]
    first = figures[0]
    if isinstance(first, Number):
        return Cell(text=f"{median(numbers):,g}", spread=_spread(numbers), is_best=is_best)
    return Cell(
        text=f"{median(numbers):,g}/{first.due:,}",
        spread=_spread(numbers),
        share=median(numbers) / first.due if first.due else None,
        distinct=_distinct(first),
        is_best=is_best,
    )


def _distinct(share: Share) -> str:
    if share.distinct_share is None:
        return ""
    return f"{share.distinct_share:.0%} of {share.n_distinct:,} distinct"


def _spread(numbers: Sequence[float]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low:,g} to {high:,g}" if low < high else ""


def _cost_rows(runs: Sequence[Run]) -> Iterator[TableRow]:
    repeats = [one for run in runs for one in run.summary.arms.values()]
    if not repeats:
        return
    yield TableRow(
        name="compactions",
        told="that were scored, each repeat",
        better="context",
        cells=tuple(Cell(text=f"{one[0].n_compactions if one else 0:,}") for one in repeats),
    )
    for name, title, told in COSTS:
        cells = tuple(_cost_cell(name, one) for one in repeats)
        if any(cell.text for cell in cells):
            yield TableRow(name=title, told=told, better="context", cells=cells)


def _cost_cell(name: str, repeats: Sequence[Repeat]) -> Cell:
    found = [getattr(one.costs, name) for one in repeats]
    numbers = [round(number, 3) for number in found if number is not None]
    if not numbers or (name.startswith("n_") and not any(numbers)):
        return Cell()
    return Cell(text=f"{round(median(numbers), 3):,}", spread=_spread(numbers))
