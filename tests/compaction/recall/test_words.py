"""What an index holds of a line, and what a query asks of it."""

import pytest
from inline_snapshot import snapshot

from longhaul.compaction.recall.words import Term, index_text, parse_terms, short_hashes


@pytest.mark.parametrize(
    ("line", "held"),
    [
        ("plain words", snapshot("plain words")),
        ("def find_cut_point():", snapshot("def find_cut_point(): findcutpoint ")),
        ("new CutPoint()", snapshot("new CutPoint() new Cut Point()")),
        ("parseHTTPHeader", snapshot("parseHTTPHeader parse HTTP Header")),
        ("see src/cut-2.py: 3", snapshot("see src/cut-2.py: 3 srccut2py ")),
        ("__init__", snapshot("__init__")),
        ("it ends.", snapshot("it ends.")),
    ],
)
def test_a_line_is_held_with_its_names_whole_and_in_parts(line: str, held: str) -> None:
    assert index_text(line) == held


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
    assert index_text("_" * 200_000) == "_" * 200_000
