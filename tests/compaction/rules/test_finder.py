import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.compaction.rules.finder import find_rules


def sure(message: str) -> list[str]:
    return [candidate.quote for candidate in find_rules(message) if candidate.sure]


@pytest.mark.parametrize(
    "message",
    [
        "From now on write every commit message in Dutch.",
        "Never edit the files under thirdparty/, they come from upstream.",
        "Always ask me before you install anything in this project.",
        "Ab jetzt bitte immer Tests schreiben, bevor du etwas änderst.",
        "you don't deploy anything, ever, that's my job",
    ],
)
def test_a_standing_instruction_is_sure(message: str) -> None:
    assert sure(message) == [message]


@pytest.mark.parametrize(
    "message",
    [
        "can you add a spinner to the login form",
        "still the same error, line 12",
        "should we always cache these results?",
        "thanks, looks good",
        "just this once, skip the tests",
        "The parser must reject empty input and never crash.",
        "Run it again and show me the output.",
        "I always forget how that flag works",
    ],
)
def test_a_request_a_report_or_a_question_is_not(message: str) -> None:
    assert sure(message) == []


def test_only_the_rule_of_a_task_is_sure() -> None:
    message = (
        "The export drops the last row. Can you find out why?"
        " In general I want a regression test with every bug you fix in this repo."
    )
    assert sure(message) == [
        "In general I want a regression test with every bug you fix in this repo."
    ]


def test_items_under_a_heading_that_announces_rules_are_rules_each() -> None:
    message = (
        "House rules for this project:\n- never push to main\n- always ask before you delete files"
    )
    assert sure(message) == ["never push to main", "always ask before you delete files"]


def test_pasted_text_gives_no_rule() -> None:
    message = "from their wiki:\n\n> From now on always sign your commits.\n\nwhat does it mean?"
    assert sure(message) == []


def test_the_likeliest_of_the_rest_come_last_and_are_few() -> None:
    found = find_rules("Add a test. Rename the file. Push it. Tell me. Then stop. Thanks.")
    assert [candidate.sure for candidate in found] == [False] * 3
    assert [c.score for c in found] == sorted((c.score for c in found), reverse=True)


def test_a_long_rule_is_clipped_at_a_word() -> None:
    message = "From now on always " + "write very careful tests and " * 30 + "ask me first."
    (found,) = [candidate for candidate in find_rules(message) if candidate.sure]
    assert len(found.quote) <= 300
    assert message.startswith(found.quote + " ")


def test_a_message_of_pasted_text_alone_gives_nothing() -> None:
    assert find_rules("```\nnever push\n```") == ()
    assert find_rules("") == ()


@given(st.text(max_size=300))
def test_every_quote_is_verbatim_and_every_score_a_probability(message: str) -> None:
    for candidate in find_rules(message):
        assert candidate.quote == message[candidate.start : candidate.end]
        assert 0 <= candidate.score <= 1


def test_equal_messages_give_equal_candidates() -> None:
    message = "Please never touch vendor/. Fix the header. And keep it short from now on."
    assert find_rules(message) == find_rules(message)
