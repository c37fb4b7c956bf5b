"""Which tokens of a text say something by themselves."""

import pytest

from longhaul.evals.measures.value_tokens import (
    find_tokens,
    find_values,
    is_code_name,
    is_value,
)

NO_CODE = ["165.7", "1287", "edfab42", "2026-10-09", "12:30:05", "1,234", "v1.6.0", "100ms", "a.py"]
CODE = ["writeHead", "read_rows", "process.exit", "__init__", "sha256", "createHash.update"]


@pytest.mark.parametrize("token", [*NO_CODE, *CODE])
def test_hashes_numbers_and_names_are_values(token: str) -> None:
    assert is_value(token)


@pytest.mark.parametrize(
    "token",
    ["parser", "well-known", "2026", "5000", "404", "3.1", "utf-8", "abc", "e.g", "x" * 101],
)
def test_words_years_and_small_or_round_numbers_are_none(token: str) -> None:
    assert not is_value(token)


@pytest.mark.parametrize("value", CODE)
def test_identifiers_and_dotted_names_are_names_in_code(value: str) -> None:
    assert is_code_name(value)


@pytest.mark.parametrize("value", [*NO_CODE, "INV20260312", "ord_8f3kq2"])
def test_files_hashes_and_what_has_many_digits_are_no_names_in_code(value: str) -> None:
    assert not is_code_name(value)


def test_a_slash_parts_tokens_and_punctuation_around_them_is_none_of_theirs() -> None:
    text = "(src/a.py:12) took 1,204.5 ms at 12:30:05, then x=[1,20]."
    tokens = "src a.py 12 took 1,204.5 ms at 12:30:05 then x 1 20"
    assert find_tokens(text) == tokens.split()


def test_a_text_has_each_value_once() -> None:
    assert sorted(find_values("read_rows calls read_rows 1287 times")) == ["1287", "read_rows"]
