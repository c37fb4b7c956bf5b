"""What the user corrects by name stays corrected, wherever the state is built."""

import pytest

from longhaul.compaction.corrections import (
    Refused,
    Resolution,
    Resolved,
    Verb,
    find_correction,
    resolve_correction,
)
from longhaul.compaction.fold import advance
from longhaul.compaction.state import Rule, State, is_in_force
from longhaul.transcript.entries import CustomEntry, Entry, JsonValue, Path
from tests.build import assistant, compaction, custom, path, user

RULE = "Never push without asking me."
LIFT = "You may push without asking me from now on."
SESSION: tuple[Entry, ...] = (user(RULE), assistant("ok"), user(LIFT), assistant("ok"))


def folded(entries: Path) -> State:
    return advance(State(), entries, 0, len(entries))


def corrected(entries: tuple[Entry, ...], verb: Verb, argument: str) -> tuple[Entry, ...]:
    """Return `entries` and the user's correction of the state that they give."""
    resolved = resolve_correction(folded(path(*entries)), verb, argument)
    assert isinstance(resolved, Resolved)
    return (*entries, custom("longhaul", resolved.data))


def rules(*entries: Entry) -> tuple[Rule, ...]:
    return folded(path(*entries)).rules


def test_a_dropped_rule_is_no_longer_in_force() -> None:
    (rule,) = rules(*corrected(SESSION[:2], "drop", "r1"))
    assert (rule.quote.text, rule.correction, is_in_force(rule)) == (RULE, "dropped", False)


def test_a_restored_rule_is_in_force_again() -> None:
    assert not is_in_force(rules(*SESSION)[0])
    rule = rules(*corrected(SESSION, "restore", "r1"))[0]
    assert (rule.lifted_by, rule.correction, is_in_force(rule)) == (None, "restored", True)


def test_what_the_user_says_later_still_lifts_a_restored_rule() -> None:
    again = (*corrected(SESSION, "restore", "r1"), user(LIFT))
    assert not is_in_force(rules(*again)[0])


def test_a_pinned_rule_is_in_the_users_words() -> None:
    pinned = corrected(SESSION[:2], "pin", "  Ask  before\nadding a dependency ")
    rule = rules(*pinned)[-1]
    assert (rule.number, rule.origin, rule.quote.turn) == (2, "pin", 1)
    assert (rule.quote.entry_id, rule.quote.text) == ("e3", "Ask before adding a dependency")


def test_a_rule_pinned_twice_is_one() -> None:
    once = corrected((), "pin", "no new dependencies")
    assert len(rules(*once, *once)) == 1


def test_a_secret_in_a_pinned_rule_is_masked() -> None:
    secret = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    assert secret not in rules(*corrected((), "pin", f"deploy with {secret}"))[0].quote.text


def test_what_a_session_keeps_of_a_pinned_rule_is_masked_seen_and_short() -> None:
    secret = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    argument = f"\x1b[31mdeploy\u200b with {secret} " + "x" * 1_000
    words = ("deploy with [masked: GitHub token] " + "x" * 1_000)[:500]
    assert resolve_correction(State(), "pin", argument) == Resolved(
        data={"pin": {"text": words}}, notice="pinned as r1 (its first 500 characters)"
    )


def test_a_dropped_rule_can_be_restored() -> None:
    both = corrected(corrected(SESSION[:2], "drop", "r1"), "restore", "r1")
    assert [rule.correction for rule in rules(*both)] == ["restored"]


@pytest.mark.parametrize(
    ("verb", "argument", "reason"),
    [
        ("drop", "", "name a rule to drop: r1"),
        ("drop", "r7", "there is no r7; name a rule to drop: r1"),
        ("restore", "7", "there is no r7; there is no rule to restore"),
        ("drop", "r1 r2", "one rule at a time; name a rule to drop: r1"),
        ("drop", "r1, r2 and 3", "one rule at a time; name a rule to drop: r1"),
        ("drop", "the first", "name a rule to drop: r1"),
        ("restore", "r1", "r1 is in force already"),
        ("pin", "  ", "say the rule: /longhaul pin TEXT"),
        ("pin", "\u200b\x00", "say the rule: /longhaul pin TEXT"),
    ],
)
def test_what_names_no_rule_is_refused_in_a_line(verb: Verb, argument: str, reason: str) -> None:
    refused: Resolution = resolve_correction(folded(path(user(RULE))), verb, argument)
    assert refused == Refused(reason)


def test_a_rule_that_was_dropped_is_not_dropped_again() -> None:
    dropped = folded(path(*corrected(SESSION[:2], "drop", "r1")))
    assert resolve_correction(dropped, "drop", "r1") == Refused("r1 is no longer in force")


@pytest.mark.parametrize(
    "data",
    [
        None,
        "drop",
        {"enabled": True},
        {"drop": "r3"},
        {"drop": {"entryId": 3, "text": RULE}},
        {"pin": {"text": "  "}},
        {"pin": {"text": "\x1b[31m\u200b"}},
        {"pin": {}},
    ],
)
def test_an_entry_that_is_no_correction_changes_nothing(data: JsonValue) -> None:
    entries = path(user(RULE), custom("longhaul", data))
    assert find_correction(entries[1]) is None
    assert folded(entries) == folded(entries[:1])


def test_another_extensions_entry_is_no_correction() -> None:
    entry = CustomEntry(id="e1", parent_id=None, custom_type="notes", data={"pin": {"text": "x"}})
    assert find_correction(entry) is None


def test_a_correction_of_a_rule_on_another_branch_is_passed_over() -> None:
    elsewhere = custom("longhaul", {"drop": {"entryId": "e99", "text": RULE}})
    assert rules(user(RULE), elsewhere) == rules(user(RULE))


def test_corrections_do_not_depend_on_where_compactions_fell() -> None:
    corrected_once = corrected(SESSION, "restore", "r1")
    pinned = corrected(corrected_once, "pin", "no new dependencies")
    entries = path(*pinned, user("go on"), compaction("s", "e5"))
    whole = folded(entries)
    for cut in range(len(entries) + 1):
        before = advance(State(), entries, 0, cut)
        assert advance(before, entries, cut, len(entries)) == whole
