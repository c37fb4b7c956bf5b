import random
from time import process_time

import pytest

from longhaul.compaction.rules.lifts import find_lifts
from longhaul.compaction.state import Quote, Rule


def rules(*texts: str) -> tuple[Rule, ...]:
    """Rules r1, r2, … of messages of their own."""
    return tuple(
        Rule(number=number, quote=Quote(entry_id=f"e{number}", turn=number, text=text))
        for number, text in enumerate(texts, 1)
    )


def together(*texts: str) -> tuple[Rule, ...]:
    """Rules that one message gave."""
    return tuple(
        Rule(number=number, quote=Quote(entry_id="e1", turn=1, text=text))
        for number, text in enumerate(texts, 1)
    )


def certain(text: str, given: tuple[Rule, ...]) -> list[int]:
    return [lift.number for lift in find_lifts(text, given) if lift.certain]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("Never touch the fixtures in spec/data.", "You can edit the fixtures in spec/data again."),
        ("Every endpoint needs a rate limit.", "Forget what I said about rate limits."),
        ("Only use the mirror for downloads.", "The mirror rule is off."),
        ("Write the docs in Danish.", "Docs in English instead of Danish from now on."),
        ("Ask me before you run a benchmark.", "You needn't ask about benchmarks any more."),
        ("No squash merges.", "Squash merges are allowed again."),
        ("Don't change the schema while Noor is migrating.", "Noor is done, the schema is open."),
        ("Bitte keine Abkürzungen in Spaltennamen.", "Abkürzungen sind wieder erlaubt."),
        ("Write a docstring for every function.", "You don't have to write any docstrings."),
        ("Every function gets a docstring.", "The docstring rule is history."),
        ("No tabs in the Makefile templates.", "The rule about tabs is dead."),
        ("Ask me before every push to staging.", "Push to staging as often as you like."),
        ("Format amounts with commas.", "The comma rule is irrelevant."),
        ("Never push to main.", "Push to main is fine, you have permission."),
        ("Ask me before you deploy.", "From now on deploy what you've built without asking me."),
        ("Every function gets a docstring.", "No need for those docstrings any more."),
        ("Don't edit generated files.", "Edit generated files from now on, it's fine for those."),
        ("Commit subjects are short.", "The rule for this repo about commit subjects is off."),
        ("Identifiers only in English.", "identifiers are up to you from now on"),
        ("Use the npm mirror while the registry is failing.", "The npm registry is back."),
        ("Don't change the schema while Noor is migrating.", "Noor is done and back."),
    ],
)
def test_words_that_withdraw_a_rule_lift_it(rule: str, message: str) -> None:
    lifts = find_lifts(message, rules(rule))
    assert [(lift.number, lift.certain) for lift in lifts] == [(1, True)]
    assert lifts[0].quote in message
    assert lifts[0].clause in lifts[0].quote


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (
            "Never touch the fixtures in spec/data.",
            "You may edit one of the fixtures, just this once.",
        ),
        ("Every endpoint needs a rate limit.", "Does the rate limit rule still hold?"),
        ("Only use the mirror for downloads.", "If the mirror dies you can use the origin again."),
        ("Write the docs in Danish.", "As I said, docs in Danish!"),
        ("Ask me before you run a benchmark.", "You ran a benchmark without asking again."),
        ("Don't update snapshots without asking me.", "you changed three without asking"),
        ("Don't update snapshots without asking me.", "yes you can update those"),
        ("Hands off payments, Lena is working on it.", "Lena is back from vacation, says hi."),
        ("Don't reword my chapters.", "The title of chapter 12 is up to you."),
        ("Print everything in A3.", "The A3 printer is dead, so I go to the copyshop."),
        ("No squash merges.", "In docs/ squash merges are fine, everything else as before."),
        ("Don't change the schema while Noor is migrating.", "Noor is not done yet."),
        ("Use four spaces.", "> four spaces are no longer needed\n\nthat's from their style guide"),
        ("Use four spaces.", "The build is green, go on."),
    ],
)
def test_what_only_looks_like_a_withdrawal_lifts_nothing(rule: str, message: str) -> None:
    assert certain(message, rules(rule)) == []


RESTATED = rules(
    "Never deploy without telling me.",
    "prefer small modules",
    "no new services",
    "Weights are grams everywhere inside, kilograms only on labels.",
)


@pytest.mark.parametrize(
    "message",
    [
        "don't deploy without telling me",
        "again: never deploy without telling me!",
        "no more deploying without telling me",
        "stop adding services without a word",
        "--max WEIGHT (grams) exits with 4 when the weight of any parcel is over it",
        "remove the service mailer from docker-compose.yml",
        "replace the small icon of the module page",
        "the services are back up",
        "the module no longer crashes",
        "turn the services off",
        "the weight is off by 2 grams",
    ],
)
def test_a_rule_said_again_or_work_on_what_it_names_lifts_nothing(message: str) -> None:
    assert find_lifts(message, RESTATED) == ()


@pytest.mark.parametrize(
    ("message", "lifted"),
    [
        ("you can deploy without telling me now", [1]),
        ("new services are fine again", [3]),
        ("kilograms instead of grams inside as well, from now on", [4]),
    ],
)
def test_the_same_rules_are_lifted_by_words_against_them(message: str, lifted: list[int]) -> None:
    assert certain(message, RESTATED) == lifted


@pytest.mark.parametrize(
    "message", ["Vera's report is done.", "The Vera theme is back.", "Vera is not done yet."]
)
def test_a_period_ends_only_with_what_the_rule_waits_for(message: str) -> None:
    given = rules("Don't change the schema while Vera is migrating.")
    assert certain(message, given) == []
    assert certain("Vera is done, the schema is open again.", given) == [1]


def test_of_several_rules_only_the_one_spoken_of_is_lifted() -> None:
    given = rules(
        "No emojis in commit titles.", "Never restart the proxy.", "Use tabs in Go files."
    )
    assert certain("You can restart the proxy again.", given) == [2]


def test_a_number_names_the_rule_of_a_list() -> None:
    given = together("Answer in verse.", "Never print the environment.", "Use tabs.")
    assert certain("(2) is off, the rule has served its time", given) == [2]


def test_words_that_name_none_of_many_rules_lift_none() -> None:
    given = rules("Use tabs.", "No emojis.", "Never restart the proxy.", "Docs in Danish.")
    assert find_lifts("Do whatever you like.", given) == ()


def test_a_lift_ends_every_statement_of_the_rule() -> None:
    given = rules("Never restart the proxy.", "Use tabs.", "As I said, no restarts of the proxy!")
    assert certain("You can restart the proxy again.", given) == [1, 3]


def test_a_replacement_says_what_holds_instead() -> None:
    (lift,) = find_lifts("From now on docs in English instead of Danish.", rules("Docs in Danish."))
    assert lift.replaces


def test_a_release_says_nothing_new() -> None:
    (lift,) = find_lifts(
        "The Danish rule no longer applies.", rules("Docs in Danish, that's a rule.")
    )
    assert not lift.replaces


def test_without_rules_nothing_is_lifted() -> None:
    assert find_lifts("Forget what I said about tabs.", ()) == ()


def test_a_huge_message_among_many_rules_takes_seconds_at_most() -> None:
    chance = random.Random(1)
    words = ["".join(chance.choices("abcdefghij", k=6)) for _ in range(500)]
    given = rules(*(f"never {' '.join(chance.choices(words, k=9))}" for _ in range(1000)))
    lines = (f"You can {' '.join(chance.choices(words, k=9))} again." for _ in range(15_000))
    started = process_time()
    find_lifts("\n".join(lines), given)
    assert process_time() - started < 20


def test_the_end_of_a_word_before_a_sentence_is_no_mark_of_a_list() -> None:
    said = "And about the width: 100 instead, 80 is silly on my screen."
    (lift,) = find_lifts(f"Lower the text once. {said}", rules("Keep lines under 80 characters."))
    assert lift.quote == said
