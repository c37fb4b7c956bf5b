from dataclasses import replace

import pytest

from longhaul.compaction.diff.changes import DropReason, OneOff
from longhaul.compaction.diff.items import Diff, OneOffItem, RuleItem
from longhaul.compaction.diff.verify_one_offs import is_for_once
from longhaul.compaction.fold import advance
from longhaul.compaction.state import Correction, Quote, Rule, RuleOrigin, State
from longhaul.transcript.entries import Path
from tests import build
from tests.compaction.diff.diffs import verified

ONCE = "In this commit leave the changelog alone."
LASTING = "Leave the changelog alone."


def session(*texts: str, rules: tuple[int, ...] = ()) -> tuple[State, Path]:
    """A path of messages, and a state with the whole of some messages as rules."""
    path = build.path(*map(build.user, texts))
    given = tuple(
        Rule(number=n, quote=Quote(entry_id=f"e{turn}", turn=turn, text=texts[turn - 1]))
        for n, turn in enumerate(rules, 1)
    )
    state = advance(State(), path, 0, len(path))
    return replace(state, rules=given, n_rules=len(given)), path


def outcome(name: str, state: State, path: Path) -> tuple[list[bool], list[DropReason]]:
    """Of each rule called a one-off whether that is certain, and why items were dropped."""
    seen = verified(Diff(one_offs=(OneOffItem(name=name),)), state, path)
    return [one.certain for one in seen.changes.one_offs], [one.reason for one in seen.dropped]


@pytest.mark.parametrize("name", ["r1", "u1"])
def test_a_rule_whose_words_are_for_once_ends_with_its_request(name: str) -> None:
    state, path = session(ONCE, rules=(1,))
    seen = verified(Diff(one_offs=(OneOffItem(name=name),)), state, path)
    assert seen.changes.one_offs == (OneOff(rule=state.rules[0].quote, certain=True),)
    assert (seen.kept.one_offs, seen.dropped) == ((OneOffItem(name=name),), ())


def test_without_such_words_the_rule_stays_and_is_marked() -> None:
    state, path = session(LASTING, rules=(1,))
    seen = verified(Diff(one_offs=(OneOffItem(name="r1"),)), state, path)
    assert [one.certain for one in seen.changes.one_offs] == [False]
    assert [(one.reason, one.marked) for one in seen.dropped] == [("no evidence", True)]


@pytest.mark.parametrize(
    ("words", "once"),
    [
        ("no tests this one time, please", True),
        ("skip the linter just this once", True),
        ("leave it alone in this patch", True),
        ("I want to read it first, so don't commit yet", True),
        ("bitte noch nicht einchecken", True),
        ("never deploy to servers that are not patched yet", False),
        ("never deploy to servers that do not answer yet", False),
        ("nur heute bitte ohne Tests", True),
        ("这一次不用写测试", True),
        ("no tests, this time and in every future batch", False),
        ("work on the sample for now, never on the full table", False),
        ("for this repo: British spelling", False),
        ("never restart the proxy", False),
    ],
)
def test_words_for_once_are_told_from_those_that_last(words: str, once: bool) -> None:  # noqa: FBT001
    assert is_for_once(words) is once


@pytest.mark.parametrize(("origin", "correction"), [("code", "restored"), ("pin", "none")])
def test_what_the_user_restored_or_pinned_is_no_one_off(
    origin: RuleOrigin, correction: Correction
) -> None:
    state, path = session(ONCE, rules=(1,))
    rule = replace(state.rules[0], origin=origin, correction=correction)
    assert outcome("r1", replace(state, rules=(rule,)), path) == ([], ["corrected by the user"])


@pytest.mark.parametrize("name", ["r2", "u9", "x", ""])
def test_what_there_is_not_is_no_one_off(name: str) -> None:
    state, path = session(LASTING, rules=(1,))
    assert outcome(name, state, path) == ([], ["unknown name"])


def test_a_message_that_does_not_look_like_a_rule_is_ruled_out() -> None:
    state, path = session("fix the login page, never mind the footer")
    seen = verified(Diff(one_offs=(OneOffItem(name="u1"),)), state, path)
    assert (seen.changes.no_rules, seen.dropped) == (("e1",), ())


def test_a_message_that_looks_like_a_rule_is_not_ruled_out() -> None:
    state, path = session("our customers pay in local currency here")
    seen = verified(Diff(one_offs=(OneOffItem(name="u1"),)), state, path)
    assert (seen.changes.no_rules, [one.reason for one in seen.dropped]) == ((), ["no evidence"])


def test_what_the_same_diff_calls_a_rule_is_not_ruled_out() -> None:
    text = "amounts here are cents"
    state, path = session(text)
    diff = Diff(rules=(RuleItem(message="u1", quote=text),), one_offs=(OneOffItem(name="u1"),))
    changes = verified(diff, state, path).changes
    assert ([new.quote.text for new in changes.new_rules], changes.no_rules) == ([text], ())


def test_of_a_model_that_calls_every_rule_a_one_off_nothing_is_believed() -> None:
    texts = (ONCE, LASTING, "Never push to main.", "Amounts are in cents.", "No new packages.")
    state, path = session(*texts, rules=(1, 2, 3, 4, 5))
    diff = Diff(one_offs=tuple(OneOffItem(name=f"r{n}") for n in range(1, 6)))
    seen = verified(diff, state, path)
    assert seen.changes.one_offs == ()
    assert [(one.reason, one.marked) for one in seen.dropped] == [("no evidence", False)] * 5
