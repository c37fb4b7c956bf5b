"""What recorded compactions lost, by compaction, measure and label."""

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from longhaul.evals.due import DueCounts, find_due
from longhaul.evals.label_losses import Loss, LossMeasure, find_losses, find_text_losses
from longhaul.evals.label_measures import measure_text
from tests.evals.test_label_measures import DUE, LABELS, PATH


def test_an_empty_text_loses_all_that_is_due_but_the_lifts() -> None:
    assert [(one.measure, one.label) for one in find_text_losses("", DUE)] == [
        ("goal", "u1"),
        ("span", "u3 /sign/"),
        ("values", "u3 37 ms"),
    ]


def test_a_lift_that_is_not_honoured_names_the_line() -> None:
    text = "A tide gauge, 37 ms\n## Rules\n- sign it\n- tabs (lifted)\n- Tabs only!"
    assert list(find_text_losses(text, DUE)) == [
        Loss(cut=DUE.cut, measure="lifts", label="u2 /tabs/", line="- Tabs only!")
    ]


def test_the_losses_of_a_session_are_those_of_its_compactions_in_order() -> None:
    judged = ((due.cut.entry.summary, due) for due in find_due(PATH, LABELS))
    expected = [one for text, due in judged for one in find_text_losses(text, due)]
    assert list(find_losses(PATH, LABELS)) == expected
    assert {one.cut.number for one in expected} == {1, 2}


@given(st.text(alphabet="tabsign#R ules\n37m-"))
def test_a_loss_is_what_is_due_and_not_kept(text: str) -> None:
    counts = measure_text(text, DUE)
    lost = [one.measure for one in find_text_losses(text, DUE)]
    names = get_args(LossMeasure)
    assert DueCounts(**{name: lost.count(name) for name in names}) == DueCounts(
        **{name: getattr(counts.due, name) - getattr(counts.kept, name) for name in names}
    )
