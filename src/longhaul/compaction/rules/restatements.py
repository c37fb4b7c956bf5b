"""Which statements of rules say the same rule again."""

# ruff: noqa: E501 - a pattern reads best as one list of words

import re
from collections.abc import Sequence

from longhaul.compaction.rules.overlap import read_topic, shared_stems
from longhaul.compaction.state import Rule

_SAME_SHARE = 0.6
"""Share of the shorter statement's subject that two statements of one rule have in common."""
_REMINDED_LINK = 0.8
_SAME_LINK = 1.2
_REMINDER = re.compile(
    r"\b(?:as I (?:said|told|asked|wrote)|(?<!what )(?<!till )(?<!until )(?<!unless )(?<!before )(?<!after )(?<!once )(?<!when )(?<!if )I(?:'ve| have)? (?:told|said|meant|asked)|I did (?:tell|say|mean|ask)|like I (?:said|told)|once more|one more time|again[:,!]"
    r"|still\b.{0,80}\b(?:stands|holds|applies)|(?:a |just a )?reminder|remember|as (?:agreed|discussed|always|before)|at the start|how often|every (?:single )?time|really$|I meant it)\b"
    r"|^\W*again\b|!!|\bnochmal\w*|\bwie (?:gesagt|vereinbart)|\bcomo (?:dije|falei|te dije)|\bcomme (?:je|convenu)|\bcome (?:ho|ti ho) detto|\bzoals (?:ik|gezegd)"
    r"|повтор|ещё раз|как я (?:сказал|говорил)|再说一遍|说过|もう一度|言いました|다시 말",
    re.IGNORECASE,
)


def find_restatements(number: int, rules: Sequence[Rule]) -> tuple[int, ...]:
    """Return the numbers of the other `rules` that state the rule `number` again, or first."""
    rule = next(rule for rule in rules if rule.number == number)
    return tuple(
        other.number for other in rules if other.number != number and is_same_rule(rule, other)
    )


def is_same_rule(one: Rule, other: Rule) -> bool:
    """Return whether the later of two statements says the earlier again."""
    if one.quote.entry_id == other.quote.entry_id:
        return False
    first, second = sorted((one, other), key=lambda rule: (rule.quote.turn, rule.number))
    topics = read_topic(first.quote.text), read_topic(second.quote.text)
    link = sum(shared_stems(*topics).values())
    if link < _REMINDED_LINK:
        return False
    if _REMINDER.search(second.quote.text):
        return True
    shorter = min(topic.total for topic in topics)
    return link >= _SAME_LINK and link >= _SAME_SHARE * shorter
