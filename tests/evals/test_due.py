"""What labels make due, in sessions of a few lines and by laws over sessions of any shape."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from longhaul.evals.due import (
    Cut,
    Due,
    DueCounts,
    DueValue,
    find_cuts,
    find_due,
    is_closed,
    judging_cut,
    labelled_turns,
    rule_standing,
)
from longhaul.evals.session_labels import GoalLabel, RuleLabel, SessionLabels, ValueLabel
from longhaul.evals.turns import find_turns
from longhaul.transcript.entries import CompactionEntry, Entry, Path
from longhaul.transcript.projection import select_context
from tests.build import assistant, compaction, model_change, path, user
from tests.strategies import paths

PATH = path(
    user("u1"),  # e1
    assistant(),
    user("u2"),  # e3
    assistant(),
    compaction(first_kept="e3"),  # e5
    user("u3"),
    assistant(),
    assistant(),  # e8
    user("u4"),  # e9
    compaction(first_kept="e8"),  # e10
    user("u5"),
    assistant(),
    compaction(),  # e13
    user("u6"),
)


def dues(labels: SessionLabels, entries: Path = PATH) -> tuple[Due, ...]:
    return find_due(entries, labels)


def rule(turn: int, lifted_at: int | None = None) -> RuleLabel:
    return RuleLabel(turn=turn, marker="x", lifted_at=lifted_at)


def value(turn: int, *used_at: int, history: bool = False) -> ValueLabel:
    return ValueLabel(turn=turn, accept=("37",), used_at=used_at, history=history)


def standings(label: RuleLabel, labels: SessionLabels | None = None) -> list[str]:
    known = labels or SessionLabels(rules=(label,))
    turns = find_turns(PATH)
    return [rule_standing(label, cut, turns, known) for cut in find_cuts(PATH)]


def test_a_cut_closes_what_stands_before_the_first_entry_that_stays() -> None:
    first, second, third = (entry for entry in PATH if isinstance(entry, CompactionEntry))
    after, inside = {"is_split_turn": False}, {"is_split_turn": True}
    assert find_cuts(PATH) == (
        Cut(number=1, entry=first, index=4, start=0, end=2, n_closed_turns=1, **after),
        Cut(number=2, entry=second, index=9, start=2, end=7, n_closed_turns=3, **inside),
        Cut(number=3, entry=third, index=12, start=7, end=13, n_closed_turns=5, **after),
    )


def test_a_compaction_that_keeps_more_than_the_one_before_closes_nothing() -> None:
    entries = path(user("a"), user("b"), compaction(first_kept="e2"), compaction(first_kept="e1"))
    first, second = find_cuts(entries)
    assert (first.start, first.end, second.start, second.end) == (0, 1, 0, 0)
    assert (second.n_closed_turns, second.is_split_turn) == (0, False)


def test_a_path_without_compactions_makes_nothing_due() -> None:
    labels = SessionLabels(goal=GoalLabel(1, "x"), rules=(rule(1),), values=(value(1, 2),))
    assert find_due(path(user("u1"), user("u2")), labels) == ()


def test_the_goal_is_due_once_its_message_is_closed() -> None:
    assert [due.goal for due in dues(SessionLabels(goal=GoalLabel(2, "x")))] == [
        None,
        GoalLabel(2, "x"),
        GoalLabel(2, "x"),
    ]
    assert [due.counts.goal for due in dues(SessionLabels())] == [0, 0, 0]


def test_a_rule_in_force_is_of_the_span_that_closes_it_and_of_none_after() -> None:
    assert [(due.span, due.earlier) for due in dues(SessionLabels(rules=(rule(2), rule(1))))] == [
        ((rule(1),), ()),
        ((rule(2),), (rule(1),)),
        ((), (rule(2), rule(1))),
    ]


def test_a_rule_given_in_the_kept_window_or_later_is_not_closed() -> None:
    assert standings(rule(2)) == ["not closed", "in force", "in force"]
    assert standings(rule(6)) == ["not closed"] * 3
    assert standings(rule(60)) == ["not closed"] * 3


def test_a_lift_counts_once_closed_and_while_in_view_the_rule_is_not_judged() -> None:
    assert standings(rule(1, 2)) == ["not judged", "lifted", "lifted"]
    assert standings(rule(1, 3)) == ["in force", "lifted", "lifted"]
    assert standings(rule(1, 4)) == ["in force", "not judged", "lifted"]
    assert standings(rule(1, 6)) == ["in force"] * 3
    assert standings(rule(1, 60)) == ["in force"] * 3


def test_a_rule_of_a_doubtful_message_is_not_judged() -> None:
    labels = SessionLabels(rules=(rule(1, 3),), doubtful=(1,))
    assert standings(rule(1, 3), labels) == ["not judged"] * 3


def test_a_value_is_due_at_the_last_compaction_before_its_use_if_its_whole_turn_was_closed() -> (
    None
):
    labels = SessionLabels(values=(value(2, 5), value(3, 5), value(1, 4, 6, history=True)))
    assert [due.values for due in dues(labels)] == [
        (DueValue(value(1, 4, 6, history=True), (4,)),),
        (DueValue(value(2, 5), (5,)),),  # of u3 a part stays
        (DueValue(value(1, 4, 6, history=True), (6,)),),
    ]


def test_uses_behind_one_compaction_are_one_judgement() -> None:
    entries = path(user("u1"), compaction(), user("u2"), user("u3"), compaction())
    labels = SessionLabels(values=(value(1, 3, 2, 3),))
    first, second = find_due(entries, labels)
    assert (first.values, second.values) == ((DueValue(value(1, 3, 2, 3), (2, 3)),), ())


def test_a_compaction_inside_the_using_turn_comes_too_late() -> None:
    entries = path(user("u1"), user("u2"), compaction())
    assert [due.values for due in find_due(entries, SessionLabels(values=(value(1, 2),)))] == [()]


def test_what_trails_a_turn_does_not_keep_it_open() -> None:
    entries = path(user("u1"), assistant(), model_change(), user("u2"), compaction(first_kept="e3"))
    labels = SessionLabels(values=(value(1, 3),))
    (due,) = find_due((*entries, replace(user("u3"), id="e6", parent_id="e5")), labels)
    assert due.values == (DueValue(value(1, 3), (3,)),)


def test_a_turn_that_goes_on_after_the_compaction_is_not_closed() -> None:
    entries = path(user("u1"), compaction(), assistant("37"), user("u2"))
    assert [due.values for due in find_due(entries, SessionLabels(values=(value(1, 2),)))] == [()]


def test_counts_are_whole_numbers_that_add_up() -> None:
    labels = SessionLabels(
        goal=GoalLabel(1, "x"),
        rules=(rule(1), rule(2, 3)),
        values=(value(1, 5, history=True), value(2, 5), value(1, 60)),
    )
    _, second, third = found = dues(labels)
    assert second.counts == DueCounts(
        goal=1, rules=1, span=0, earlier=1, lifts=1, values=2, history=1
    )
    assert third.rules == (rule(1),)
    assert sum((due.counts for due in found), DueCounts()) == DueCounts(
        goal=3, rules=3, span=1, earlier=2, lifts=2, values=2, history=1
    )


def test_no_line_bound_to_a_rule_a_lift_or_a_doubtful_message_is_stray() -> None:
    labels = SessionLabels(
        goal=GoalLabel(1, "x"), rules=(rule(2, 5), rule(3)), doubtful=(7,), one_offs=(4,)
    )
    assert labelled_turns(labels) == {2, 3, 5, 7}


numbers = st.integers(1, 6)
rules = st.builds(
    lambda turn, gap: rule(turn, turn + gap if gap else None), numbers, st.integers(0, 4)
)
values = st.builds(
    lambda turn, gaps, history: value(turn, *(turn + gap for gap in gaps), history=history),
    numbers,
    st.lists(st.integers(1, 4), max_size=3),
    st.booleans(),
)
labels_of_any_kind = st.builds(
    SessionLabels,
    goal=st.none() | st.builds(GoalLabel, numbers, st.just("x")),
    rules=st.lists(rules, max_size=4, unique=True).map(tuple),
    values=st.lists(values, max_size=3, unique=True).map(tuple),
    doubtful=st.lists(numbers, max_size=1).map(tuple),
)
kinds = st.lists(st.sampled_from(("user", "reply", "compaction", "other")), max_size=24)

MADE: Mapping[str, Entry] = {"user": user("x"), "reply": assistant("y"), "other": model_change()}


@st.composite
def sessions(draw: st.DrawFn) -> Path:
    """Paths on which each compaction cuts no earlier than the one before, as pi's do."""
    entries: list[Entry] = []
    cut = 1
    for number, kind in enumerate(draw(kinds), 1):
        if kind == "compaction":
            cut = draw(st.integers(cut, number))
            entries.append(compaction(first_kept=f"e{cut}"))
            cut += cut == number
        else:
            entries.append(MADE[kind])
    return path(*entries)


any_path = sessions() | paths


@given(any_path, labels_of_any_kind)
def test_each_rule_stands_in_exactly_one_way_at_each_compaction(
    entries: Path, labels: SessionLabels
) -> None:
    for due in find_due(entries, labels):
        ways = (due.span, due.earlier, due.lifted, due.not_judged, due.not_closed)
        assert sorted(map(repr, (one for way in ways for one in way))) == sorted(
            map(repr, labels.rules)
        )


@given(any_path)
def test_a_message_is_closed_where_the_context_behind_the_compaction_lacks_it(
    entries: Path,
) -> None:
    turns = find_turns(entries)
    for cut in find_cuts(entries):
        shown = {id(entry) for entry in select_context(entries[: cut.index + 1])}
        given_before = [turn for turn in turns if turn.start < cut.index]
        closed = [turn.number for turn in turns if is_closed(turn.number, cut, turns)]
        assert closed == [
            turn.number for turn in given_before if id(entries[turn.start]) not in shown
        ]
        assert closed == list(range(1, cut.n_closed_turns + 1))


@given(sessions(), labels_of_any_kind)
def test_what_pi_closed_stays_closed_and_a_rule_is_of_one_span_alone(
    entries: Path, labels: SessionLabels
) -> None:
    found = find_due(entries, labels)
    for before, after in pairwise(found):
        assert {*after.not_closed} <= {*before.not_closed}
        assert {*before.lifted} <= {*after.lifted}
        assert {*after.earlier} <= {*before.rules, *before.not_judged}
        assert before.goal is None or after.goal == before.goal
    spans = [one for due in found for one in due.span]
    assert len(spans) == len({*spans})


@given(any_path, labels_of_any_kind)
def test_a_value_is_due_between_its_turn_and_its_use_and_once_for_each_use(
    entries: Path, labels: SessionLabels
) -> None:
    turns = find_turns(entries)
    found = find_due(entries, labels)
    for due in found:
        for one in due.values:
            assert turns[one.label.turn - 1].end <= due.cut.end
            assert all(due.cut.index < turns[use - 1].start for use in one.used_at)
    for label in labels.values:
        uses = [
            use for due in found for one in due.values if one.label == label for use in one.used_at
        ]
        assert len(uses) == len({*uses})
        assert {*uses} <= {*label.used_at}


@given(any_path, labels_of_any_kind)
def test_counts_agree_with_what_is_due(entries: Path, labels: SessionLabels) -> None:
    for due in find_due(entries, labels):
        counts = due.counts
        assert counts.rules == counts.span + counts.earlier == len(due.rules)
        assert 0 <= counts.history <= counts.values <= len(labels.values)
        assert counts.lifts + counts.rules <= len(labels.rules)


@given(any_path, st.integers(1, 9))
def test_a_use_is_judged_at_the_compaction_that_nothing_but_turns_stands_behind(
    entries: Path, number: int
) -> None:
    turns, cuts = find_turns(entries), find_cuts(entries)
    cut = judging_cut(number, cuts, turns)
    if number > len(turns):
        assert cut is None
        return
    start = turns[number - 1].start
    between = entries[cut.index + 1 if cut else 0 : start]
    assert not any(isinstance(entry, CompactionEntry) for entry in between)
    assert cut is None or cut.index < start
