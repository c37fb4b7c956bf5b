"""What a query may mean."""

import pytest

from longhaul.compaction.recall.query import Query, Turns, parse_queries, parse_turns


def meanings(text: str) -> list[tuple[tuple[str, ...], list[str], Turns | None]]:
    """Return the exact parts, the words and the turns of each meaning."""
    return [
        (query.exact, [term.text for term in query.terms], query.turns)
        for query in parse_queries(text)
    ]


def test_words_are_looked_for_as_words_and_then_to_the_letter() -> None:
    assert meanings(" the port ") == [((), ["the", "port"], None), (("the port",), [], None)]


def test_what_stands_in_quotes_is_exact() -> None:
    assert meanings('port "a  b" of') == [(("a  b",), ["port", "of"], None)]


def test_a_query_in_quotes_is_one_string_first_and_then_as_many_as_it_may_be() -> None:
    assert meanings('"a" or "b"') == [
        (('a" or "b',), [], None),
        (("a", "b"), ["or"], None),
    ]


def test_a_turn_narrows_a_query_and_may_stand_alone() -> None:
    assert meanings("port u7")[0] == ((), ["port"], Turns(7, 7))
    assert meanings("U7-u12") == [((), [], Turns(7, 12)), (("U7-u12",), [], None)]
    assert meanings("u9..7")[0] == ((), [], Turns(9, 9))


def test_turns_that_are_asked_for_apart_leave_the_words_alone() -> None:
    (query, _) = parse_queries("u8", turns=Turns(1, 2))
    assert ([term.text for term in query.terms], query.turns) == (["u8"], Turns(1, 2))


@pytest.mark.parametrize("text", ["", "  "])
def test_an_empty_query_asks_nothing(text: str) -> None:
    assert meanings(text) == []


def test_an_empty_query_lists_a_kind() -> None:
    assert list(parse_queries("", kind="user")) == [Query(text="", kind="user")]


@pytest.mark.parametrize("text", ["&&", '"', '""', '"x'])
def test_marks_alone_are_looked_for_to_the_letter(text: str) -> None:
    assert meanings(text)[-1] == ((text,), [], None)


@pytest.mark.parametrize(
    ("text", "turns"),
    [("u7", Turns(7, 7)), (" u7-9 ", Turns(7, 9)), ("7", None), ("u7 x", None), ("", None)],
)
def test_turns_are_named_as_a_state_names_them(text: str, turns: Turns | None) -> None:
    assert parse_turns(text) == turns
