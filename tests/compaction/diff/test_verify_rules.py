from dataclasses import replace

import pytest

from longhaul.compaction.diff.changes import Dropped, NewRule
from longhaul.compaction.diff.items import Diff, RuleItem
from longhaul.compaction.diff.verify import verify_diff
from longhaul.compaction.fold import advance
from longhaul.compaction.state import Quote, Rule, State
from longhaul.transcript.entries import Entry, Path
from tests import build
from tests.compaction.diff.diffs import verified

CURRENCY = "our customers pay in local currency here"
"""A rule without a rule word, which code does not find by itself."""
ALWAYS = "From now on always run the linter before you commit."
"""What code finds."""


def session(*entries: Entry | str) -> tuple[State, Path]:
    path = build.path(*(build.user(e) if isinstance(e, str) else e for e in entries))
    return advance(State(), path, 0, len(path)), path


def given(
    message: str, quote: str, *entries: Entry | str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The quotes of the new rules, and the reasons of what was dropped."""
    state, path = session(*entries)
    seen = verified(Diff(rules=(RuleItem(message=message, quote=quote),)), state, path)
    quotes = tuple(new.quote.text for new in seen.changes.new_rules)
    return quotes, tuple(one.reason for one in seen.dropped)


def test_a_rule_that_code_missed_is_added_with_its_message() -> None:
    state, path = session("hello there", CURRENCY)
    item = RuleItem(message="u2", quote=CURRENCY)
    seen = verified(Diff(rules=(item,)), state, path)
    quote = Quote(entry_id="e2", turn=2, text=CURRENCY)
    assert seen.changes.new_rules == (NewRule(quote=quote),)
    assert (seen.kept.rules, seen.dropped) == ((item,), ())


def test_a_rule_that_code_found_is_nothing_new_and_not_counted() -> None:
    assert given("u1", ALWAYS, ALWAYS) == ((), ())


def test_words_that_stand_among_the_rules_again_give_no_second_rule() -> None:
    assert given("u2", ALWAYS, ALWAYS, ALWAYS) == ((), ())


@pytest.mark.parametrize("name", ["u3", "u0", "r1", "", "u01", "7", "u1 u2", "u99999999999"])
def test_a_message_that_there_is_not_gives_nothing(name: str) -> None:
    assert given(name, CURRENCY, CURRENCY) == ((), ("unknown name",))


def test_words_that_nobody_said_are_dropped() -> None:
    assert given("u1", "always use tabs", CURRENCY) == ((), ("not verbatim",))


def test_a_word_changed_is_not_verbatim() -> None:
    assert given("u1", "our customers pay in foreign currency", CURRENCY) == ((), ("not verbatim",))


def test_the_words_of_another_message_are_dropped() -> None:
    assert given("u2", CURRENCY, CURRENCY, "go on with it") == ((), ("not verbatim",))


def test_the_message_keeps_its_own_spelling() -> None:
    said = "our customers’  shop\u00a0“Kiosk” – it takes local currency… too"
    quote = 'Our customers\' shop "Kiosk" - it takes local currency... too'
    kept = "our customers’ shop “Kiosk” – it takes local currency… too"
    assert given("u1", quote, said) == ((kept,), ())


def test_marks_that_were_shown_to_the_model_as_others_are_the_same() -> None:
    said = 'our customers say "local" when they pay in the 12" currency'
    shown = "our customers say “local” when they pay in the 12' currency"
    assert given("u1", shown, said) == ((said,), ())


def test_characters_that_are_never_seen_are_passed_over_and_kept() -> None:
    said = "our custo\u200bmers pay in local currency here"
    assert given("u1", CURRENCY, said) == ((said,), ())


def test_half_a_character_does_no_harm() -> None:
    said = f"{CURRENCY} \ud83d"
    assert given("u1", f"{CURRENCY} \ud83d", said) == ((said,), ())


def test_words_of_a_tool_are_not_the_users() -> None:
    result = build.result("c1", "Rule: our customers pay in local currency", tool="bash")
    quote = "our customers pay in local currency"
    assert given("u1", quote, "run it", result) == ((), ("not the user's words",))


def test_words_of_the_assistant_are_not_the_users() -> None:
    reply = build.assistant("User: our customers pay in local currency")
    assert given("u1", "our customers pay in local currency", "go", reply) == (
        (),
        ("not the user's words",),
    )


@pytest.mark.parametrize(
    "shown",
    [
        f"see this:\n```\n{CURRENCY}\n```\nok?",
        f"> {CURRENCY}\n\nwhat does she mean by that?",
        f'<file name="a.md">{CURRENCY}</file>\nread that',
        f'<skill name="x">\n{CURRENCY}\n</skill>\n\ngo',
        f"Ina wrote: {CURRENCY}",
    ],
)
def test_what_the_user_only_shows_gives_no_rule(shown: str) -> None:
    assert given("u1", CURRENCY, shown) == ((), ("not the user's words",))


def test_an_answer_to_a_question_is_the_users() -> None:
    answer = build.result("c1", f"User wrote: {CURRENCY}", tool="question")
    assert given("u1", CURRENCY, "ask me", answer) == ((CURRENCY,), ())


def test_a_message_that_was_edited_out_gives_nothing() -> None:
    reasons = given("u1", CURRENCY, CURRENCY, build.context_edit("e1"))[1]
    assert reasons == ("not the user's words",)


def test_secrets_are_compared_and_kept_masked() -> None:
    token = "ghp_0123456789abcdefghijABCDEFGHIJ456789"
    said = f"deploys here always use {token} as the token"
    masked = "deploys here always use [masked: GitHub token] as the token"
    assert given("u1", masked, said)[1] == ()
    assert given("u1", said, said) == ((), ("not the user's words",))


@pytest.mark.parametrize("quote", ["", " ", "…", '"."', "---"])
def test_a_quote_without_a_word_is_too_short(quote: str) -> None:
    assert given("u1", quote, CURRENCY) == ((), ("too short",))


def test_a_quote_of_a_million_words_is_none() -> None:
    assert given("u1", f"{CURRENCY} " * 200_000, CURRENCY) == ((), ("not verbatim",))


def test_one_word_stands_for_its_sentence() -> None:
    said = f"hi there. {CURRENCY}. thanks"
    assert given("u1", "currency", said) == ((f"{CURRENCY}.",), ())


def test_words_whose_sentence_turns_them_stand_for_all_of_it() -> None:
    said = "Fix it. Never restart the proxy by hand"
    assert given("u1", "restart the proxy", said) == (("Never restart the proxy by hand",), ())


def test_of_a_long_message_the_likeliest_sentence_is_the_rule() -> None:
    story = "I looked at the report yesterday and found it hard to follow in places. " * 8
    said = f"{story}\n\n{CURRENCY}, whatever you build for them.\n\n{story}"
    quotes, reasons = given("u1", said, said)
    assert reasons == ()
    assert all("local currency" in quote and len(quote) <= 300 for quote in quotes)


@pytest.mark.parametrize(
    "said",
    [
        "ok, thanks!",
        "why is the build red?",
        "great",
        "Could you look at the build?",
        "yes please go on",
    ],
)
def test_thanks_and_questions_give_no_rule(said: str) -> None:
    assert given("u1", said, said) == ((), ("looks like no rule",))


def test_a_rule_that_asks_for_agreement_is_no_question() -> None:
    said = "each PR stays under 200 lines in this repo, ok?"
    assert given("u1", said, said)[1] == ()


def test_what_the_user_said_is_no_rule_stays_none() -> None:
    state, path = session(ALWAYS)
    (rule,) = state.rules
    dropped = replace(state, rules=(replace(rule, correction="dropped"),))
    seen = verified(Diff(rules=(RuleItem(message="u1", quote=ALWAYS),)), dropped, path)
    assert seen.changes.new_rules == ()
    assert seen.dropped == (
        Dropped(kind="rule", item=f'u1: "{ALWAYS}"', reason="corrected by the user"),
    )


def test_later_words_lift_a_rule_that_the_model_adds() -> None:
    state, path = session(CURRENCY, "go on", "Forget what I said about local currency.")
    seen = verified(Diff(rules=(RuleItem(message="u1", quote=CURRENCY),)), state, path)
    lift = Quote(entry_id="e3", turn=3, text="Forget what I said about local currency.")
    rule = Quote(entry_id="e1", turn=1, text=CURRENCY)
    assert seen.changes.new_rules == (NewRule(quote=rule, lifted_by=lift),)


CHATTER = (
    *("fix the login page", "hm, it is still red", "now the footer", "show me the diff"),
    *("the button is too wide", "looks better", "run it again", "and the header?"),
)


def test_of_a_model_that_calls_everything_a_rule_none_is_believed() -> None:
    state, path = session(*CHATTER, CURRENCY)
    texts = enumerate((*CHATTER, CURRENCY), 1)
    diff = Diff(rules=tuple(RuleItem(message=f"u{n}", quote=text) for n, text in texts))
    seen = verified(diff, state, path)
    assert seen.changes.new_rules == ()
    assert {one.reason for one in seen.dropped} == {
        "looks like no rule",
        "calls nearly everything a rule",
    }


def test_less_shows_it_where_the_model_names_every_message_of_the_span() -> None:
    state, path = session(ALWAYS, "looks better", "show me the diff")
    diff = Diff(
        rules=(
            RuleItem(message="u2", quote="looks better"),
            RuleItem(message="u3", quote="show me the diff"),
        )
    )
    whole = verify_diff(diff, state, path, start=1, end=3, ask_tools=())
    assert [one.reason for one in whole.dropped] == ["calls nearly everything a rule"] * 2
    part = verify_diff(diff, state, path, start=0, end=3, ask_tools=())
    assert len(part.changes.new_rules) == 2


def test_what_a_model_added_before_counts_as_well() -> None:
    state, path = session(*CHATTER)
    quotes = [Quote(entry_id=f"e{n}", turn=n, text=CHATTER[n - 1]) for n in range(1, 7)]
    model = tuple(Rule(number=n, quote=quote, origin="model") for n, quote in enumerate(quotes, 1))
    before = replace(state, rules=model, n_rules=6)
    diff = Diff(rules=(RuleItem(message="u7", quote=CHATTER[6]),))
    assert [one.reason for one in verified(diff, before, path).dropped] == [
        "calls nearly everything a rule"
    ]


def test_parts_of_one_sentence_are_one_rule() -> None:
    state, path = session(CURRENCY)
    diff = Diff(
        rules=(
            RuleItem(message="u1", quote=CURRENCY),
            RuleItem(message="u1", quote="customers pay in local currency"),
        )
    )
    assert [new.quote.text for new in verified(diff, state, path).changes.new_rules] == [CURRENCY]


def test_one_diff_adds_at_most_forty_rules() -> None:
    said = [
        f"in module{n} we always log in UTC and in module{n} amounts stay in cents"
        for n in range(50)
    ]
    path = build.path(*map(build.user, said))
    diff = Diff(
        rules=tuple(RuleItem(message=f"u{n}", quote=text) for n, text in enumerate(said, 1))
    )
    seen = verified(diff, State(), path)
    assert len(seen.changes.new_rules) == 40
    assert [one.reason for one in seen.dropped] == ["too many"] * 10


def test_of_very_many_items_only_the_newest_are_looked_at() -> None:
    state, path = session(CURRENCY)
    items = tuple(RuleItem(message="u1", quote=f"made up {n}") for n in range(2000))
    reasons = [one.reason for one in verified(Diff(rules=items), state, path).dropped]
    assert (reasons.count("not verbatim"), reasons.count("too many")) == (500, 1)
