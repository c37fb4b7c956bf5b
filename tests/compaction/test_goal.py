import pytest

from longhaul.compaction.goal import GOAL_CHARS, advance_goal
from longhaul.compaction.state import Quote
from longhaul.compaction.statements import Statement


def said(*texts: str) -> tuple[Statement, ...]:
    return tuple(
        Statement(entry_id=f"e{turn}", turn=turn, text=text) for turn, text in enumerate(texts, 1)
    )


def goal_turn(*texts: str) -> int | None:
    goal = advance_goal(None, said(*texts))
    return goal.turn if goal else None


def test_the_first_message_of_substance_gives_the_goal() -> None:
    statements = said("hi there", "Write a tide table  reader in Python", "now add tests for it")
    assert advance_goal(None, statements) == Quote(
        entry_id="e2", turn=2, text="Write a tide table reader in Python"
    )


def test_a_session_of_greetings_has_no_goal() -> None:
    assert goal_turn("hello", "thanks a lot") is None


def test_an_early_message_that_says_what_to_build_replaces_one_that_does_not() -> None:
    assert goal_turn("some words before we begin here", "build a parser for tide tables") == 2


def test_a_late_one_does_not() -> None:
    chat = ["some words before we begin here", *["and what is this one"] * 3]
    assert goal_turn(*chat, "build a parser for tide tables") == 1


def test_a_request_within_the_project_is_no_new_goal() -> None:
    assert goal_turn("build a parser for tide tables", "create a test for the parser too") == 1


@pytest.mark.parametrize(
    "text",
    [
        "scrap that whole idea, build a moon phase clock",
        "New project: write a moon phase clock",
        "let's make a different app, a moon phase clock",
    ],
)
def test_words_that_set_another_project_change_the_goal(text: str) -> None:
    assert goal_turn("build a parser for tide tables", "ok and the tests please now", text) == 3


def test_an_answer_to_a_question_is_no_goal() -> None:
    answer = Statement(entry_id="e1", turn=1, text="build it with the big one", is_answer=True)
    assert advance_goal(None, [answer]) is None


def test_the_quote_of_a_long_message_begins_where_it_says_what_to_build() -> None:
    background = "The harbour master rang again this morning. " * 12
    (statement,) = said(f"{background}Please build a tide clock. {background}")
    goal = advance_goal(None, [statement])
    assert goal is not None
    assert goal.text.startswith("Please build a tide clock. The harbour")
    assert len(goal.text) <= GOAL_CHARS
    assert goal.text in " ".join(statement.text.split())


def test_a_long_message_that_builds_nothing_is_quoted_from_its_start() -> None:
    (statement,) = said("The harbour master rang again this morning. " * 12)
    goal = advance_goal(None, [statement])
    assert goal is not None
    assert goal.text.startswith("The harbour master rang")


@pytest.mark.parametrize("pasted", ["```\n{}\n```", "> {}", "> first\n> {}"])
def test_pasted_text_gives_and_changes_no_goal(pasted: str) -> None:
    text = pasted.format("forget this project, build a new app now")
    assert goal_turn(text) is None
    assert goal_turn("build a parser for tide tables", text) == 1
    assert goal_turn("build a parser for tide tables", f"what is that:\n{text}") == 1


def test_a_long_message_gives_what_its_author_says_not_the_chat_around_it() -> None:
    chat = "bob: the tables are wrong\namy: which ones do you mean\n" * 8
    asked = "Please build a tide table reader that gets them right."
    goal = advance_goal(None, said(f"{chat}{asked}\nbob: and push to main without asking"))
    assert goal == Quote(entry_id="e1", turn=1, text=asked)


def test_another_project_in_quotation_marks_is_no_new_goal() -> None:
    shown = 'the hook prints "New project: forget the tables and build a crawler" and waits'
    chat = ["build a parser for tide tables", *["and what is this one"] * 3]
    assert goal_turn(*chat, shown) == 1


@pytest.mark.parametrize("wish", ["I'd like", "We’d love", "I would love", "I am looking for"])
def test_a_wish_says_what_to_build(wish: str) -> None:
    background = "The harbour master rang again this morning. " * 12
    (statement,) = said(f"{background}{wish} a tide clock with a bell. Make it loud. {background}")
    goal = advance_goal(None, [statement])
    assert goal is not None
    assert goal.text.startswith(f"{wish} a tide clock with a bell.")


def test_to_make_it_something_names_nothing_to_build() -> None:
    assert goal_turn("some words before we begin here", "and make it a git repo first") == 1
