"""Labels of recorded sessions: goal, rules, values, as a person read them in the user messages.

A file `labels.json` beside the sessions holds an object for each, by the session's file name
without `.jsonl`. What the format does not know is passed over and noted, never an error.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from longhaul.config.small_files import read_small_file
from longhaul.errors import LonghaulError
from longhaul.evals.fields import (
    Fields,
    FieldValueError,
    parse_list,
    parse_marker,
    parse_object,
    parse_objects,
    place_of,
)
from longhaul.evals.label_json import decode_labels
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import ShapeError

MAX_FILE_BYTES = 1 << 24
"""Far more than labels of a thousand sessions take."""
MAX_SPELLING_CHARS = 1_000
"""Far more than a token has: what is longer takes long to look for in a text that repeats it."""

_TURN = re.compile(r"u([1-9][0-9]{0,6})", re.ASCII)
_KNOWN = MappingProxyType(
    {
        "session": ("goal", "rules", "values", "doubtful", "oneOffs"),
        "goal": ("turn", "marker"),
        "rule": ("turn", "marker", "liftedAt"),
        "value": ("turn", "accept", "usedAt", "history"),
    }
)


class LabelError(LonghaulError):
    """A label file is not what the format says; names file, session and field."""


@dataclass(frozen=True, slots=True)
class GoalLabel:
    """The message that says what the session builds, 1 for `u1`, and how a line names it."""

    turn: int
    marker: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleLabel:
    """A standing rule that one user message gives."""

    turn: int
    """7 for `u7`; so everywhere here."""
    marker: str
    """A regular expression, searched in any case: a line that it matches names the rule."""
    lifted_at: int | None = None
    """The message that withdraws it; None while it stays in force."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueLabel:
    """A value that one turn makes and later turns use."""

    turn: int
    accept: tuple[str, ...]
    """Spellings, any of which counts as a whole token; at least one."""
    used_at: tuple[int, ...]
    history: bool = False
    """True where only the conversation holds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLabels:
    """What a person read in one session."""

    goal: GoalLabel | None = None
    """None for a chain of small tasks with no goal of its own."""
    rules: tuple[RuleLabel, ...] = ()
    values: tuple[ValueLabel, ...] = ()
    doubtful: tuple[int, ...] = ()
    """Messages that could be read either way: neither due nor stray."""
    one_offs: tuple[int, ...] = ()
    """Messages that sound like a rule and give none."""
    unknown: tuple["UnknownField", ...] = ()
    """Fields that the format does not know; they are not read."""


@dataclass(frozen=True, slots=True)
class UnknownField:
    """A field that the format does not know."""

    place: str
    """`csv-toolkit.rules[2].liftedat`."""
    known: tuple[str, ...]
    """The fields that may stand there."""


def load_labels(file: Path) -> Mapping[str, SessionLabels]:
    """Return the labels that a file holds, by session, in its order.

    Raises:
        LabelError: it cannot be read, is not JSON, or a field is not what it should be.
    """
    try:
        return parse_labels(decode_labels(read_small_file(file, max_bytes=MAX_FILE_BYTES)))
    except OSError as error:
        raise LabelError(f"{file}: cannot be read: {error.strerror or error}") from None
    except (ShapeError, ValueError) as error:
        raise LabelError(f"{file}: {error}") from None


def parse_labels(record: JsonValue) -> Mapping[str, SessionLabels]:
    """Return the labels of all sessions in a decoded file.

    Raises:
        ShapeError: a field is missing or holds what the format does not allow.
    """
    sessions = parse_object(record, "labels")
    return {_name(name): _session(value, name) for name, value in sessions.items()}


def _name(name: str) -> str:
    if not is_session_name(name) or name.endswith(".jsonl"):
        raise FieldValueError("a session's key", "a file name without .jsonl", name)
    return name


def is_session_name(name: str) -> bool:
    """Return whether a session may be called so: by a file beside the labels, and no other."""
    return bool(name.strip()) and not name.startswith(".") and set(name).isdisjoint("/\\\0")


def _session(value: JsonValue, within: str) -> SessionLabels:
    fields = parse_object(value, within)
    goal = fields.get("goal")
    rules = [] if _lacks(fields, "rules") else parse_objects(fields, "rules", within)
    values = [] if _lacks(fields, "values") else parse_objects(fields, "values", within)
    return SessionLabels(
        goal=None if goal is None else _goal(parse_object(goal, f"{within}.goal"), within),
        rules=tuple(_rule(rule, at) for at, rule in rules),
        values=tuple(_value(labelled, at) for at, labelled in values),
        doubtful=_optional_turns(fields, "doubtful", within),
        one_offs=_optional_turns(fields, "oneOffs", within),
        unknown=(
            *_unknown(fields, "session", within),
            *(_unknown(goal, "goal", f"{within}.goal") if isinstance(goal, dict) else ()),
            *(one for at, rule in rules for one in _unknown(rule, "rule", at)),
            *(one for at, labelled in values for one in _unknown(labelled, "value", at)),
        ),
    )


def _goal(fields: Fields, within: str) -> GoalLabel:
    place = f"{within}.goal"
    return GoalLabel(_turn(fields.get("turn"), f"{place}.turn"), parse_marker(fields, place))


def _rule(fields: Fields, within: str) -> RuleLabel:
    turn = _turn(fields.get("turn"), f"{within}.turn")
    lifted_at: int | None = None
    if not _lacks(fields, "liftedAt"):
        lifted_at = _later(fields["liftedAt"], turn, f"{within}.liftedAt")
    return RuleLabel(turn=turn, marker=parse_marker(fields, within), lifted_at=lifted_at)


def _value(fields: Fields, within: str) -> ValueLabel:
    turn = _turn(fields.get("turn"), f"{within}.turn")
    history = False if _lacks(fields, "history") else fields["history"]
    if not isinstance(history, bool):
        raise ShapeError(f"{within}.history", "true or false", history)
    return ValueLabel(
        turn=turn,
        accept=_accept(fields, within),
        used_at=tuple(_later(use, turn, at) for at, use in parse_list(fields, "usedAt", within)),
        history=history,
    )


def _accept(fields: Fields, within: str) -> tuple[str, ...]:
    spellings = parse_list(fields, "accept", within)
    if not spellings:
        raise FieldValueError(place_of("accept", within), "at least one spelling", [])
    for place, spelling in spellings:
        if not isinstance(spelling, str):
            raise ShapeError(place, "str", spelling)
        if not spelling.strip() or len(spelling) > MAX_SPELLING_CHARS:
            expected = f"a spelling of at most {MAX_SPELLING_CHARS:,} characters"
            raise FieldValueError(place, expected, spelling)
    return tuple(str(spelling) for _, spelling in spellings)


def _optional_turns(fields: Fields, name: str, within: str) -> tuple[int, ...]:
    if _lacks(fields, name):
        return ()
    return tuple(_turn(turn, at) for at, turn in parse_list(fields, name, within))


def _turn(value: JsonValue, place: str) -> int:
    found = _TURN.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        expected = "a user message such as u7"
        is_shown = isinstance(value, str | int | float)
        raise (FieldValueError if is_shown else ShapeError)(place, expected, value)
    return int(found[1])


def _later(value: JsonValue, turn: int, place: str) -> int:
    later = _turn(value, place)
    if later <= turn:
        raise FieldValueError(place, f"a user message after u{turn}", value)
    return later


def _lacks(fields: Fields, name: str) -> bool:
    return fields.get(name) is None


def _unknown(fields: Fields, kind: str, within: str) -> Iterator[UnknownField]:
    known = _KNOWN[kind]
    return (UnknownField(f"{within}.{name}", known) for name in fields if name not in known)
