"""The private list: what of it is found, and that nothing of it is told."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.errors import CheckError
from longhaul.record.deny_list import build_deny_list, find_denied, load_deny_list
from tests.record.vettable import line_saying

words = st.text("abcXYZ019", min_size=1, max_size=8)
borders = st.sampled_from(("", " ", "_", "-", ".", "@", "/", "\n", "\\n", "里", "\0"))


@given(words, borders, borders, st.sampled_from((str.upper, str.lower)))
def test_an_entry_is_found_between_any_borders_and_in_any_case(
    word: str, before: str, after: str, spell: Callable[[str], str]
) -> None:
    deny = build_deny_list([(7, word)])
    text = f"{before}{spell(word)}{after}"
    assert deny.lines_in([text]) == [7]
    assert word.lower() not in deny.mask(text).lower().replace("[denied: line 7]", "")


@given(words, words)
def test_a_part_of_a_word_is_no_entry(word: str, more: str) -> None:
    deny = build_deny_list([(7, word)])
    assert deny.lines_in([f"{word}q{more}", f"{more}q{word}"]) == []


def test_a_finding_tells_the_lines_of_the_list_alone() -> None:
    deny = build_deny_list([(2, "alice"), (5, "build host"), (9, "bob")])
    line = line_saying("Build\n HOST of Alice, malice")
    assert (
        find_denied(line, deny)
        == "holds what lines 2, 5 of the deny list denies; record without it"
    )
    assert find_denied(line_saying("malice"), deny) is None


def test_of_entries_that_begin_alike_the_longer_is_masked() -> None:
    deny = build_deny_list([(1, "alice"), (2, "alice-laptop")])
    assert deny.mask("alice-laptop, alice") == "[denied: line 2], [denied: line 1]"


def test_an_entry_may_begin_and_end_with_any_character() -> None:
    deny = build_deny_list([(1, ".corp.example"), (2, "(x)")])
    assert deny.lines_in(["host.corp.example", "a(x)b"]) == [1, 2]


def test_an_empty_list_denies_nothing() -> None:
    assert build_deny_list([]).lines_in(["", "a"]) == []


def test_a_file_holds_an_entry_a_line_and_comments(tmp_path: Path) -> None:
    file = tmp_path / "deny.txt"
    file.write_bytes(b"\xef\xbb\xbf# people\r\n\r\nalice\r\n  bob  \r\n")
    assert load_deny_list(file).lines_in(["Bob and alice, people"]) == [3, 4]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "deny.txt: the deny list cannot be read: No such file or directory"),
        (b"# none\n", "deny.txt: holds no entry; write one a line, or leave --deny out"),
        (b"\xff", "deny.txt: the deny list cannot be read: "),
    ],
)
def test_a_list_that_is_none_is_an_error(tmp_path: Path, content: bytes | None, told: str) -> None:
    if content is not None:
        (tmp_path / "deny.txt").write_bytes(content)
    with pytest.raises(CheckError) as error:
        load_deny_list(tmp_path / "deny.txt")
    assert told in str(error.value)
