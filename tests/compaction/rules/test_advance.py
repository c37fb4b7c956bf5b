from hypothesis import given
from hypothesis import strategies as st

from longhaul.compaction.rules.advance import advance_rules
from longhaul.compaction.rules.parts import Parting, part_rule
from longhaul.compaction.state import Quote, Rule
from longhaul.compaction.statements import Statement


def said(*texts: str) -> list[Statement]:
    return [
        Statement(entry_id=f"e{turn}", turn=turn, text=text) for turn, text in enumerate(texts, 1)
    ]


def shown(rules: tuple[Rule, ...]) -> list[tuple[int, int, str, int]]:
    """Each rule's number, turn and words, and the turn that lifted it or 0."""
    return [
        (r.number, r.quote.turn, r.quote.text, r.lifted_by.turn if r.lifted_by else 0)
        for r in rules
    ]


NEVER = "Never restart the proxy."
ALWAYS = "From now on always run the linter before you commit."

TALK = st.sampled_from(
    (
        NEVER,
        ALWAYS,
        "You can restart the proxy again.",
        "Forget what I said about the linter.",
        "From now on run the formatter instead of the linter before you commit.",
        "why is the build red?",
        "As I said, never restart the proxy!",
        "",
    )
)


def test_a_rule_is_kept_with_the_message_that_gave_it() -> None:
    assert shown(advance_rules((), said("hello there", ALWAYS))) == [(1, 2, ALWAYS, 0)]


def test_a_lift_is_bound_to_its_message_and_gives_no_rule() -> None:
    rules = advance_rules((), said(ALWAYS, "Forget what I said about the linter."))
    assert shown(rules) == [(1, 1, ALWAYS, 2)]
    assert rules[0].lifted_by == Quote(
        entry_id="e2", turn=2, text="Forget what I said about the linter."
    )


def test_a_replacement_lifts_the_old_rule_and_is_one() -> None:
    new = "From now on run the formatter instead of the linter before you commit."
    assert shown(advance_rules((), said(ALWAYS, new))) == [(1, 1, ALWAYS, 2), (2, 2, new, 0)]


def test_a_message_lifts_no_rule_of_its_own() -> None:
    text = f"{ALWAYS} Forget what I said about the linter."
    assert all(rule.lifted_by is None for rule in advance_rules((), said(text)))


def test_a_lifted_rule_can_be_given_again_under_a_new_number() -> None:
    rules = advance_rules((), said(ALWAYS, "Forget what I said about the linter.", ALWAYS))
    assert shown(rules) == [(1, 1, ALWAYS, 2), (2, 3, ALWAYS, 0)]


def test_an_answer_gives_and_lifts_as_a_message_does() -> None:
    answer = Statement(
        entry_id="a1", turn=1, text="Forget what I said about the linter.", is_answer=True
    )
    assert shown(advance_rules(advance_rules((), said(ALWAYS)), [answer])) == [(1, 1, ALWAYS, 1)]


def test_of_several_rules_in_one_quote_the_others_stay_in_force() -> None:
    quote = Quote(entry_id="e1", turn=1, text="(a) never force push, (b) use tabs, (c) no emojis")
    lifting = said("hello", "The tabs rule no longer applies.")[1:]
    rules = advance_rules((Rule(number=1, quote=quote),), lifting)
    assert shown(rules) == [
        (1, 1, "(b) use tabs", 2),
        (2, 1, "(a) never force push", 0),
        (3, 1, "(c) no emojis", 0),
    ]


def test_a_quote_that_is_one_rule_is_not_parted() -> None:
    assert part_rule("no pandas in this repo, polars only", "pandas is fine again") is None


def test_a_list_without_marks_is_parted_at_its_commas() -> None:
    rule = "keep the versions as they are, don't reformat old files, and leave the headers alone"
    assert part_rule(rule, "reformat what you like") == Parting(
        lifted="don't reformat old files",
        kept=("keep the versions as they are", "and leave the headers alone"),
    )


@given(st.lists(TALK, max_size=6), st.integers(0, 6))
def test_any_split_of_the_statements_gives_the_same_rules(texts: list[str], cut: int) -> None:
    statements = said(*texts)
    first = advance_rules((), statements[:cut])
    assert advance_rules(first, statements[cut:]) == advance_rules((), statements)


@given(st.lists(TALK, max_size=6))
def test_numbers_rise_and_are_never_given_twice(texts: list[str]) -> None:
    numbers = [rule.number for rule in advance_rules((), said(*texts))]
    assert numbers == list(range(1, len(numbers) + 1))
