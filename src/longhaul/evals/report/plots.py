"""Plots: one measure over the compactions of a session, a line an arm."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import median
from typing import Literal

from longhaul.evals.measures.amounts import Amount, Count, Tally
from longhaul.evals.measures.catalog import MEASURES, Better
from longhaul.evals.report.loading import ArmText
from longhaul.evals.report.wording import MEASURES as TOLD

WIDTH, HEIGHT = 320, 150
"""Of the drawing, in units of its own."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 36, 8, 10, 20
"""Room around the lines for the axes."""
_N_SHAPES = 4
"""Circle, square, triangle, diamond: lines differ by more than colour."""

Unit = Literal["share", "number"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One arm at one compaction; over repeats the median with its range."""

    compaction: int
    low: float
    value: float
    high: float
    text: str
    """`3/4`, or a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One arm's line."""

    arm: str
    number: int
    """The arm's place among those of the session, from 0: its colour and its shape."""
    points: tuple[Point, ...]
    line: str
    """An SVG path through the points."""
    dots: str
    """An SVG path of their shapes."""
    ranges: str
    """An SVG path from the least to the most of several repeats; empty where there is none."""

    @property
    def told(self) -> str:
        """The line in words: where it is at its lowest and its highest."""
        low = min(self.points, key=lambda one: one.value)
        high = max(self.points, key=lambda one: one.value)
        if low.value == high.value:
            return f"{self.arm}: {low.text} throughout"
        return (
            f"{self.arm}: lowest {low.text} at compaction {low.compaction},"
            f" highest {high.text} at {high.compaction}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A mark on an axis."""

    at: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """One measure over the compactions of a session."""

    name: str
    told: str
    better: Better
    series: tuple[Series, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]

    @property
    def compactions(self) -> tuple[int, ...]:
        """Those at which an arm has a point."""
        return tuple(sorted({one.compaction for line in self.series for one in line.points}))

    def text_at(self, compaction: int, arm: str) -> str:
        """Return what an arm has at a compaction; empty where the measure does not judge it."""
        return next(
            (
                one.text
                for line in self.series
                for one in line.points
                if (line.arm, one.compaction) == (arm, compaction)
            ),
            "",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scale:
    n_compactions: int
    top: float

    def x(self, compaction: float) -> float:
        steps = max(1, self.n_compactions - 1)
        return round(_LEFT + (compaction - 1) * (WIDTH - _LEFT - _RIGHT) / steps, 1)

    def y(self, value: float) -> float:
        room = HEIGHT - _TOP - _BOTTOM
        return round(_TOP + room - value / self.top * room, 1)


def build_plots(texts: Sequence[ArmText], arms: Sequence[str]) -> Iterator[Plot]:
    """Yield a plot for each measure that judges a text of a session, then one of the sizes."""
    n_compactions = max((one.key.compaction for one in texts), default=0)
    for measure in MEASURES:
        points = {arm: _points(_of(texts, arm), measure.name) for arm in arms}
        if any(points.values()):
            yield _plot(measure.name, measure.better, points, n_compactions)
    sizes = {arm: _size_points(_of(texts, arm)) for arm in arms}
    if any(sizes.values()):
        yield _plot("chars", "context", sizes, n_compactions)


def _of(texts: Sequence[ArmText], arm: str) -> list[ArmText]:
    """Return the texts of one arm by compaction; failures have none."""
    made = (one for one in texts if one.key.arm == arm and not one.failure)
    return sorted(made, key=lambda one: (one.key.compaction, one.key.repeat))


def _points(texts: Sequence[ArmText], name: str) -> tuple[Point, ...]:
    judged = [one for one in texts if _is_judged(one.amounts.get(name))]
    grouped = groupby(judged, key=lambda one: one.key.compaction)
    return tuple(_point(number, [one.amounts[name] for one in group]) for number, group in grouped)


def _is_judged(amount: Amount | None) -> bool:
    return isinstance(amount, Tally) or (amount is not None and amount.n_due > 0)


def _point(compaction: int, amounts: Sequence[Amount]) -> Point:
    values = [_value(amount) for amount in amounts]
    first = amounts[0]
    if isinstance(first, Count):
        kept = median(len(one.kept) for one in amounts if isinstance(one, Count))
        text = f"{kept:g}/{first.n_due}"
    else:
        text = f"{median(values):g}"
    return _spread_point(compaction, values, text)


def _value(amount: Amount) -> float:
    if isinstance(amount, Tally):
        return len(amount.found)
    return len(amount.kept) / max(1, amount.n_due)


def _size_points(texts: Sequence[ArmText]) -> tuple[Point, ...]:
    grouped = groupby(texts, key=lambda one: one.key.compaction)
    sizes = ((number, [len(one.text) for one in group]) for number, group in grouped)
    return tuple(_spread_point(number, each, f"{median(each):,g}") for number, each in sizes)


def _spread_point(compaction: int, values: Sequence[float], text: str) -> Point:
    return Point(
        compaction=compaction, low=min(values), value=median(values), high=max(values), text=text
    )


def _plot(
    name: str, better: Better, points: Mapping[str, tuple[Point, ...]], n_compactions: int
) -> Plot:
    every = [one for line in points.values() for one in line]
    unit: Unit = "share" if any("/" in one.text for one in every) else "number"
    top = 1.0 if unit == "share" else _round_up(max(one.high for one in every))
    scale = _Scale(n_compactions=n_compactions, top=top)
    middle = (n_compactions + 1) // 2
    return Plot(
        name=name,
        told=TOLD.get(name, ""),
        better=better,
        series=tuple(
            _series(arm, number, line, scale)
            for number, (arm, line) in enumerate(points.items())
            if line
        ),
        across=tuple(
            Tick(at=scale.x(one), text=str(one)) for one in sorted({1, middle, n_compactions})
        ),
        up=tuple(
            Tick(at=scale.y(part * top), text=_tick(part * top, unit)) for part in (0, 0.5, 1)
        ),
    )


def _tick(value: float, unit: Unit) -> str:
    if unit == "share":
        return f"{value:.0%}"
    return f"{value / 1000:g}k" if value >= 1000 else f"{value:g}"  # noqa: PLR2004 - a thousand


def _round_up(value: float) -> float:
    """Return the next of 2, 4, 10, 20, 40, 100, …: half of it is a round number too."""
    step = 1.0
    while True:
        for factor in (2, 4, 10):
            if factor * step >= value:
                return factor * step
        step *= 10


def _series(arm: str, number: int, points: Sequence[Point], scale: _Scale) -> Series:
    places = [(scale.x(one.compaction), scale.y(one.value)) for one in points]
    return Series(
        arm=arm,
        number=number,
        points=tuple(points),
        line="M" + "L".join(f"{x:g} {y:g}" for x, y in places),
        dots="".join(draw_shape(number, x, y) for x, y in places),
        ranges="".join(
            f"M{scale.x(one.compaction):g} {scale.y(one.low):g}V{scale.y(one.high):g}"
            for one in points
            if one.low < one.high
        ),
    )


def draw_shape(number: int, x: float, y: float) -> str:
    """Return the SVG path of an arm's shape around a point."""
    match number % _N_SHAPES:
        case 0:
            return f"M{x - 3:g} {y:g}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z"
        case 1:
            return f"M{x - 2.8:g} {y - 2.8:g}h5.6v5.6h-5.6z"
        case 2:
            return f"M{x:g} {y - 3.6:g}l3.6 6.4h-7.2z"
        case _:
            return f"M{x:g} {y - 4:g}l4 4l-4 4l-4 -4z"
