import re
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from longhaul.compaction.diff.changes import Changes
from longhaul.compaction.diff.items import Diff
from longhaul.compaction.state import Quote
from longhaul.compaction.statements import find_statements
from longhaul.compaction.values.search import is_whole
from longhaul.compaction.white_space import fold_space
from longhaul.transcript.entries import MessageEntry, ToolResultMessage, content_text
from tests.compaction.diff.diffs import Case, cases, shuffled


def quotes_of(changes: Changes) -> list[Quote]:
    """Every quote of the user's words that `changes` would bring into a state."""
    lifts = [(new.lifted_by, new.doubted_by) for new in changes.new_rules]
    return [
        *(new.quote for new in changes.new_rules),
        *(lift.by for lift in changes.lifts),
        *(lift.rule for lift in changes.lifts),
        *(quote for pair in lifts for quote in pair if quote),
    ]


@given(cases(), st.randoms(use_true_random=False))
def test_the_order_of_items_and_saying_them_twice_make_no_difference(
    case: Case, chance: Random
) -> None:
    diff = case.diff
    twice = replace(diff, rules=(*diff.rules, *diff.rules), values=(*diff.values, *diff.values))
    assert case.verified(shuffled(twice, chance)) == case.verified()


@given(cases())
def test_what_was_kept_gives_the_same_changes_again(case: Case) -> None:
    first = case.verified()
    again = case.verified(first.kept)
    marked = {one for one in first.dropped if one.marked}
    assert (again.changes, again.kept) == (first.changes, first.kept)
    assert {one for one in again.dropped if not one.marked} == set()
    assert set(again.dropped) == marked


@given(cases())
def test_rules_and_lifts_are_words_that_the_user_typed_before_the_cut(case: Case) -> None:
    typed: dict[tuple[str, int], str] = {}
    for said in find_statements(case.path, 0, case.end, n_turns=0):
        place = said.entry_id, said.turn
        typed[place] = f"{typed.get(place, '')}\n{fold_space(said.text)}"
    for quote in quotes_of(case.verified().changes):
        assert fold_space(quote.text) in typed[quote.entry_id, quote.turn]


@given(cases())
def test_an_empty_diff_changes_nothing(case: Case) -> None:
    seen = case.verified(Diff())
    assert (seen.changes, seen.kept, seen.dropped) == (Changes(), Diff(), ())


@given(cases())
def test_what_stands_behind_the_cut_is_not_looked_at(case: Case) -> None:
    assert case.verified() == replace(case, path=case.path[: case.end]).verified()


@given(cases())
def test_no_model_touches_what_the_user_corrected(case: Case) -> None:
    changes = case.verified().changes
    corrected = {rule.quote for rule in case.state.rules if rule.correction != "none"}
    assert corrected.isdisjoint(lift.rule for lift in changes.lifts)
    assert corrected.isdisjoint(one.rule for one in changes.one_offs)


@given(cases())
def test_a_model_that_names_no_rule_keeps_every_rule(case: Case) -> None:
    changes = case.verified(replace(case.diff, rules=(), lifts=(), one_offs=())).changes
    rules = changes.new_rules, changes.lifts, changes.one_offs, changes.no_rules
    assert rules == ((), (), (), ())


@given(cases())
def test_every_value_is_a_token_of_the_entry_that_it_names(case: Case) -> None:
    printed = {
        entry.id: content_text(entry.message.content)
        for entry in case.path[: case.end]
        if isinstance(entry, MessageEntry) and isinstance(entry.message, ToolResultMessage)
    }
    for value in case.verified().changes.values:
        text = printed[value.entry_id]
        starts = [match.start() for match in re.finditer(re.escape(value.token), text)]
        assert any(is_whole(text, start, start + len(value.token)) for start in starts)
