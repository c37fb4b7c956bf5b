"""The summary of a run, as `summary.json` holds it: whole counts, and what the calls cost."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TypeAlias

from longhaul.evals.cases import NotScored
from longhaul.evals.fields import (
    Fields,
    FieldValueError,
    parse_count,
    parse_number,
    parse_object,
    parse_objects,
    parse_optional_text,
    parse_text,
    place_of,
)
from longhaul.transcript.entries import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How much of what was due was kept."""

    kept: int
    due: int
    n_distinct: int | None = None
    """How many distinct things were due, however often; None where the measure does not say."""
    distinct_share: float | None = None
    """The mean of their shares, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Number:
    """How much was found."""

    n: int


Figure: TypeAlias = Share | Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What compactions took: means a compaction; None where no row says it."""

    chars: float | None
    tokens_in: float | None
    tokens_out: float | None
    tokens_cached: float | None
    p50: float | None
    """Seconds that half of the compactions did not exceed."""
    p90: float | None
    n_calls: int
    """Model calls, of all compactions together, as the next two."""
    n_narrative_less: int
    n_dropped: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """What one run of an arm gives."""

    n_compactions: int
    figures: Mapping[str, Figure]
    """By the measure's name."""
    costs: Costs


Arms: TypeAlias = Mapping[str, tuple[Repeat, ...]]
"""The repeats of each arm by its name, in the order of the tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A run, added up."""

    run: Mapping[str, JsonValue]
    """What the run was asked for and made with."""
    arms: Arms
    sessions: Mapping[str, Arms]
    not_scored: tuple[NotScored, ...] = ()
    n_awaited: int = 0
    """Chains that wait for a reply that is written elsewhere."""


_COSTS = (
    *(("chars", "chars"), ("tokens_in", "tokensIn"), ("tokens_out", "tokensOut")),
    *(("tokens_cached", "tokensCached"), ("p50", "p50"), ("p90", "p90")),
)
_TOTALS = (
    *(("n_calls", "calls"), ("n_narrative_less", "narrativeLess"), ("n_dropped", "dropped")),
)


def dump_summary(summary: Summary) -> dict[str, JsonValue]:
    """Return a summary as JSON."""
    return {
        "run": dict(summary.run),
        "arms": _dump_arms(summary.arms),
        "sessions": {name: _dump_arms(arms) for name, arms in summary.sessions.items()},
        "notScored": [asdict(one) for one in summary.not_scored],
        "awaited": summary.n_awaited,
    }


def parse_summary(fields: Fields) -> Summary:
    """Return the summary that a file holds.

    Raises:
        ShapeError: a field is missing or of another type.
    """
    sessions = parse_object(fields.get("sessions"), "sessions")
    return Summary(
        run=parse_object(fields.get("run"), "run"),
        arms=_parse_arms(fields.get("arms"), "arms"),
        sessions={name: _parse_arms(one, f"sessions.{name}") for name, one in sessions.items()},
        not_scored=tuple(
            NotScored(
                session=parse_text(one, "session", place),
                compaction=parse_count(one, "compaction", place) or 0,
                arm=parse_optional_text(one, "arm", place),
                reason=parse_text(one, "reason", place),
                detail=parse_optional_text(one, "detail", place),
            )
            for place, one in parse_objects(fields, "notScored")
        ),
        n_awaited=parse_count(fields, "awaited") or 0,
    )


def _dump_arms(arms: Arms) -> dict[str, JsonValue]:
    return {name: [_dump_repeat(one) for one in repeats] for name, repeats in arms.items()}


def _dump_repeat(repeat: Repeat) -> dict[str, JsonValue]:
    return {
        "compactions": repeat.n_compactions,
        "measures": {name: _dump_figure(figure) for name, figure in repeat.figures.items()},
        "costs": {key: getattr(repeat.costs, name) for name, key in (*_COSTS, *_TOTALS)},
    }


def _dump_figure(figure: Figure) -> dict[str, JsonValue]:
    if isinstance(figure, Number):
        return {"n": figure.n}
    counts: dict[str, JsonValue] = {"kept": figure.kept, "due": figure.due}
    if figure.n_distinct is not None:
        counts |= {"distinct": figure.n_distinct, "distinctShare": figure.distinct_share}
    return counts


def _parse_arms(value: JsonValue, place: str) -> Arms:
    arms = parse_object(value, place)
    return {
        name: tuple(_parse_repeat(one, where) for where, one in parse_objects(arms, name, place))
        for name in arms
    }


def _parse_repeat(fields: Fields, place: str) -> Repeat:
    measures_place = place_of("measures", place)
    measures = parse_object(fields.get("measures"), measures_place)
    return Repeat(
        n_compactions=_whole(fields, "compactions", place),
        figures={
            name: _parse_figure(value, f"{measures_place}.{name}")
            for name, value in measures.items()
        },
        costs=_parse_costs(fields.get("costs"), place_of("costs", place)),
    )


def _parse_figure(value: JsonValue, place: str) -> Figure:
    fields = parse_object(value, place)
    if "n" in fields:
        return Number(_whole(fields, "n", place))
    return Share(
        kept=_whole(fields, "kept", place),
        due=_whole(fields, "due", place),
        n_distinct=parse_count(fields, "distinct", place),
        distinct_share=parse_number(fields, "distinctShare", place),
    )


def _parse_costs(value: JsonValue, place: str) -> Costs:
    fields = parse_object(value, place)
    return Costs(
        chars=parse_number(fields, "chars", place),
        tokens_in=parse_number(fields, "tokensIn", place),
        tokens_out=parse_number(fields, "tokensOut", place),
        tokens_cached=parse_number(fields, "tokensCached", place),
        p50=parse_number(fields, "p50", place),
        p90=parse_number(fields, "p90", place),
        n_calls=_whole(fields, "calls", place),
        n_narrative_less=_whole(fields, "narrativeLess", place),
        n_dropped=_whole(fields, "dropped", place),
    )


def _whole(fields: Fields, name: str, place: str) -> int:
    number = parse_count(fields, name, place)
    if number is None:
        raise FieldValueError(place_of(name, place), "a whole number", None)
    return number
