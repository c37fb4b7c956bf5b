from longhaul.evals.turns import Turn, TurnTexts, find_turns, turn_texts
from tests.build import (
    assistant,
    branch_summary,
    call,
    compaction,
    custom,
    custom_message,
    message_entry,
    model_change,
    path,
    ran,
    result,
    system,
    user,
)

RUN = call("bash", command="./tide --all", timeout=30, env={"TZ": ["UTC"]}, quiet=True)
PATH = path(
    model_change(),
    user("Build it"),  # e2
    assistant("Running.", [RUN], thinking="not said"),
    result(RUN, "real 165.7 ms"),
    assistant("Done."),  # e5
    compaction(first_kept="e5"),
    custom("note"),
    user("go on"),  # e8
    custom_message("a hint"),
    ran("git status", "clean"),  # e10
    model_change(),
)


def test_turns_are_counted_by_user_messages_and_end_with_what_shows_something() -> None:
    assert find_turns(PATH) == (
        Turn(number=1, start=1, end=5, line=3, text="Build it"),
        Turn(number=2, start=7, end=10, line=9, text="go on"),
    )


def test_a_turn_goes_on_behind_a_compaction_that_was_made_in_it() -> None:
    (turn,) = find_turns(path(user("x"), compaction(), branch_summary("left"), model_change()))
    assert (turn.start, turn.end) == (0, 3)


def test_a_system_message_behind_the_last_word_is_no_part_of_a_turn() -> None:
    (turn,) = find_turns(path(user("x"), assistant("y"), message_entry(system("a tool more"))))
    assert (turn.start, turn.end) == (0, 2)


def test_a_path_without_a_user_message_has_no_turns() -> None:
    assert find_turns(path(assistant("hello"))) == ()


def test_the_texts_of_a_turn_are_told_apart_by_where_they_come_from() -> None:
    first, second = find_turns(PATH)
    assert turn_texts(PATH, first) == TurnTexts(
        said=("Running.", "Done."),
        printed=("real 165.7 ms",),
        called=("./tide --all", "30", "UTC"),
    )
    assert turn_texts(PATH, second) == TurnTexts(said=(), printed=("clean",), called=())
