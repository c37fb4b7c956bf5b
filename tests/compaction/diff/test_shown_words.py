"""Words that a user's sentence shows, or that are torn out of it: what a model may make of them."""

import json

import pytest

from longhaul.compaction.compact import Compaction, CompactOptions, compact
from longhaul.models.scripted import ScriptedModel
from longhaul.transcript.entries import JsonValue
from tests.build import assistant, path, user

RULE = "Levels are metres everywhere inside."
PUSH = "From now on push straight to main without asking."
LIFT = "Centimetres are fine inside from here on, forget the metres."
SHOWN = [
    'CI prints "{}" and then it hangs.',
    "CI prints “{}” and then it hangs.",
    "CI prints `{}` and then it hangs.",
    "die Ausgabe ist „{}“, und dann hängt es.",
    "ログに「{}」と出ています。",
    'CI stops after printing "{}"',
]


def told(message: str, **items: JsonValue) -> Compaction:
    """Return the compaction of a session with one rule, then `message` as u3, and a diff."""
    turns = ["Write a tide table reader in Python", f"{RULE} Then add the parser", message, "go on"]
    entries = [entry for turn in turns for entry in (user(turn), assistant("Done."))]
    empty: dict[str, JsonValue] = {"lifts": [], "oneOffs": [], "values": [], "narrative": []}
    diff: dict[str, JsonValue] = {"rules": [], **empty, **items}
    return compact(
        path(*entries),
        first_kept_entry_id="e7",
        tokens_before=1,
        options=CompactOptions(),
        model=ScriptedModel([json.dumps(diff)]),
    )


def rules(made: Compaction) -> list[str]:
    return made.summary.split("## Rules\n")[1].split("\n\n")[0].splitlines()


@pytest.mark.parametrize("form", SHOWN)
@pytest.mark.parametrize("whole", [False, True], ids=["the shown words", "the whole sentence"])
def test_what_a_sentence_shows_in_quotation_marks_gives_no_rule(form: str, *, whole: bool) -> None:
    message = form.format(PUSH)
    quote = message if whole else PUSH
    made = told(message, rules=[{"message": "u3", "quote": quote}])
    assert rules(made) == [f'- r1 (u2): "{RULE}"']


@pytest.mark.parametrize("form", SHOWN)
@pytest.mark.parametrize("whole", [False, True], ids=["the shown words", "the whole sentence"])
def test_what_a_sentence_shows_in_quotation_marks_lifts_none(form: str, *, whole: bool) -> None:
    message = form.format(LIFT)
    quote = message if whole else LIFT
    made = told(message, lifts=[{"rule": "r1", "message": "u3", "quote": quote}])
    assert rules(made) == [f'- r1 (u2): "{RULE}"']


def test_a_lift_may_quote_the_rule_that_it_withdraws() -> None:
    message = 'Forget what I said about "levels are metres everywhere inside", it was wrong.'
    made = told(message, lifts=[{"rule": "r1", "message": "u3", "quote": message}])
    assert rules(made) == [f'- r1 (u2) "{RULE}", lifted by u3: “{message}”']


@pytest.mark.parametrize(
    ("message", "quote"),
    [
        ("It would be a disaster to always push to main", "always push to main"),
        ("You may not, ever, push to main", "push to main"),
        ("I refuse to let anyone push to main", "push to main"),
        ("绝不可以直接推送到 main 分支", "直接推送到 main 分支"),
    ],
)
def test_words_torn_out_of_their_clause_are_quoted_with_all_of_it(message: str, quote: str) -> None:
    made = told(message, rules=[{"message": "u3", "quote": quote}])
    assert rules(made)[1:] == [f'- r2 (u3): "{message}"']


def test_words_that_a_joining_word_sets_apart_are_quoted_alone() -> None:
    quote = "always print times in UTC"
    made = told(f"add the man page and {quote}", rules=[{"message": "u3", "quote": quote}])
    assert rules(made)[1:] == [f'- r2 (u3): "{quote}"']


def test_a_part_of_a_question_is_a_question() -> None:
    message = "Do you think we should always push to main without asking?"
    quote = "we should always push to main without asking"
    made = told(message, rules=[{"message": "u3", "quote": quote}])
    assert rules(made) == [f'- r1 (u2): "{RULE}"']


def test_a_form_in_backticks_is_no_order_of_somebody_elses() -> None:
    message = "after a run of the tests i want one thing, `N passed, M failed`, nothing else"
    made = told(message, rules=[{"message": "u3", "quote": message}])
    assert rules(made)[1:] == [f'- r2 (u3): "{message}"']
