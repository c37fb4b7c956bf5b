from dataclasses import replace

import pytest

from longhaul.compaction.diff.changes import Dropped, DropReason, NewRule, RuleLift
from longhaul.compaction.diff.items import Diff, LiftItem, RuleItem
from longhaul.compaction.fold import advance
from longhaul.compaction.state import Correction, Quote, Rule, RuleOrigin, State
from longhaul.transcript.entries import Path
from tests import build
from tests.compaction.diff.diffs import verified

COMMITS = "In this repo commit subjects are written in lower case."
DEPLOY = "Ask me before you deploy to staging."
OVER = "the staging deploys are fine without asking by now"


def session(*texts: str, rules: tuple[tuple[int, str], ...] = ()) -> tuple[State, Path]:
    """A path of messages, and a state with these rules: the turn that gave each, and its words."""
    path = build.path(*map(build.user, texts))
    given = tuple(
        Rule(number=n, quote=Quote(entry_id=f"e{turn}", turn=turn, text=text))
        for n, (turn, text) in enumerate(rules, 1)
    )
    state = advance(State(), path, 0, len(path))
    return replace(state, rules=given, n_rules=len(given)), path


def outcome(lift: LiftItem, state: State, path: Path) -> tuple[list[bool], list[DropReason]]:
    """For each lift that is made whether it is certain, and the reasons of what was dropped."""
    seen = verified(Diff(lifts=(lift,)), state, path)
    return [lift.certain for lift in seen.changes.lifts], [one.reason for one in seen.dropped]


def by(text: str, rule: str, *, said: str | None = None) -> tuple[list[bool], list[DropReason]]:
    """What becomes of a lift of `rule`, given in u1, by the words `text` of u2."""
    state, path = session(rule, said or text, rules=((1, rule),))
    return outcome(LiftItem(rule="r1", message="u2", quote=text), state, path)


def test_words_on_the_subject_with_a_form_of_withdrawal_lift_a_rule() -> None:
    state, path = session(DEPLOY, "go on", OVER, rules=((1, DEPLOY),))
    item = LiftItem(rule="r1", message="u3", quote=OVER)
    seen = verified(Diff(lifts=(item,)), state, path)
    words = Quote(entry_id="e3", turn=3, text=OVER)
    assert seen.changes.lifts == (RuleLift(rule=state.rules[0].quote, by=words, certain=True),)
    assert (seen.kept.lifts, seen.dropped) == ((item,), ())


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (COMMITS, "forget what I said about lower case subjects"),
        (COMMITS, "commit subjects no longer need to be lower case"),
        (DEPLOY, "you can deploy to staging again whenever you like"),
        ("Bitte keine neuen Pakete installieren.", "Pakete darfst du jetzt wieder installieren"),
        ("use yarn in this repo", "we moved from yarn to pnpm, use pnpm from now on"),
        ("branch names carry the ticket number", "ticket numbers were a bad idea"),
        ("every log line is one JSON object", "JSON was a mistake, I can't read it"),
    ],
)
def test_evidence_is_seen_in_many_forms(rule: str, words: str) -> None:
    assert by(words, rule) == ([True], [])


@pytest.mark.parametrize("words", ["run the tests", "thanks", "now the footer please", "👍"])
def test_innocent_words_neither_lift_nor_mark_a_rule(words: str) -> None:
    made, reasons = by(words, COMMITS)
    assert made == []
    assert reasons in (["no evidence"], ["too short"])


def test_an_order_from_now_on_may_hold_beside_a_rule_that_it_shares_a_word_with() -> None:
    rule = "Always write commit subjects in lower case."
    made, reasons = by("From now on run the formatter before you commit", rule)
    assert (made, reasons) == ([False], ["no evidence"])


@pytest.mark.parametrize("words", ["commit this please", "write a commit for the header"])
def test_words_that_only_share_the_subject_mark_the_rule(words: str) -> None:
    state, path = session(COMMITS, words, rules=((1, COMMITS),))
    item = LiftItem(rule="r1", message="u2", quote=words)
    seen = verified(Diff(lifts=(item,)), state, path)
    assert [lift.certain for lift in seen.changes.lifts] == [False]
    assert seen.dropped == (
        Dropped(kind="lift", item=f'r1 by u2: "{words}"', reason="no evidence", marked=True),
    )


BRANCHES = "Name every branch after its ticket."
SUFFIX = "Always start with the quarter, then two words for the content"


def in_place(*lifts: str, words: str = SUFFIX) -> tuple[list[str], list[bool]]:
    """The rules that u3 marks, and which of its lifts are certain, where it gives a rule too."""
    given = ((1, DEPLOY), (2, BRANCHES), (3, SUFFIX))
    state, path = session(DEPLOY, BRANCHES, words, rules=given)
    items = tuple(LiftItem(rule=name, message="u3", quote=words) for name in lifts)
    made = verified(Diff(lifts=items), state, path).changes.lifts
    return [lift.rule.text for lift in made], [lift.certain for lift in made]


def test_a_rule_that_a_later_one_shares_no_word_with_is_marked_by_it() -> None:
    assert in_place("r2") == ([BRANCHES], [False])


def test_a_rule_stands_in_the_place_of_one_other_at_most() -> None:
    assert in_place("r1", "r2") == ([], [])


def test_a_replacement_that_is_named_twice_is_one() -> None:
    assert in_place("r2", "u2") == ([BRANCHES], [False])


def test_what_held_for_once_stands_in_the_place_of_nothing() -> None:
    state, path = session(BRANCHES, SUFFIX, rules=((1, BRANCHES), (2, SUFFIX)))
    once = replace(state, rules=(state.rules[0], replace(state.rules[1], one_off="yes")))
    assert outcome(LiftItem(rule="r1", message="u2", quote=SUFFIX), once, path) == (
        [],
        ["no evidence"],
    )


def test_a_question_beside_a_rule_marks_nothing() -> None:
    said = f"Is that everything? {SUFFIX}"
    state, path = session(BRANCHES, said, rules=((1, BRANCHES), (2, SUFFIX)))
    item = LiftItem(rule="r1", message="u2", quote="Is that everything?")
    assert outcome(item, state, path) == ([], ["no evidence"])


@pytest.mark.parametrize(
    "words",
    [
        "just this once you can deploy to staging without asking",
        "may you deploy to staging without asking me?",
        "As I said: ask me before you deploy to staging!",
        "if the tests pass you can deploy to staging without asking",
        "you still need to ask me before you deploy to staging",
    ],
)
def test_an_exception_a_question_or_a_reminder_lifts_nothing(words: str) -> None:
    made, _ = by(words, DEPLOY)
    assert True not in made


def test_quoted_words_lift_nothing() -> None:
    said = f"the wiki says:\n> {OVER}\nwhat do you think?"
    assert by(OVER, DEPLOY, said=said) == ([], ["not the user's words"])


def test_words_that_nobody_said_lift_nothing() -> None:
    assert by("the deploy rule is off", DEPLOY, said="go on") == ([], ["not verbatim"])


@pytest.mark.parametrize("name", ["r2", "r0", "u2", "rule 1", ""])
def test_a_rule_that_there_is_not_is_not_lifted(name: str) -> None:
    state, path = session(DEPLOY, OVER, rules=((1, DEPLOY),))
    assert outcome(LiftItem(rule=name, message="u2", quote=OVER), state, path) == (
        [],
        ["unknown name"],
    )


def test_a_message_that_there_is_not_lifts_nothing() -> None:
    state, path = session(DEPLOY, OVER, rules=((1, DEPLOY),))
    assert outcome(LiftItem(rule="r1", message="u3", quote=OVER), state, path)[1] == [
        "unknown name"
    ]


def test_earlier_words_and_those_of_its_own_message_do_not_lift_a_rule() -> None:
    state, path = session(OVER, f"{DEPLOY} {OVER}", rules=((2, DEPLOY),))
    for name in ("u1", "u2"):
        assert outcome(LiftItem(rule="r1", message=name, quote=OVER), state, path) == (
            [],
            ["given before its rule"],
        )


@pytest.mark.parametrize(
    ("origin", "correction"), [("code", "restored"), ("code", "dropped"), ("pin", "none")]
)
def test_what_the_user_corrected_is_not_lifted(origin: RuleOrigin, correction: Correction) -> None:
    state, path = session(DEPLOY, OVER, rules=((1, DEPLOY),))
    rule = replace(state.rules[0], origin=origin, correction=correction)
    item = LiftItem(rule="r1", message="u2", quote=OVER)
    assert outcome(item, replace(state, rules=(rule,)), path) == ([], ["corrected by the user"])


def test_a_lift_that_code_found_is_nothing_new() -> None:
    state, path = session(DEPLOY, OVER, rules=((1, DEPLOY),))
    words = Quote(entry_id="e2", turn=2, text=OVER)
    lifted = replace(state, rules=(replace(state.rules[0], lifted_by=words),))
    assert outcome(LiftItem(rule="r1", message="u2", quote=OVER), lifted, path) == ([], [])


def test_a_rule_of_the_same_diff_is_lifted_by_its_message() -> None:
    rule, words = "our customers pay in local currency", "ok, forget the local currency thing"
    state, path = session(rule, "go on", words)
    diff = Diff(
        rules=(RuleItem(message="u1", quote=rule),),
        lifts=(LiftItem(rule="u1", message="u3", quote=words),),
    )
    quote = Quote(entry_id="e1", turn=1, text=rule)
    lift = Quote(entry_id="e3", turn=3, text=words)
    changes = verified(diff, state, path).changes
    assert changes.new_rules == (NewRule(quote=quote, lifted_by=lift),)
    assert changes.lifts == ()


def test_what_may_lift_a_rule_of_the_same_diff_is_marked_as_the_models_word() -> None:
    rule, words = "our customers pay in local currency", "show me the currency of each customer"
    state, path = session(rule, words)
    diff = Diff(
        rules=(RuleItem(message="u1", quote=rule),),
        lifts=(LiftItem(rule="u1", message="u2", quote=words),),
    )
    quote = Quote(entry_id="e1", turn=1, text=rule)
    lift = Quote(entry_id="e2", turn=2, text=words)
    assert verified(diff, state, path).changes.new_rules == (
        NewRule(quote=quote, doubted_by=lift, doubt_origin="model"),
    )


def test_of_two_rules_of_a_message_the_one_that_is_spoken_of_is_lifted() -> None:
    text = f"{COMMITS} {DEPLOY}"
    state, path = session(text, OVER, rules=((1, COMMITS), (1, DEPLOY)))
    lift = LiftItem(rule="u1", message="u2", quote=OVER)
    changes = verified(Diff(lifts=(lift,)), state, path).changes
    assert [lift.rule.text for lift in changes.lifts] == [DEPLOY]


def test_what_else_the_words_of_a_lifted_rule_say_stays_in_force() -> None:
    rule = "1) never push to main 2) tests go in the same commit"
    words = "forget what I said about tests in the same commit"
    state, path = session(rule, words, rules=((1, rule),))
    lift = LiftItem(rule="r1", message="u2", quote=words)
    changes = verified(Diff(lifts=(lift,)), state, path).changes
    assert [lift.certain for lift in changes.lifts] == [True]
    assert [new.quote.text for new in changes.new_rules] == ["1) never push to main"]


def test_long_words_are_cut_down_to_the_sentence_that_lifts() -> None:
    story = "The weekend was long and the demo went well in the end, everybody clapped. " * 4
    said = f"{story}{OVER.capitalize()}. {story}"
    state, path = session(DEPLOY, said, rules=((1, DEPLOY),))
    seen = verified(Diff(lifts=(LiftItem(rule="r1", message="u2", quote=said),)), state, path)
    assert [lift.by.text for lift in seen.changes.lifts] == [f"{OVER.capitalize()}."]


def test_of_a_model_that_lifts_by_any_words_only_what_is_plain_is_believed() -> None:
    talk = ("fix the footer", "now the header", "show me the diff", "commit this please")
    plain = "forget what I said about deploys to staging, no need to ask"
    state, path = session(COMMITS, DEPLOY, *talk, plain, rules=((1, COMMITS), (2, DEPLOY)))
    lifts = tuple(
        LiftItem(rule=name, message=f"u{turn}", quote=text)
        for turn, text in enumerate((*talk, plain), 3)
        for name in ("r1", "r2")
    )
    seen = verified(Diff(lifts=lifts), state, path)
    assert [(lift.rule.text, lift.certain) for lift in seen.changes.lifts] == [(DEPLOY, True)]
    assert {(one.reason, one.marked) for one in seen.dropped} == {("no evidence", False)}


def test_a_rule_has_one_lift_the_first_that_is_certain() -> None:
    again = "you can deploy to staging again whenever you like"
    state, path = session(DEPLOY, OVER, again, rules=((1, DEPLOY),))
    lifts = (
        LiftItem(rule="r1", message="u3", quote=again),
        LiftItem(rule="r1", message="u2", quote=OVER),
    )
    changes = verified(Diff(lifts=lifts), state, path).changes
    assert [lift.by.turn for lift in changes.lifts] == [2]
