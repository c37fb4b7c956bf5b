"""Which words name files, and where a text names one."""

import pytest

from longhaul.evals.measures.file_names import (
    base_name,
    find_file_names,
    is_file_name,
    names_exactly,
    names_file,
)


@pytest.mark.parametrize("word", ["a.py", "a.test.ts", ".gitignore", "Makefile", "big.log.gz"])
def test_what_ends_as_files_do_or_is_a_usual_name_is_a_file(word: str) -> None:
    assert is_file_name(word)


@pytest.mark.parametrize("word", ["process.exit", "console.log", "3.14", ".py", "src", "rows.map"])
def test_names_in_code_numbers_and_bare_endings_are_no_files(word: str) -> None:
    assert not is_file_name(word)


def test_the_files_of_a_command_are_named_without_folders() -> None:
    command = "cp src/a.py ./b.json && rm -f *.log $TMP.txt dir/ && node -e 'open.md(x); c.ts.'"
    assert list(find_file_names(command)) == ["a.py", "b.json", "c.ts"]


def test_the_last_part_of_a_path_is_its_name() -> None:
    assert (base_name("src/a.py"), base_name("a.py"), base_name("src/")) == ("a.py", "a.py", "")


@pytest.mark.parametrize(
    "text", ["src/a.py", "edit `./src/a.py`.", "(src/a.py:12)", "src/a.py. So"]
)
def test_a_path_stands_in_a_text_as_it_is(text: str) -> None:
    assert names_exactly(text, "src/a.py")


@pytest.mark.parametrize(
    "text",
    ["lib/src/a.py", "src/a.pyc", "src/a.py.bak", "my-src/a.py", "src/a.py-old", "../src/a.py"],
)
def test_a_longer_path_is_another_one(text: str) -> None:
    assert not names_exactly(text, "src/a.py")


def test_a_name_is_found_behind_a_longer_one_that_holds_it() -> None:
    assert names_exactly("src/a.pyc and src/a.py", "src/a.py")


def test_a_file_is_named_in_whatever_folder() -> None:
    assert names_file("see lib/a.py", "a.py")
    assert not names_file("see data.py, a.py/b", "a.py")


def test_a_command_of_signs_that_names_could_hold_is_read_at_once() -> None:
    assert list(find_file_names(f"cat {'-' * 100_000} a.py {'.' * 100_000}")) == ["a.py"]
