"""Which messages of the user a rules section keeps verbatim."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.compaction.white_space import fold_space
from longhaul.evals.measures.amounts import Count
from longhaul.evals.measures.corrected import find_corrections
from longhaul.evals.measures.corrections import corrections, earlier_corrections
from tests.build import assistant, call, compaction, path, result, user
from tests.evals.measures.occasions import judged

ASKS = call("question", question="Tabs?")
SESSION = path(
    user("Never use\n tabs here, please."),  # u1
    assistant("I must say: always."),
    user("We write British English."),  # u2
    compaction(first_kept="e3"),
    user("Don’t touch main."),  # u3
    assistant(calls=[ASKS]),
    result(ASKS, "User wrote: never tabs"),
    user('<file name="a.md">You must never.</file>\nRead this.'),  # u4
    user("STOP asking"),  # u5, e9
    compaction(first_kept="e9"),
    user("You must wait."),
    compaction(),
)
RULES = "# Rules\n- “Never use tabs here”\n# Next\n- Don’t touch main.\n"


def test_a_message_with_a_rule_word_is_due_when_its_span_is_closed() -> None:
    assert judged(corrections, SESSION, RULES) == Count(kept=("u1",))
    assert judged(corrections, SESSION, "", number=2) == Count(lost=("u3",))
    assert judged(corrections, SESSION, "", number=3) == Count(lost=("u5", "u6"))


def test_earlier_ones_are_due_again_and_only_the_rules_section_keeps_them() -> None:
    assert judged(earlier_corrections, SESSION, RULES) == Count()
    assert judged(earlier_corrections, SESSION, RULES, number=2) == Count(kept=("u1",))
    assert judged(earlier_corrections, SESSION, RULES, number=3) == Count(
        kept=("u1",), lost=("u3",)
    )


@pytest.mark.parametrize(
    ("section", "kept"),
    [
        ("se tabs here", ("u1",)),
        ("use tabs\nhere, p", ("u1",)),
        ("e tabs here", ()),
        ("NEVER USE TABS HERE", ()),
        ("Here tabs are never used, if you please.", ()),
    ],
)
def test_twelve_characters_in_a_row_keep_a_message(section: str, kept: tuple[str, ...]) -> None:
    assert judged(corrections, SESSION, section).kept == kept


def test_a_shorter_message_must_stand_there_whole() -> None:
    kept = judged(corrections, SESSION, "- STOP asking me", number=3).kept
    assert kept == ("u5",)
    assert judged(corrections, SESSION, "- STOP askin", number=3).kept == ()


@pytest.mark.parametrize(
    ("text", "n_due"),
    [
        ("do  not", 1),
        ("don't", 1),
        ("ALWAYS", 1),
        ("It stopped; a nevertheless mustard.", 0),
        ("Use tabs.", 0),
    ],
)
def test_rule_words_are_whole_words_in_any_case(text: str, n_due: int) -> None:
    assert judged(corrections, path(user(text), compaction()), "").n_due == n_due


LETTERS = st.text("ab ", max_size=30)


@given(LETTERS, LETTERS, LETTERS, LETTERS)
def test_a_message_is_kept_where_a_window_of_it_stands_in_the_section(
    before: str, same: str, behind: str, other: str
) -> None:
    message = fold_space(f"never {before} {same}{behind}")
    section = fold_space(f"{other}{same} {before}")
    windows = [message[start : start + 12] for start in range(max(1, len(message) - 11))]
    found = find_corrections(path(user(message))).kept_in(section)
    assert found == {"u1" for window in windows if window in section}


def test_a_message_and_a_section_of_one_sign_are_compared_at_once() -> None:
    session = path(user(f"Never {'-' * 20_000}"), user(f"Stop {'=-' * 9_000}"), compaction())
    assert judged(corrections, session, "-" * 100_000) == Count(kept=("u1",), lost=("u2",))
    assert judged(corrections, session, "-=" * 50_000) == Count(kept=("u2",), lost=("u1",))
