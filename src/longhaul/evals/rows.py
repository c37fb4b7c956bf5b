"""Rows: what each arm made at each compaction, as `rows.jsonl` of a run directory holds it."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from longhaul.compaction.diff.record import DETAILS_KEY
from longhaul.compaction.secrets import mask_secrets
from longhaul.evals.arms.arm import Made
from longhaul.evals.fields import (
    Fields,
    FieldValueError,
    parse_count,
    parse_flag,
    parse_number,
    parse_object,
    parse_optional_text,
    parse_text,
)
from longhaul.transcript.entries import JsonValue

FILE_NAME = "rows.jsonl"


class RowKey(NamedTuple):
    """What one row is about; of several rows with one key the last counts."""

    session: str
    compaction: int
    """From 1."""
    arm: str
    repeat: int
    """From 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One arm at one compaction."""

    key: RowKey
    entry_id: str
    """Of the recorded compaction."""
    made: Made | None
    """None where the arm failed."""
    failure: str = ""
    """Why there is nothing; empty where there is."""


def mask_row(row: Row) -> Row:
    """Return a row as it may stand in a file: what looks like a secret is masked.

    What Longhaul itself carries in `details` is masked where it is made, and stands as it is.
    """
    return replace(row, made=row.made and _mask(row.made), failure=mask_secrets(row.failure))


def _mask(made: Made) -> Made:
    details = made.details and {
        name: value if name == DETAILS_KEY else _mask_value(value)
        for name, value in made.details.items()
    }
    return replace(
        made, text=mask_secrets(made.text), details=details, note=mask_secrets(made.note)
    )


def _mask_value(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return mask_secrets(value)
    if isinstance(value, list):
        return [_mask_value(one) for one in value]
    if isinstance(value, dict):
        return {mask_secrets(name): _mask_value(one) for name, one in value.items()}
    return value


def dump_row(row: Row) -> dict[str, JsonValue]:
    """Return a row as JSON."""
    head: dict[str, JsonValue] = {**row.key._asdict(), "entryId": row.entry_id}
    made = row.made
    if made is None:
        return {**head, "failure": row.failure}
    return {
        **head,
        "text": made.text,
        "details": dict(made.details) if made.details is not None else None,
        "fromHook": made.from_hook,
        "tokensIn": made.tokens_in,
        "tokensOut": made.tokens_out,
        "tokensCached": made.tokens_cached,
        "seconds": made.seconds,
        "nCalls": made.n_calls,
        "note": made.note,
        "narrativeLess": made.is_narrative_less,
        "dropped": made.n_dropped,
        "plan": made.plan,
        "failure": "",
    }


def parse_row(fields: Fields) -> Row:
    """Return the row that one line holds.

    Raises:
        ShapeError: a field is missing or of another type.
    """
    failure = parse_optional_text(fields, "failure")
    return Row(
        key=parse_key(fields),
        entry_id=parse_text(fields, "entryId"),
        made=None if failure else _parse_made(fields),
        failure=failure,
    )


def parse_key(fields: Fields) -> RowKey:
    """Return what the line of a row or of a score is about.

    Raises:
        ShapeError: a field is missing or of another type.
    """
    return RowKey(
        session=parse_text(fields, "session"),
        compaction=_from_one(fields, "compaction"),
        arm=parse_text(fields, "arm"),
        repeat=_from_one(fields, "repeat"),
    )


def _parse_made(fields: Fields) -> Made:
    details = fields.get("details")
    return Made(
        text=parse_text(fields, "text"),
        details=None if details is None else parse_object(details, "details"),
        from_hook=parse_flag(fields, "fromHook"),
        tokens_in=parse_count(fields, "tokensIn"),
        tokens_out=parse_count(fields, "tokensOut"),
        tokens_cached=parse_count(fields, "tokensCached"),
        seconds=parse_number(fields, "seconds"),
        n_calls=parse_count(fields, "nCalls") or 0,
        note=parse_optional_text(fields, "note"),
        is_narrative_less=parse_flag(fields, "narrativeLess"),
        n_dropped=parse_count(fields, "dropped") or 0,
        plan=None if fields.get("plan") is None else parse_text(fields, "plan"),
    )


def _from_one(fields: Fields, name: str) -> int:
    number = parse_count(fields, name)
    if not number:
        raise FieldValueError(name, "a number from 1 on", fields.get(name))
    return number
