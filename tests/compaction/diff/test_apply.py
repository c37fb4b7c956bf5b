"""Verified changes, applied: pure, the same twice, the same in any order."""

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from longhaul.compaction.diff.apply import N_CARRIED_NOTES, N_NAMED_VALUES, apply_changes
from longhaul.compaction.diff.changes import Changes, NewRule, OneOff, RuleLift
from longhaul.compaction.state import NamedValue, Note, NoteKind, Quote, Rule, Said, State


def quote(turn: int, text: str) -> Quote:
    return Quote(entry_id=f"e{turn}", turn=turn, text=text)


TABS = quote(1, "Use tabs everywhere.")
STATE = State(
    rules=(Rule(number=1, quote=TABS), Rule(number=2, quote=quote(2, "Ask before you push."))),
    said=(Said(quote=quote(3, "run it"), score=0.3), Said(quote=quote(4, "no ORM"), score=0.4)),
    n_rules=2,
    n_turns=9,
)
KINDS = st.sampled_from(sorted(N_CARRIED_NOTES))
TURNS = st.integers(min_value=1, max_value=9)
WORDS = st.text(alphabet="abc ", min_size=1, max_size=6)
QUOTES = st.builds(quote, TURNS, WORDS)
CHANGES = st.builds(
    Changes,
    new_rules=st.lists(st.builds(NewRule, quote=QUOTES), max_size=3, unique=True).map(tuple),
    lifts=st.lists(
        st.builds(
            RuleLift,
            rule=st.sampled_from([rule.quote for rule in STATE.rules]),
            by=QUOTES,
            certain=st.booleans(),
        ),
        max_size=2,
        unique_by=lambda lift: lift.rule,
    ).map(tuple),
    one_offs=st.lists(
        st.builds(OneOff, rule=st.just(STATE.rules[1].quote), certain=st.booleans()), max_size=1
    ).map(tuple),
    no_rules=st.lists(st.sampled_from(["e3", "e4"]), unique=True).map(tuple),
    values=st.lists(
        st.builds(NamedValue, token=WORDS, what=WORDS, entry_id=st.just("e1"), turn=TURNS),
        max_size=3,
        unique_by=lambda value: (value.turn, value.token),
    ).map(tuple),
    notes=st.lists(st.builds(Note, kind=KINDS, turn=TURNS, text=WORDS), unique=True).map(tuple),
)


def test_an_empty_diff_changes_nothing() -> None:
    noted = replace(STATE, notes=(Note(kind="next", turn=8, text="tag it"),))
    assert apply_changes(noted, Changes()) == noted


@given(CHANGES)
def test_the_same_diff_twice_equals_once(changes: Changes) -> None:
    once = apply_changes(STATE, changes)
    assert apply_changes(once, changes) == once


@given(CHANGES, st.randoms(use_true_random=False))
def test_only_the_numbers_of_new_rules_follow_their_order(changes: Changes, random: Random) -> None:
    def shuffled(items: tuple[object, ...]) -> tuple[object, ...]:
        return tuple(random.sample(items, len(items)))

    other = Changes(
        new_rules=changes.new_rules,
        lifts=shuffled(changes.lifts),  # type: ignore[arg-type]
        one_offs=changes.one_offs,
        no_rules=shuffled(changes.no_rules),  # type: ignore[arg-type]
        values=shuffled(changes.values),  # type: ignore[arg-type]
        notes=shuffled(changes.notes),  # type: ignore[arg-type]
    )
    assert apply_changes(STATE, other) == apply_changes(STATE, changes)


def test_a_new_rule_gets_a_number_never_given_before() -> None:
    given_number = replace(STATE, n_rules=5)
    after = apply_changes(given_number, Changes(new_rules=(NewRule(quote=quote(3, "no ORM")),)))
    assert after.rules[-1] == Rule(number=6, quote=quote(3, "no ORM"), origin="model")
    assert after.n_rules == 6


def test_a_certain_lift_ends_a_rule_and_every_statement_of_it() -> None:
    again = Rule(number=3, quote=quote(5, "I said use tabs everywhere, as I told you."))
    state = replace(STATE, rules=(*STATE.rules, again), n_rules=3)
    lift = RuleLift(rule=TABS, by=quote(7, "spaces are fine now"), certain=True)
    after = apply_changes(state, Changes(lifts=(lift,)))
    assert [rule.lifted_by for rule in after.rules] == [lift.by, None, lift.by]


def test_a_lift_without_evidence_only_marks_the_rule() -> None:
    lift = RuleLift(rule=TABS, by=quote(7, "spaces are fine now"), certain=False)
    rule = apply_changes(STATE, Changes(lifts=(lift,))).rules[0]
    assert (rule.lifted_by, rule.doubted_by, rule.doubt_origin) == (None, lift.by, "model")


def test_a_one_off_leaves_only_where_the_users_words_show_it() -> None:
    marks = [
        apply_changes(STATE, Changes(one_offs=(OneOff(rule=TABS, certain=certain),)))
        .rules[0]
        .one_off
        for certain in (True, False)
    ]
    assert marks == ["yes", "said"]


def test_what_gives_no_rule_is_noted_on_its_lines() -> None:
    after = apply_changes(STATE, Changes(no_rules=("e3",)))
    assert [line.ruled_out for line in after.said] == [True, False]


def test_what_is_to_come_is_what_the_newest_diff_says() -> None:
    def note(kind: NoteKind, turn: int) -> Note:
        return Note(kind=kind, turn=turn, text=f"{kind} {turn}")

    known = (note("decided", 2), note("done", 3), note("next", 3))
    state = apply_changes(replace(STATE, notes=known), Changes(notes=(note("next", 9),)))
    assert state.notes == (note("decided", 2), note("done", 3), note("next", 9))


def test_names_and_notes_are_bounded() -> None:
    values = tuple(
        NamedValue(token=f"{number} ms", what="time", entry_id="e1", turn=number)
        for number in range(200)
    )
    notes = tuple(Note(kind="done", turn=number, text="built") for number in range(200))
    after = apply_changes(STATE, Changes(values=values, notes=notes))
    assert after.named_values == values[-N_NAMED_VALUES:]
    assert after.notes == notes[-N_CARRIED_NOTES["done"] :]
