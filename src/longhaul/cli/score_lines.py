"""What a run of the harness came to: tables, lines, and how far it is."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from rich.table import Column, Table

from longhaul.compaction.render.quoting import plain
from longhaul.compaction.report_text import count
from longhaul.evals.cases import NotScored
from longhaul.evals.measures.catalog import MEASURES, Better, Measure
from longhaul.evals.summary import Arms, Figure, Number, Repeat, Share, Summary

COSTS = (
    ("chars", "characters"),
    ("tokens_in", "tokens in"),
    ("tokens_out", "tokens out"),
    ("tokens_cached", "tokens cached"),
    ("p50", "seconds, p50"),
    ("p90", "seconds, p90"),
    ("n_calls", "model calls"),
    ("n_narrative_less", "narrative-less"),
    ("n_dropped", "dropped items"),
)
SIGNS: Mapping[Better, str] = {"more": "↑", "less": "↓", "context": ""}
_WHOLE_FROM = 100


def tables(summary: Summary) -> Iterator[Table]:
    """Yield the tables of a run: what is labelled, what is not, what it cost."""
    for title, is_labelled in (("labelled", True), ("unlabelled", False)):
        measures = [one for one in MEASURES if one.is_labelled is is_labelled]
        table = _measure_table(title, measures, summary.arms)
        if table.row_count:
            yield table
    if summary.arms:
        yield _cost_table(summary.arms)


def summary_lines(summary: Summary) -> Iterator[str]:
    """Yield a line for each arm, another where labels judge it, and one for what was left out."""
    for name, repeats in summary.arms.items():
        yield f"{plain(name)}: {_cost_text(repeats)}; {_figures_text(repeats, is_labelled=False)}"
        labelled = _figures_text(repeats, is_labelled=True)
        if labelled:
            yield f"{plain(name)} labelled: {labelled}"
    if summary.not_scored:
        yield not_scored_line(summary.not_scored)


def not_scored_line(left_out: Sequence[NotScored]) -> str:
    """Return what was left out and why, each reason once behind all that it holds for."""
    reasons: dict[str, dict[tuple[str, str], list[int]]] = {}
    for one in left_out:
        places = reasons.setdefault(one.reason, {})
        places.setdefault((one.session, one.arm), []).append(one.compaction)
    texts = (
        f"{', '.join(_place_text(*place, numbers) for place, numbers in places.items())} ({reason})"
        for reason, places in reasons.items()
    )
    return plain(f"not scored: {'; '.join(texts)}")


def _place_text(session: str, arm: str, numbers: Sequence[int]) -> str:
    """Return `tide 1-3, 5 state`: compactions of a session, or all of it, for an arm, or all."""
    return " ".join(filter(None, (session, _ranges_text(numbers), arm)))


def _ranges_text(numbers: Sequence[int]) -> str:
    ranges: list[list[int]] = []
    for number in sorted({*numbers} - {0}):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges)


def figure_text(figures: Sequence[Figure]) -> str:
    """Return one measure of one arm: `kept/due`, over repeats the median with its range."""
    numbers = [one.n if isinstance(one, Number) else one.kept for one in figures]
    first = figures[0]
    due = f"/{first.due:,}" if isinstance(first, Share) else ""
    distinct = _distinct_text(first) if isinstance(first, Share) else ""
    return f"{_spread(numbers)}{due}{distinct}"


def _spread(numbers: Sequence[float]) -> str:
    if len(numbers) == 1:
        return number_text(numbers[0])
    texts = (number_text(one) for one in (median(numbers), min(numbers), max(numbers)))
    return "{} ({} to {})".format(*texts)


def number_text(number: float) -> str:
    """Return a number as tables show it: whole ones and large ones without decimals."""
    if number == int(number) or number >= _WHOLE_FROM:
        return f"{number:,.0f}"
    return f"{number:.2g}"


def _distinct_text(share: Share) -> str:
    if share.distinct_share is None:
        return ""
    return f" ({share.distinct_share:.2f} of {share.n_distinct:,} distinct)"


def _measure_table(title: str, measures: Sequence[Measure], arms: Arms) -> Table:
    table = _table(title, arms, "kept/due over all compactions; ↑ more is better, ↓ less")
    for measure in measures:
        cells = [figure_cell(measure.name, repeats) for repeats in arms.values()]
        if any(cells):
            table.add_row(f"{measure.name} {SIGNS[measure.better]}".strip(), *cells)
    return table


def _cost_table(arms: Arms) -> Table:
    table = _table("costs", arms, "means a compaction; calls, narrative-less and dropped in all")
    table.add_row("compactions", *(f"{repeats[0].n_compactions:,}" for repeats in arms.values()))
    for name, title in COSTS:
        cells = [cost_cell(name, repeats) for repeats in arms.values()]
        if any(cells):
            table.add_row(title, *cells)
    return table


def _table(title: str, arms: Arms, caption: str) -> Table:
    return Table(
        Column(title, overflow="fold"),
        *(Column(plain(name), justify="right", overflow="fold") for name in arms),
        caption=caption,
        caption_justify="left",
    )


def figure_cell(name: str, repeats: Sequence[Repeat]) -> str:
    """Return what a measure gave for an arm; empty where it had no say."""
    figures = [one.figures[name] for one in repeats if name in one.figures]
    return figure_text(figures) if figures else ""


def cost_cell(name: str, repeats: Sequence[Repeat]) -> str:
    """Return what an arm's compactions took; empty where it is not known, or nothing."""
    numbers = [getattr(one.costs, name) for one in repeats]
    known = [number for number in numbers if number is not None]
    if not known or (name.startswith("n_") and not any(known)):
        return ""
    return _spread(known)


def _cost_text(repeats: Sequence[Repeat]) -> str:
    first = repeats[0]
    parts = [count(first.n_compactions, "compaction")]
    if len(repeats) > 1:
        parts.append(f"{len(repeats)} times")
    parts += [f"{title} {cell}" for name, title in COSTS if (cell := cost_cell(name, repeats))]
    return ", ".join(parts)


def _figures_text(repeats: Sequence[Repeat], *, is_labelled: bool) -> str:
    cells = (
        (one.name, figure_cell(one.name, repeats))
        for one in MEASURES
        if one.is_labelled is is_labelled
    )
    return ", ".join(f"{name} {cell}" for name, cell in cells if cell)
