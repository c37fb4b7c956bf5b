"""Scores: what the measures find in each row, as `scores.jsonl` of a run directory holds it."""

from collections.abc import Mapping
from dataclasses import dataclass

from longhaul.evals.fields import Fields, parse_object, parse_optional_text, parse_texts
from longhaul.evals.measures.amounts import Amount, Count, Tally
from longhaul.evals.rows import RowKey, parse_key
from longhaul.transcript.entries import JsonValue

FILE_NAME = "scores.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """What one row holds."""

    key: RowKey
    label_hash: str
    """Of the labels it was judged by; empty where the session has none."""
    amounts: Mapping[str, Amount]
    """By the measure's name; only those that have a say."""


def dump_score(score: Score) -> dict[str, JsonValue]:
    """Return a score as JSON."""
    counts: dict[str, JsonValue] = {
        name: _dump_amount(amount) for name, amount in score.amounts.items()
    }
    return {**score.key._asdict(), "labels": score.label_hash or None, "counts": counts}


def parse_score(fields: Fields) -> Score:
    """Return the score that one line holds.

    Raises:
        ShapeError: a field is missing or of another type.
    """
    counts = parse_object(fields.get("counts"), "counts")
    return Score(
        key=parse_key(fields),
        label_hash=parse_optional_text(fields, "labels"),
        amounts={name: _parse_amount(value, f"counts.{name}") for name, value in counts.items()},
    )


def _dump_amount(amount: Amount) -> dict[str, JsonValue]:
    if isinstance(amount, Tally):
        return {"found": [*amount.found]}
    return {"kept": [*amount.kept], "lost": [*amount.lost]}


def _parse_amount(value: JsonValue, place: str) -> Amount:
    fields = parse_object(value, place)
    if "found" in fields:
        return Tally(parse_texts(fields, "found", place))
    return Count(kept=parse_texts(fields, "kept", place), lost=parse_texts(fields, "lost", place))
