"""Models that go against what the user corrected: what was dropped, restored or pinned stays so."""

import pytest

from longhaul.compaction.state import is_in_force
from longhaul.transcript.entries import CustomEntry
from tests.build import assistant, custom, user
from tests.compaction.model_asking import ask, diff, lift_item, name_of, rule_item, session
from tests.compaction.model_checks import check_outcome
from tests.compaction.model_sessions import (
    ASK_FIRST,
    BEGINNING,
    FORMATTER,
    LOWER_CASE,
    MAY_PUSH,
    NO_CLICK,
    SESSIONS,
    WINDOW,
)


def test_what_the_user_dropped_does_not_come_back_in_other_words_of_its_message() -> None:
    given = SESSIONS["corrected"]
    quotes = (
        LOWER_CASE,
        LOWER_CASE.removeprefix("Always "),
        f"{LOWER_CASE} And read the station list.",
        "commit subjects in lower case. And read the station list.",
        f"without asking me. {LOWER_CASE}",
    )
    outcome = ask(given, diff(rules=[rule_item("u3", quote) for quote in quotes]))
    check_outcome(outcome, given.offline, {("rule", "corrected by the user", False): 5})


@pytest.mark.parametrize("again", [LOWER_CASE, LOWER_CASE.upper()])
def test_what_the_user_dropped_does_not_come_back_where_it_was_said_before(again: str) -> None:
    drop = custom("longhaul", {"drop": {"entryId": "e9", "text": LOWER_CASE}})
    said = diff(rules=[rule_item("u4", again)])
    given = session([*BEGINNING, user(again), assistant("Good."), drop], WINDOW)
    check_outcome(ask(given, said), given.offline, {("rule", "corrected by the user", False): 1})
    anew = session([*BEGINNING, drop, user(again), assistant("Good.")], WINDOW)
    assert is_in_force(ask(anew, said).state.rules[-1])


def test_what_the_user_restored_or_pinned_is_not_lifted() -> None:
    given = SESSIONS["corrected"]
    restored, pinned = name_of(given, ASK_FIRST), name_of(given, NO_CLICK)
    said = diff(
        lifts=[
            lift_item(restored, "u8", MAY_PUSH),
            lift_item("u3", "u8", MAY_PUSH),
            lift_item(pinned, "u8", MAY_PUSH),
            lift_item(pinned, "u9", FORMATTER),
        ],
        rules=[rule_item("u8", MAY_PUSH)],
        oneOffs=[restored, pinned, "u3"],
    )
    dropped = {
        ("lift", "corrected by the user", False): 4,
        ("one-off", "corrected by the user", False): 3,
        ("rule", "corrected by the user", False): 1,
    }
    check_outcome(ask(given, said), given.offline, dropped)


def test_a_rule_that_the_user_pins_in_its_own_words_is_not_lifted() -> None:
    loosened = "Upper case is fine in commit subjects."
    before = [
        *BEGINNING,
        custom("longhaul", {"pin": {"text": LOWER_CASE}}),
        user(loosened),
        assistant("Good."),
    ]
    free = session([entry for entry in before if not isinstance(entry, CustomEntry)], WINDOW)
    said = diff(lifts=[lift_item("r2", "u4", loosened)], oneOffs=["r2"])
    assert not is_in_force(ask(free, said).state.rules[1])
    given = session(before, WINDOW)
    check_outcome(
        ask(given, said),
        given.offline,
        {
            ("lift", "corrected by the user", False): 1,
            ("one-off", "corrected by the user", False): 1,
        },
    )
