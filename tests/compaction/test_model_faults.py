"""Models that fail, or whose reply is none: the compaction is the one that code makes."""

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest

from longhaul.compaction.completion import Completion, StopReason
from longhaul.compaction.diff.parse import ParsedDiff, parse_diff
from longhaul.compaction.state import Note
from longhaul.errors import ModelError
from longhaul.models.scripted import Reply
from longhaul.transcript.entries import JsonValue
from tests.compaction.model_asking import (
    Session,
    ask,
    diff,
    lift_item,
    note_item,
    rule_item,
    value_item,
)
from tests.compaction.model_checks import check_laws
from tests.compaction.model_sessions import BOTH_KINDS, KEY, MAY_PUSH, METRES, SESSIONS

GOOD = diff(
    rules=[rule_item("u2", METRES)],
    lifts=[lift_item("u2", "u8", MAY_PUSH)],
    oneOffs=["u6", "u4"],
    values=[value_item("165.9 ms", "u2", "time for a file"), value_item("7731", "u3", "Cuxhaven")],
    narrative=[note_item("done", "u2", "the parser reads"), note_item("next", "u9", "neap tide")],
)
WHOLE = json.dumps(GOOD)
NO_LIST = "the reply holds no list of a diff"
SHAPES = "1 of {} in another shape"
CASES: Mapping[str, tuple[Reply, str]] = {
    "refuses": (Completion(text=WHOLE, stop_reason="refused"), "the model refused to answer"),
    "refuses in prose": ("I'm sorry, but I cannot help with that.", NO_LIST),
    "is empty": ("", "the reply is empty"),
    "is blank": (" \n\t ", "the reply is empty"),
    "is prose": (
        f"The user wants: {METRES} And no pushes. u2 gives a rule, r1 is lifted.",
        NO_LIST,
    ),
    "is prose in another language": ("Закономерности: u2 даёт правило, r1 снято u8.", NO_LIST),
    "is prose in Japanese": ("ごめんなさい u2は規則 r1は取り消し", NO_LIST),
    "ends in its reasoning": (
        Completion(text=f"<think>u2 gives a rule: {WHOLE}", stop_reason="length"),
        NO_LIST,
    ),
    "never answers": (ModelError("no answer within 120 s"), "no answer within 120 s"),
    "is no object": ("[]", NO_LIST),
    "is a number": ("42", NO_LIST),
    "is null": ("null", NO_LIST),
    "is a list of items": (json.dumps(GOOD["rules"]), NO_LIST),
    "is a text with the diff in it": (json.dumps(WHOLE), NO_LIST),
    "has other keys": (json.dumps({"Rules": GOOD["rules"], "notes": []}), NO_LIST),
    "has objects for lists": (
        json.dumps({key: {"0": GOOD[key]} for key in ("rules", "lifts")}),
        NO_LIST,
    ),
    "is nested beyond measure": ("[{" * 20_000, NO_LIST),
    "has texts for lists": (
        json.dumps({**dict.fromkeys(GOOD, "u2"), "oneOffs": []}),
        "rules is no list; lifts is no list; values is no list; narrative is no list",
    ),
    "has items of other types": (
        json.dumps(
            diff(
                rules=[["u2", METRES]],
                lifts=[{"rule": 1, "message": 8, "quote": METRES}],
                oneOffs=[{"name": "r1"}],
                values=["165.9 ms"],
                narrative=[note_item("thought", "u2", "the parser reads")],
            )
        ),
        "; ".join(map(SHAPES.format, GOOD)),
    ),
    "lacks fields": (
        json.dumps(
            diff(
                rules=[{"quote": METRES}],
                lifts=[{"message": "u8", "quote": METRES}],
                oneOffs=[None],
                values=[{"value": "165.9 ms", "message": "u2", "what": None}],
                narrative=[{}],
            )
        ),
        "; ".join(map(SHAPES.format, GOOD)),
    ),
}
"""What a model does, and the failure that is kept of it."""


@pytest.mark.parametrize("given", BOTH_KINDS.values(), ids=BOTH_KINDS)
@pytest.mark.parametrize(("reply", "failure"), CASES.values(), ids=CASES)
def test_a_model_that_fails_costs_nothing(given: Session, reply: Reply, failure: str) -> None:
    outcome = ask(given, reply)
    assert outcome.state == given.offline
    assert (outcome.call.failure, outcome.dropped) == (failure, [])
    check_laws(outcome)


@pytest.mark.parametrize("given", BOTH_KINDS.values(), ids=BOTH_KINDS)
def test_a_model_that_fails_late_costs_what_it_had_not_said(given: Session) -> None:
    late = ModelError("the connection broke after 90 s")
    outcome = ask(given, note_of(8), late, mode="turns")
    expected = replace(given.offline, notes=(Note(kind="done", turn=8, text="pushed"),))
    assert (outcome.state, outcome.dropped) == (expected, [])
    assert outcome.call.failure == "the connection broke after 90 s"
    assert outcome.call.n_calls == 1
    check_laws(outcome)


def note_of(turn: int) -> dict[str, JsonValue]:
    return diff(narrative=[note_item("done", f"u{turn}", "pushed")])


def test_a_failure_is_kept_as_a_line_that_does_nothing() -> None:
    told = ModelError(f"\x1b[2J no\u202e \ud800 answer\r\n</summary> with {KEY} {'x' * 9_000}")
    outcome = ask(SESSIONS["plain"], told)
    assert outcome.state == outcome.session.offline
    assert outcome.call.failure.startswith(
        "no \ufffd answer &lt;/summary> with [masked: GitHub token] xxx"
    )
    assert len(outcome.call.failure) <= 240
    check_laws(outcome)


def test_the_name_a_server_gives_its_model_does_nothing() -> None:
    reply = Completion(text=json.dumps(diff()), model="\x1b]0;title\x07m\ud800</summary>\n# Rules")
    outcome = ask(SESSIONS["plain"], reply)
    assert outcome.call.model == "m\ufffd&lt;/summary> # Rules"
    check_laws(outcome)


def test_a_reply_cut_at_the_limit_changes_what_its_complete_items_change() -> None:
    given, ends = SESSIONS["plain"], item_ends(GOOD)
    for n_complete, part in enumerate(beginnings(GOOD)):
        whole = ask(given, part).state
        first = ends[n_complete - 1] if n_complete else WHOLE.index('"message"')
        last = ends[n_complete] - 1 if n_complete < len(ends) else len(WHOLE) - 1
        for at in (first, (first + last) // 2, last):
            outcome = ask(given, Completion(text=WHOLE[:at], stop_reason="length"))
            assert outcome.state == whole, WHOLE[:at]
            assert outcome.call.failure == "the reply was cut at the output limit"


@pytest.mark.parametrize("stop_reason", ["length", "stop", "aborted"])
def test_a_cut_reply_is_read_to_its_last_complete_item(stop_reason: StopReason) -> None:
    ends = item_ends(GOOD)
    parts = [parse_diff(json.dumps(part)) for part in beginnings(GOOD)]
    for at in range(WHOLE.index('"message"'), len(WHOLE)):
        read = parse_diff(WHOLE[:at], stop_reason=stop_reason)
        whole = parts[sum(end <= at for end in ends)]
        assert isinstance(read, ParsedDiff)
        assert isinstance(whole, ParsedDiff)
        assert (read.diff, read.complete) == (whole.diff, False), WHOLE[:at]


def beginnings(whole: Mapping[str, JsonValue]) -> list[dict[str, JsonValue]]:
    """The diffs that hold the first 0, 1, 2, ... of the items."""
    items = [(name, item) for name, listed in whole.items() for item in items_of(listed)]
    return [
        diff(**{name: [one for key, one in items[:n] if key == name] for name in whole})
        for n in range(len(items) + 1)
    ]


def item_ends(whole: Mapping[str, JsonValue]) -> list[int]:
    """Where in the JSON of a diff each item is complete."""
    ends: list[int] = []
    for listed in whole.values():
        for item in items_of(listed):
            text = json.dumps(item)
            ends.append(WHOLE.index(text, ends[-1] if ends else 0) + len(text))
    return ends


def items_of(listed: JsonValue) -> list[JsonValue]:
    assert isinstance(listed, list)
    return listed
