import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.evals.judge import (
    bound_turn,
    honours_lift,
    keeps_rule,
    rules_section,
    shows_lifted,
    stray_lines,
)


def test_the_rules_section_ends_at_the_next_heading() -> None:
    text = "intro\n## Rules\n- a\n\n- b\n## Said\n- c"
    assert rules_section(text) == ("- a", "- b")


@pytest.mark.parametrize(
    "heading", ["# Constraints & Preferences", "#### rule", "**User rules**", "**Preferences:**"]
)
def test_a_heading_may_name_constraints_or_preferences_and_be_bold(heading: str) -> None:
    assert rules_section(f"{heading}\n- a\n**Next**\n- b") == ("- a",)


def test_a_text_without_headings_is_one_section() -> None:
    assert rules_section("- a\n- b") == ("- a", "- b")


def test_a_text_with_headings_but_no_rules_has_no_rules_section() -> None:
    assert rules_section("- a\n## Goal\n- b") == ()


@pytest.mark.parametrize(
    ("line", "lifted"),
    [
        ('- r3 (u7): "no tabs"', False),
        ('- r3 (u7), lifted by u18: "tabs are ok"', True),
        ('- r3 (u7), in force; u9 may lift it ("tabs?"): "no tabs"', True),
        ('- r3 (u7): "no longer use tabs"', False),
        ("- ~~no tabs~~", True),
        ("- no tabs (superseded)", True),
        ("- no tabs “cancelled”", False),
    ],
)
def test_words_outside_quotes_show_a_rule_lifted(line: str, lifted: bool) -> None:  # noqa: FBT001 - a table's column
    assert shows_lifted(line, "tabs") is lifted


def test_what_the_marker_matches_does_not_show_it_lifted() -> None:
    assert not shows_lifted("- orders that were cancelled stay", "cancelled stay")


def test_a_line_is_bound_to_the_message_it_names_first() -> None:
    assert bound_turn('- r3 (u7), lifted by u18: "x"') == 7
    assert bound_turn('- "u7 said so"') is None


def test_a_rule_is_kept_by_a_line_that_names_it_in_force() -> None:
    assert keeps_rule(['- r1 (u1): "No Tabs"'], "no tabs")
    assert not keeps_rule(['- r1 (u1), lifted by u2: "no tabs no more"'], "no tabs")
    assert not keeps_rule(['- r1 (u1): "no spaces"'], "no tabs")


def test_a_lift_is_honoured_where_only_the_lifting_message_quotes_the_rule() -> None:
    assert honours_lift(['- r2 (u5): "no tabs is off, use spaces"'], "no tabs", 5)
    assert not honours_lift(['- r1 (u1): "no tabs"'], "no tabs", 5)


def test_a_line_of_a_message_without_rule_or_lift_is_stray() -> None:
    lines = ('- r1 (u1): "a"', '- r2 (u3): "b"', "- c")
    assert stray_lines(lines, {1, 2}) == ('- r2 (u3): "b"',)


_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»|‘[^’]*’")


@given(st.text('"“”«»‘’~l'))
def test_a_quotation_ends_at_the_first_closing_mark_of_its_kind(line: str) -> None:
    assert shows_lifted(f"{line} ~~", "x") is ("~~" in _QUOTED.sub(" ", f"{line} ~~"))


def test_a_marker_without_length_hides_no_word_of_a_lift() -> None:
    assert shows_lifted("- lifted by u9: tabs", "(?=.*tabs)")
    assert not honours_lift(["- r1 (u1): tabs"], "(?=.*tabs)", 9)
    assert honours_lift(["- r1 (u1), lifted: tabs"], "(?=.*tabs)", 9)


def test_a_message_of_impossible_number_binds_no_line() -> None:
    assert bound_turn(f"- r1 (u{'9' * 5000})") is None
    assert bound_turn("- r1 (u٣) or u07") == 7


@pytest.mark.parametrize(
    "line", ["“" * 200_000, '«"' * 100_000, "# " + " " * 200_000, "**a**" + " " * 200_000 + "x"]
)
def test_a_line_of_any_length_is_judged_in_one_pass(line: str) -> None:
    assert rules_section(line) in {(line,), ()}
    assert not shows_lifted(line, "tabs")
    assert bound_turn(line) is None
