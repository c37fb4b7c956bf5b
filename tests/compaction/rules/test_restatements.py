import pytest

from longhaul.compaction.rules.restatements import is_same_rule
from longhaul.compaction.state import Quote, Rule


def are_same(first: str, second: str) -> bool:
    """Whether u5 states the rule of u1 again."""
    one, other = (
        Rule(number=number, quote=Quote(entry_id=f"e{turn}", turn=turn, text=text))
        for number, (turn, text) in enumerate(((1, first), (5, second)), 1)
    )
    assert is_same_rule(one, other) == is_same_rule(other, one)
    return is_same_rule(one, other)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Commit messages stay under 50 characters.", "As I said: commit messages stay short."),
        ("Never touch vendor/zlib.", "I told you not to touch vendor/zlib!"),
        ("Keep the parser free of regular expressions.", "No regular expressions in the parser."),
        ("Turbines are named in Welsh.", "I told you: no English for a turbine!"),
        ("Turbines are named in Welsh.", "I did say how a turbine is called."),
    ],
)
def test_a_rule_said_again_is_the_same_rule(first: str, second: str) -> None:
    assert are_same(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Never touch restore.sh.", "Remember: deploy.sh asks before it does anything."),
        ("Every module gets a docstring, reader.py too.", "Once more, writer.py stays private."),
        ("Turbines are named in Welsh.", "The turbines stay frozen until I say the audit is over."),
        ("Turbines are named in Welsh.", "No turbine moves till I've said that the audit is over."),
        ("Turbines are named in Welsh.", "A turbine moves once I've said so, no sooner."),
        ("Never touch train.ipynb.", "Reminder: eval.ipynb stays private."),
    ],
)
def test_two_rules_of_two_subjects_are_not_the_same(first: str, second: str) -> None:
    assert not are_same(first, second)
