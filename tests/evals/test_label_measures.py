"""What a compactor's text keeps of what labels make due."""

from dataclasses import fields

from hypothesis import given
from hypothesis import strategies as st

from longhaul.evals.due import Due, DueCounts, find_due
from longhaul.evals.label_measures import LabelCounts, measure_text
from longhaul.evals.session_labels import GoalLabel, RuleLabel, SessionLabels, ValueLabel
from tests.build import assistant, compaction, path, user

PATH = path(
    user("Build a tide gauge."),
    assistant("Done."),
    user("Tabs only."),
    user("Sign the commits."),
    assistant("It took 37 ms."),
    compaction(first_kept="e3"),
    user("Spaces are fine."),
    assistant("Good."),
    user("Which time was it?"),
    compaction(first_kept="e9"),
    user("And the time?"),
    assistant("37 ms"),
)
LABELS = SessionLabels(
    goal=GoalLabel(turn=1, marker="tide"),
    rules=(
        RuleLabel(turn=2, marker="tabs", lifted_at=4),
        RuleLabel(turn=3, marker="sign", lifted_at=None),
    ),
    values=(ValueLabel(turn=3, accept=("37 ms", "37"), used_at=(6,), history=True),),
)
DUE = find_due(PATH, LABELS)[1]
ALL = DueCounts(goal=1, rules=1, span=1, lifts=1, values=1, history=1)


def kept(text: str, due: Due = DUE) -> DueCounts:
    counts = measure_text(text, due)
    assert counts.due == due.counts
    return counts.kept


def test_a_text_that_holds_everything_keeps_all_that_is_due() -> None:
    text = "## Goal\nA tide gauge\n## Rules\n- sign the commits\n## Values\n37 ms"
    assert kept(text) == DUE.counts == ALL


def test_an_empty_text_keeps_nothing_but_the_lifts() -> None:
    assert kept("") == DueCounts(lifts=1)


def test_a_rule_outside_the_rules_section_is_not_kept() -> None:
    text = "## Rules\n- none\n## Notes\n- sign the commits"
    assert kept(text) == DueCounts(lifts=1)


def test_a_lifted_rule_that_stands_as_if_in_force_is_a_lift_not_honoured() -> None:
    assert kept("## Rules\n- tabs only").lifts == 0


def test_a_lifted_rule_that_is_shown_lifted_is_a_lift_honoured() -> None:
    assert kept("## Rules\n- tabs only (lifted)").lifts == 1


def test_a_value_inside_a_longer_number_is_not_kept() -> None:
    assert kept("137 and 37.5 and 371").values == 0


def test_counts_add_up_number_by_number() -> None:
    one = LabelCounts(kept=DueCounts(goal=1), due=ALL)
    assert one + one == LabelCounts(kept=DueCounts(goal=2), due=ALL + ALL)


@given(st.text(), st.sampled_from(find_due(PATH, LABELS)))
def test_no_text_keeps_more_than_is_due(text: str, due: Due) -> None:
    counts = measure_text(text, due)
    for field in fields(DueCounts):
        assert 0 <= getattr(counts.kept, field.name) <= getattr(counts.due, field.name)
