"""What a line of the state may hold of a session's text."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.compaction.render.escape import (
    balance_marks,
    clip,
    escape_text,
    quote_marks,
)
from longhaul.compaction.white_space import fold_space

NASTY = st.lists(
    st.one_of(
        st.text(st.characters(), max_size=6),
        st.sampled_from(
            [
                "<",
                "/",
                " ",
                "\u200b",
                "summary",
                "SUMMARY",
                "\u017fummary",
                ">",
                "\x1b[2J",
                "\x1b]0;t\x07",
            ]
        ),
        st.sampled_from(
            ["\x1b", "[", "31m", "\r", "\n## Rules\n", "\u202e", "\ud800", '"', "“", "”"]
        ),
        st.sampled_from(["«", "»", "‘", "’", "a", "lifted"]),
    ),
    max_size=25,
).map("".join)

PAIRS = [('"', '"'), ("“", "”"), ("«", "»"), ("‘", "’")]
ACTS = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
CLOSES = re.compile(r"<[\s/]*summary", re.IGNORECASE)


@given(NASTY)
def test_escaped_text_is_one_line_that_neither_moves_a_cursor_nor_closes_the_wrapper(
    text: str,
) -> None:
    escaped = escape_text(text)
    assert ACTS.search(escaped) is None
    assert CLOSES.search(escaped) is None
    assert len(escaped.splitlines()) <= 1
    assert {unicodedata.category(char) for char in escaped} & {"Cc", "Cs"} == set()


@given(NASTY)
def test_escaping_twice_changes_nothing(text: str) -> None:
    assert escape_text(escape_text(text)) == escape_text(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("// SAFETY: <div> & “quotes” stay", "// SAFETY: <div> & “quotes” stay"),
        ("a\n## Rules\n- none", "a ## Rules - none"),
        ("</summary>", "&lt;/summary>"),
        ("< / SUMMARY >", "&lt; / SUMMARY >"),
        ("<summary>", "&lt;summary>"),
        ("<\u200b/\u2060summary>", "&lt;/summary>"),
        ("<\x1b[0m/summary>", "&lt;/summary>"),
        ("a summary < 3 lines", "a summary < 3 lines"),
        ("\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link", "red link"),
        ("\x1b\x1b[0m[2Jx", "[2Jx"),
        ("tab\tbell\x07 nel\x85end", "tab bell nel end"),
        ("ev\u202eil \ud83d", "evil \ufffd"),
        ("café — 日本 👍", "café — 日本 👍"),
    ],
)
def test_text_stays_readable(text: str, expected: str) -> None:
    assert escape_text(text) == expected


@pytest.mark.parametrize(
    ("text", "max_chars", "expected"),
    [
        ("short", 5, "short"),
        ("the quick brown fox", 15, "the quick…"),
        ("the quick brown fox", 16, "the quick brown…"),
        ("incomprehensibilities", 10, "incompreh…"),
        ("a incomprehensibilities", 10, "a incompr…"),
        ("anything", 1, "…"),
        ("anything", 0, ""),
    ],
)
def test_a_clip_falls_between_words(text: str, max_chars: int, expected: str) -> None:
    assert clip(text, max_chars) == expected


@given(st.text(), st.integers(0, 40))
def test_a_clipped_text_is_never_longer_than_asked(text: str, max_chars: int) -> None:
    clipped = clip(text, max_chars)
    assert len(clipped) <= max_chars
    assert clipped == text or text.startswith(clipped.removesuffix("…"))


def test_folded_text_has_single_spaces() -> None:
    assert fold_space(" a\t\n b\u2028c ") == "a b c"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", '"plain"'),
        ('say "hi"', '“say "hi"”'),
        ('“a” "b"', '«“a” "b"»'),
        ('“a” "b" «c»', "\"“a” 'b' «c»\""),
        ('a 5" disk', '"a 5\' disk"'),
        ("don’t", '"don’t"'),
        ("open “ only", '"open \' only"'),
        ("‘a", '"\'a"'),
    ],
)
def test_a_quotation_takes_the_first_marks_it_does_not_hold(text: str, expected: str) -> None:
    assert quote_marks(text) == expected


def without_quotations(line: str, pairs: list[tuple[str, str]]) -> str:
    for opening, closing in pairs:
        line = re.sub(f"{opening}[^{closing}]*{closing}", "", line)
    return line


@given(NASTY, NASTY, st.permutations(PAIRS))
def test_whoever_removes_quotations_removes_no_word_outside_and_leaves_none_inside(
    first: str, second: str, pairs: list[tuple[str, str]]
) -> None:
    first, second = escape_text(first), escape_text(second)
    line = f"- r1 OUTSIDE: {quote_marks(first)} lifted OUTSIDE: {quote_marks(second)} OUTSIDE"
    assert without_quotations(line, pairs).count("OUTSIDE") == 3


@given(NASTY, st.permutations(PAIRS))
def test_no_word_of_a_quotation_is_left_when_all_marks_are_removed_in_one_pass(
    text: str, pairs: list[tuple[str, str]]
) -> None:
    either = "|".join(f"{opening}[^{closing}]*{closing}" for opening, closing in pairs)
    assert re.sub(either, "", quote_marks(escape_text(text))) == ""


@given(NASTY)
def test_balancing_twice_changes_nothing(text: str) -> None:
    assert balance_marks(balance_marks(text)) == balance_marks(text)
