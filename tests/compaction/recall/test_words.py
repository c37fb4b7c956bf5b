"""What an index holds of a line, and what a query asks of it."""

import pytest

from longhaul.compaction.recall.words import Term, index_text, parse_terms, short_hashes


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("plain words", "plain words"),
        ("def find_cut_point():", "def find_cut_point():\ndef findcutpoint():"),
        ("new CutPoint()", "new CutPoint()\nnew Cut Point()"),
        ("parseHTTPHeader", "parseHTTPHeader\nparse HTTP Header"),
        ("see src/cut-2.py: 3", "see src/cut-2.py: 3\nsee srccut2py: 3"),
        ("a_b aB", "a_b aB\nab aB\na_b a B"),
        ("größe_x \ud800", "größe_x \ud800\ngrößex \ud800"),
    ],
)
def test_a_text_is_held_with_its_names_whole_and_in_parts(text: str, held: str) -> None:
    assert index_text(text) == held


@pytest.mark.parametrize("name", ["find_cut_point", "find-cut-point", "findCutPoint"])
def test_however_a_name_is_joined_it_is_asked_for_as_one_word_and_by_its_parts(name: str) -> None:
    (term,) = parse_terms(f"({name}),")
    assert (term.whole, term.parts) == ("findcutpoint", ("find", "cut", "point"))


def test_words_of_scripts_without_spaces_are_asked_for_by_pairs() -> None:
    assert parse_terms("配置port在哪里。") == (
        Term(text="配置", whole="", parts=(), fragments=("配置",)),
        Term(text="port", whole="port", parts=("port",)),
        Term(text="在哪里", whole="", parts=(), fragments=("在哪", "哪里")),
    )


def test_a_single_character_of_such_a_script_is_looked_for_itself() -> None:
    assert parse_terms("港") == (Term(text="港", whole="", parts=(), fragments=("港",)),)


def test_a_word_counts_once_and_punctuation_not_at_all() -> None:
    assert [term.text for term in parse_terms('Port, port? && "PORT" ...')] == ["port"]


def test_a_long_hash_may_have_been_called_by_its_beginning() -> None:
    assert short_hashes("0123456789abcdef") == (
        *("0123456", "01234567", "012345678"),
        *("0123456789", "0123456789a", "0123456789ab"),
    )
    assert short_hashes("0123456") == short_hashes("deadbeefcafes") == ()


def test_time_stays_linear_in_a_long_word() -> None:
    word = "a" * 200_000
    assert index_text(word) == word
    assert index_text("_" * 200_000) == "_" * 200_000 + "\n"
