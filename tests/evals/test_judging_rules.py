"""How labelled measures are judged, rule by rule, each with a worked example.

Two compactions: the first closes u1 to u3 and leaves u4 in view, the second closes u1 to u5 and
leaves u6 in view; u7 comes after both.
"""

import pytest

from longhaul.evals.due import DueCounts, find_due, labelled_turns
from longhaul.evals.judge import rules_section, stray_lines
from longhaul.evals.label_measures import measure_text
from longhaul.evals.session_labels import GoalLabel, RuleLabel, SessionLabels, ValueLabel
from tests.build import assistant, compaction, path, user

PATH = path(
    user("Build a tide gauge."),  # u1
    assistant("Built."),
    user("Tabs only. Sign the commits."),  # u2
    assistant("It took 165.7 ms."),
    user("No emoji."),  # u3
    assistant("Fine."),
    user("Spaces are fine again."),  # u4
    compaction(first_kept="e7"),
    user("Dates as in ISO 8601."),  # u5
    assistant("Good."),
    user("Emoji are fine again."),  # u6
    compaction(first_kept="e11"),
    user("Which time was it?"),  # u7
    assistant("166 ms"),
)
TABS = RuleLabel(turn=2, marker="tabs", lifted_at=4)
SIGN = RuleLabel(turn=2, marker="sign")
EMOJI = RuleLabel(turn=3, marker="emoji", lifted_at=6)
ISO = RuleLabel(turn=5, marker="iso 8601")
TIME = ValueLabel(turn=2, accept=("165.7 ms", "166 ms"), used_at=(7,), history=True)
GOAL = GoalLabel(turn=1, marker="tide")


def counted(
    text: str, *rules: RuleLabel, at: int = 1, values: tuple[ValueLabel, ...] = ()
) -> tuple[DueCounts, DueCounts]:
    """Return what `text` keeps at the first or the second compaction (0, 1), and what is due."""
    labels = SessionLabels(rules=rules, values=values)
    counts = measure_text(text, find_due(PATH, labels)[at])
    return counts.kept, counts.due


def kept(text: str, *rules: RuleLabel, at: int = 1) -> int:
    return counted(text, *rules, at=at)[0].rules


@pytest.mark.parametrize(
    ("rule", "first", "second"),
    [
        (SIGN, DueCounts(rules=1, span=1), DueCounts(rules=1, earlier=1)),
        (ISO, DueCounts(), DueCounts(rules=1, span=1)),
        # Its lift is in view at the first compaction, and closed at the second.
        (TABS, DueCounts(), DueCounts(lifts=1)),
        # Its lift comes after the first compaction, and is in view at the second.
        (EMOJI, DueCounts(rules=1, span=1), DueCounts()),
        # In view, or given later still.
        (RuleLabel(turn=6, marker="emoji"), DueCounts(), DueCounts()),
        (RuleLabel(turn=7, marker="time"), DueCounts(), DueCounts()),
    ],
)
def test_a_rule_is_judged_where_its_message_is_closed_and_its_lift_not_in_view(
    rule: RuleLabel, first: DueCounts, second: DueCounts
) -> None:
    assert (counted("", rule, at=0)[1], counted("", rule)[1]) == (first, second)


def test_a_doubtful_message_is_neither_due_nor_stray() -> None:
    labels = SessionLabels(rules=(SIGN,), doubtful=(2, 3))
    assert [due.counts for due in find_due(PATH, labels)] == [DueCounts(), DueCounts()]
    assert stray_lines(["- emoji (u3)"], labelled_turns(labels)) == ()


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("## Done\n- built the Tide gauge", True),
        ("a TIDE table", True),
        ("## Rules\n- none", False),
        ("the ti\nde", False),
    ],
)
def test_any_line_names_the_goal(text: str, is_kept: bool) -> None:  # noqa: FBT001 - a table's column
    due = find_due(PATH, SessionLabels(goal=GOAL))[0]
    assert measure_text(text, due).kept == DueCounts(goal=int(is_kept))


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("# Rules\na", ("a",)),
        ("#### Constraints\na", ("a",)),
        ("##### Rules\na", ("##### Rules", "a")),
        ("**User preferences**\na", ("a",)),
        ("**A rule:**\na", ("a",)),
        ("a **rule** here\nb", ("a **rule** here", "b")),
        ("## Ruler\na", ()),
        ("## Unruly preferencesX\na", ()),
        ("## Rules\na\n### Why\nb\n## CONSTRAINT\nc", ("a", "c")),
        ("## Rules\na\n**Next**\nb", ("a",)),
        ("#Rules\na", ("#Rules", "a")),
        ("a\nb", ("a", "b")),
        ("", ()),
    ],
)
def test_the_rules_section_runs_from_a_heading_that_names_rules_to_the_next(
    text: str, section: tuple[str, ...]
) -> None:
    assert rules_section(text) == section


def test_a_rule_is_kept_by_a_line_of_the_rules_section_alone() -> None:
    assert kept("## Rules\n- Sign the commits", SIGN) == 1
    assert kept("## Rules\n- none\n## Said\n- sign the commits", SIGN) == 0
    assert kept("## Rules\n- sign, no longer\n- SIGN", SIGN) == 1


LIFTING = (
    *("lift", "lifts", "lifted", "no longer", "withdrawn", "replaced", "superseded", "revoked"),
    *("rescinded", "obsolete", "cancel", "canceled", "cancelled", "NO LONGER", "Lifted", "~~"),
)


@pytest.mark.parametrize("word", LIFTING)
def test_a_line_shows_a_rule_lifted_by_these_words_alone(word: str) -> None:
    assert kept(f"- sign ({word})", SIGN) == 0
    for opening, closing in ('""', "“”", "«»", "‘’"):
        assert kept(f"- sign {opening}not {word}{closing}", SIGN) == 1


@pytest.mark.parametrize("word", ["lifting", "uplift", "nolonger", "cancels", "~"])
def test_other_words_lift_nothing(word: str) -> None:
    assert kept(f"- sign ({word})", SIGN) == 1


def test_what_the_marker_matches_lifts_nothing() -> None:
    rule = RuleLabel(turn=2, marker=r"cancel\w* orders")
    assert kept("- keep cancelled orders", rule) == 1
    assert kept("- keep cancelled orders: cancelled", rule) == 0


def test_a_lift_is_honoured_unless_a_line_shows_the_rule_in_force() -> None:
    def honoured(text: str) -> int:
        return counted(text, TABS)[0].lifts

    assert honoured("") == 1
    assert honoured("- Tabs only (u2)") == 0
    assert honoured("- Tabs only (u2), lifted by u4") == 1
    assert honoured("- tabs are off (u4)") == 1
    assert honoured('- tabs are off ("u4 said so")') == 0
    assert honoured("## Said\n- Tabs only\n## Rules\n- none") == 1


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("165.7 ms", True),
        ("(166 ms)", True),
        ("166 ms.", True),
        ("took 166 ms.x", True),
        ("166 ms.5", False),
        ("2166 ms", False),
        (".166 ms", False),
        ("_166 ms", False),
        ("166 msec", False),
        ("166 ms_", False),
        ("1.166 ms, then 166 ms", True),
        ("166 MS", False),
    ],
)
def test_a_value_is_kept_in_any_spelling_as_a_whole_token(text: str, is_kept: bool) -> None:  # noqa: FBT001 - a table's column
    due = DueCounts(values=1, history=1)
    found = DueCounts(values=int(is_kept), history=int(is_kept))
    assert counted(text, values=(TIME,)) == (found, due)
    assert counted(text, values=(TIME,), at=0)[1] == DueCounts()


def test_a_line_bound_to_a_message_without_rule_and_lift_is_stray() -> None:
    labelled = labelled_turns(SessionLabels(rules=(TABS, ISO), one_offs=(6,)))
    lines = ("- a (u2)", "- b (u4)", "- c (u5)", "- d (u6)", "- e (u1)", '- f "u1"', "- g")
    assert stray_lines(lines, labelled) == ("- d (u6)", "- e (u1)")
