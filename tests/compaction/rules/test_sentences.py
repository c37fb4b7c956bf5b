import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.compaction.rules.sentences import split_sentences


def texts(message: str) -> list[str]:
    return [sentence.text for sentence in split_sentences(message)]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Fix it. then push", ["Fix it.", "then push"]),
        ("use v1.2.3, e.g. in setup.py. Thanks", ["use v1.2.3, e.g. in setup.py.", "Thanks"]),
        ("see https://a.b/c.d?e=f. ok", ["see https://a.b/c.d?e=f.", "ok"]),
        ("wait... what", ["wait... what"]),
        ("wait... What", ["wait...", "What"]),
        ("Dr. Lee and J. Doe agreed. Go", ["Dr. Lee and J. Doe agreed.", "Go"]),
        ("jars, lids, etc. Then close", ["jars, lids, etc.", "Then close"]),
        ("in order: 1. read, 2. ask. Then go", ["in order: 1. read, 2. ask.", "Then go"]),
        ("(really?) yes", ["(really?)", "yes"]),
        ("type `a. b` there. ok", ["type `a. b` there.", "ok"]),
    ],
)
def test_a_sentence_ends_at_its_stop_and_not_inside_a_name(
    message: str, expected: list[str]
) -> None:
    assert texts(message) == expected


def test_scripts_without_spaces_end_their_sentences() -> None:
    assert texts("先看日志。不要改代码！好吗？") == ["先看日志。", "不要改代码！", "好吗？"]  # noqa: RUF001 - Chinese stops


def test_list_items_are_sentences_of_their_own_without_their_markers() -> None:
    assert texts("Two things:\n- no tabs\n2) ask first\n(a) small diffs") == [
        "Two things:",
        "no tabs",
        "ask first",
        "small diffs",
    ]


def test_a_wrapped_line_goes_on_and_a_short_one_ends() -> None:
    wrapped = "this line is long enough that it was surely wrapped by an editor\nand goes on here"
    assert texts(wrapped) == [wrapped]
    assert texts("fix the test\nthen push") == ["fix the test", "then push"]


@pytest.mark.parametrize(
    "shown",
    [
        "```\nnever do this\n```",
        "> never do this",
        "    never_do(this)",
        "Traceback (most recent call last):\nValueError: never do this",
        "2024-03-01 12:00:01 WARN never do this",
        "diff --git a/x b/x\n+++ b/x",
        "@@ -1,2 +1,2 @@ you must never",
        '"You must never do this. You must always do that instead."',
        "warning: you must never do this",
        "$ never --do this",
    ],
)
def test_what_a_user_shows_gives_no_sentence(shown: str) -> None:
    assert texts(f"look at this\n\n{shown}\n\nwhat now?") == ["look at this", "what now?"]


@pytest.mark.parametrize(
    "intro",
    ["from the docs:", "Anna wrote:", "log:", "README of theirs:", "Der Chef schreibt:"],
)
def test_a_text_announced_as_somebody_elses_gives_no_sentence(intro: str) -> None:
    message = f"{intro}\n\nAll patches must be signed.\n- never force-push\n\nIs that so?"
    assert texts(message) == [intro, "Is that so?"]


def test_a_chat_that_was_pasted_gives_no_sentence() -> None:
    message = "mira: always squash\njo: no, never\nmira: ok then\n\nwhat do they mean?"
    assert texts(message) == ["what do they mean?"]


def test_a_ticket_that_was_pasted_gives_no_sentence() -> None:
    message = "please do this\n\nDescription\nAll hosts must log out users.\n\nstart with web-1"
    assert texts(message) == ["please do this", "Description", "start with web-1"]


def test_quoted_lines_count_where_the_user_makes_them_their_own() -> None:
    message = "Please work like this:\n\n> Ask first.\n> Then edit.\n\nGo"
    assert texts(message) == ["Please work like this:", "Ask first.", "Then edit.", "Go"]


def test_a_blank_before_a_line_does_not_make_it_shown() -> None:
    assert texts(" please fix it\n  then push") == ["please fix it", "then push"]


def test_a_fence_that_is_never_closed_takes_the_rest() -> None:
    assert texts("see\n```\nnever\n\nalways") == ["see"]


def test_lines_without_a_blank_between_them_are_one_paragraph() -> None:
    paragraphs = [s.paragraph for s in split_sentences("a b\nc d. e f\n\ng h")]
    assert paragraphs == [0, 0, 0, 1]


@given(st.text(alphabet='ab .!?\n-"“”`>:1)\t', max_size=200))
def test_a_sentence_is_verbatim_and_sentences_do_not_overlap(message: str) -> None:
    sentences = split_sentences(message)
    assert all(message[s.start : s.end] == s.text for s in sentences)
    assert all(s.text == s.text.strip() != "" for s in sentences)
    ends = [s.end for s in sentences]
    assert all(end <= s.start for end, s in zip(ends, sentences[1:], strict=False))


@pytest.mark.parametrize(
    "unit", ["x", "\n", "a.", "“", "„ ", '" ', "`", "- a\n", "x:\n", "> ", "|"]
)
def test_time_grows_linearly_with_a_hostile_message(unit: str) -> None:
    def seconds(n_chars: int) -> float:
        message = unit * (n_chars // len(unit))
        begin = time.process_time()
        split_sentences(message)
        return time.process_time() - begin

    assert seconds(400_000) < 12 * seconds(100_000) + 0.5
