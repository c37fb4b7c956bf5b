import pytest

from longhaul.compaction.compact import Report
from longhaul.compaction.diff.record import CallRecord
from longhaul.compaction.report_text import count, kept_text, trouble_texts


def report(
    *,
    n_rules: int = 1,
    over_budget: bool = False,
    note: str = "",
    call: CallRecord | None = None,
) -> Report:
    return Report(
        n_rules=n_rules,
        n_values=2,
        n_chars=1234,
        gave_way=(),
        over_budget=over_budget,
        note=note,
        call=call,
    )


def test_a_noun_agrees_with_its_number() -> None:
    counted = [count(number, "entry", "entries") for number in (0, 1, 2000)]
    assert counted == ["0 entries", "1 entry", "2,000 entries"]


def test_what_was_kept_is_counted() -> None:
    assert kept_text(report()) == "1 rule, 2 values in 1,234 characters"


def test_nothing_is_said_where_nothing_went_wrong() -> None:
    assert trouble_texts(report()) == ()


def test_everything_that_went_wrong_is_said() -> None:
    assert trouble_texts(report(over_budget=True, note="of another version")) == (
        "over its budget: goal, objective and rules in force alone are longer",
        "built anew from the session (of another version)",
    )


@pytest.mark.parametrize(
    ("n_calls", "said"),
    [
        (0, ("made without a model (no reply within 120 s)",)),
        (1, ("without all that the model said (no reply within 120 s)",)),
    ],
)
def test_what_a_model_did_not_add_is_said(n_calls: int, said: tuple[str, ...]) -> None:
    call = CallRecord(mode="state", n_calls=n_calls, failure="no reply within 120 s")
    assert trouble_texts(report(call=call)) == said


def test_a_model_that_was_heard_is_no_trouble() -> None:
    assert trouble_texts(report(call=CallRecord(mode="state", n_calls=1))) == ()
