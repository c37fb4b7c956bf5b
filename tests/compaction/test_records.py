from dataclasses import dataclass
from typing import Literal

import pytest

from longhaul.compaction.records import dump_record, parse_record
from longhaul.errors import TranscriptError
from longhaul.transcript.entries import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    name: str
    size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outer:
    first: Inner
    rest: tuple[Inner, ...] = ()
    other: Inner | None = None
    kind: Literal["a", "b"] = "a"
    score: float = 0.0
    flag: bool = False


OUTER = Outer(
    first=Inner(name="x"), rest=(Inner(name="y", size=2),), other=Inner(name="z"), score=0.5
)


def test_a_record_survives_the_way_through_json() -> None:
    assert parse_record(Outer, dump_record(OUTER), where="t") == OUTER


def test_fields_with_their_default_are_left_out() -> None:
    assert dump_record(OUTER) == {
        "first": {"name": "x"},
        "rest": [{"name": "y", "size": 2}],
        "other": {"name": "z"},
        "score": 0.5,
    }


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (None, "t: expected object, got NoneType"),
        ({}, "t: "),
        ({"first": {"name": 1}}, "t.first.name: unexpected int"),
        ({"first": {"name": "x", "size": True}}, "t.first.size: unexpected bool"),
        ({"first": {"name": "x"}, "rest": {}}, "t.rest: expected list, got dict"),
        ({"first": {"name": "x"}, "rest": [{"name": "y"}, 3]}, "t.rest[1]: expected object"),
        ({"first": {"name": "x"}, "kind": "c"}, "t.kind: unexpected str"),
        ({"first": {"name": "x"}, "flag": 1}, "t.flag: unexpected int"),
        ({"first": {"name": "x"}, "score": "1"}, "t.score: unexpected str"),
        ({"first": {"name": "x"}, "extra": 1}, "t: unknown field 'extra'"),
    ],
)
def test_another_shape_is_refused_by_name(record: JsonValue, message: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        parse_record(Outer, record, where="t")
    assert str(caught.value).startswith(message)


def test_null_stands_for_none_where_none_is_allowed() -> None:
    assert parse_record(Outer, {"first": {"name": "x"}, "other": None}, where="t").other is None
    with pytest.raises(TranscriptError, match=r"t\.first"):
        parse_record(Outer, {"first": None}, where="t")


def test_an_integer_will_do_for_a_float() -> None:
    assert parse_record(Outer, {"first": {"name": "x"}, "score": 1}, where="t").score == 1
