"""What `longhaul show --diffs` prints of a call: each item once, as what became of it."""

import io

from rich.console import Console

from longhaul.cli.call_lines import print_calls
from longhaul.compaction.diff.changes import Dropped
from longhaul.compaction.diff.items import Diff, LiftItem, OneOffItem, RuleItem
from longhaul.compaction.diff.record import CallRecord, dump_call
from longhaul.compaction.history import find_steps
from longhaul.transcript.entries import JsonValue
from tests.build import compaction, path, user

DIFF = Diff(
    rules=(RuleItem(message="u1", quote="no ORM"),),
    lifts=(LiftItem(rule="r1", message="u2", quote="tabs, then"),),
    one_offs=(OneOffItem(name="r2"),),
)
MARKED = (
    Dropped(kind="lift", item='r1 by u2: "tabs, then"', reason="no evidence", marked=True),
    Dropped(kind="one-off", item="r2", reason="no evidence", marked=True),
)
CALL = CallRecord(mode="state", model="scripted/one", n_calls=1, diff=DIFF, dropped=MARKED)


def kept(call: CallRecord | None) -> dict[str, JsonValue]:
    """Return what a compaction of Longhaul's keeps of a call."""
    record = {} if call is None else {"call": dump_call(call)}
    return {"longhaul": {"version": 2, "state": {}, **record}}


def shown(call: CallRecord | None, *, by_pi: bool = False) -> list[str]:
    """Return the lines for a session with one compaction that kept `call`."""
    details = {} if by_pi else kept(call)
    entries = path(user("x"), compaction("s", details=details))
    stream = io.StringIO()
    print_calls(Console(file=stream, width=120), list(find_steps(entries)))
    return stream.getvalue().splitlines()


def test_what_only_marks_a_rule_is_neither_taken_nor_dropped() -> None:
    assert shown(CALL) == [
        "1  line 3, by longhaul: scripted/one, mode state",
        "   1 item of the model's taken, 2 only marked, 0 dropped (? tokens in, ? out)",
        '   + rule u1: "no ORM"',
        '   ~ lift, no evidence: r1 by u2: "tabs, then"; the rule stays, marked',
        "   ~ one-off, no evidence: r2; the rule stays, marked",
    ]


def test_a_call_without_a_reply_shows_the_reason_alone() -> None:
    failed = CallRecord(mode="state", failure="no reply within 120 s")
    assert shown(failed) == [
        "1  line 3, by longhaul: the session's model, mode state",
        "   failed: no reply within 120 s",
    ]


def test_a_compaction_of_pis_own_is_none_of_ours() -> None:
    assert shown(None, by_pi=True) == ["1  line 3, by pi: not Longhaul's"]
    assert shown(None) == ["1  line 3, by longhaul: no model was asked"]


def test_no_text_of_a_recorded_call_acts_on_the_terminal() -> None:
    odd = "\x1b[31mred\x07"
    items = Diff(rules=(RuleItem(message=odd, quote=odd),))
    call = CallRecord(
        mode=odd, model=odd, n_calls=1, failure=odd, clipped=(odd,), diff=items, dropped=()
    )
    assert shown(call) == [
        "1  line 3, by longhaul: red, mode red",
        "   1 item of the model's taken, 0 dropped (? tokens in, ? out)",
        "   failed: red",
        "   in the request, for room: red",
        '   + rule red: "red"',
    ]
