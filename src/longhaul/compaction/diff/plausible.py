"""Whether words that a diff calls rules look like some to code: one by one, and all together.

`docs/verification.md` has how scores of rules and of other messages lie, on which the numbers were
chosen.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence

from longhaul.compaction.diff.found import Found, find_own
from longhaul.compaction.diff.heard import Heard, turn_of
from longhaul.compaction.diff.items import RuleItem
from longhaul.compaction.diff.quoted_words import sentences_at
from longhaul.compaction.rules.finder import score_sentences_of
from longhaul.compaction.rules.quotations import find_sayings
from longhaul.compaction.statements import Statement
from longhaul.compaction.white_space import fold_space

LEAST_SCORE = 0.01
"""From this score of `find_rules` on words may be a rule: one rule in 140 lies under it, and one
in six of the messages that give none."""
EVEN_SCORE = 0.2
"""A message with such a score speaks neither for the model that sees a rule in it nor against it:
above lie 4 of 5 rules that code does not find, under it 3 of 4 messages that give none."""
MOST_WEIGHT = 2.0
"""How much one message can speak for or against the model, in log odds."""
CARELESS_WEIGHT = -3.0
"""Below it, all messages together, a model calls nearly everything a rule: none of its rules is
believed. Two messages are the fewest that can show it; those of earlier diffs count as well."""
N_BEFORE = 12
"""How many rules of earlier diffs count: what is weighed at each compaction must not grow."""
WHOLE_SHARE = 0.8
WHOLE_WEIGHT = -1.5
"""The same, where it names so large a part of the span's messages."""
_ASKING_SCORE = 0.3
"""What a question needs, so as to be more than a question."""
_SHOWING_SCORE = 0.5
"""What a sentence needs that shows longer words in quotation marks: they may be somebody else's."""
_FORM_SCORE = 0.1
"""Under this, words in backticks are code or a form: `N ok, M bad`, and nobody's order."""
_ASKS = re.compile(r"[?？؟][\s\"'”’»)*_]*\Z")  # noqa: RUF001 - question marks of other scripts
_TAG = re.compile(
    r"[,.:;–-]\s*(?:ok|okay|right|yes|yeah|please|alright|all right|deal|agreed|got it|no|ja|oder"
    r"|ne|gut|vale|sí|d'accord|oui|va bene|tá|好吗|いいですか)\W*\Z",
    re.IGNORECASE,
)
"""What makes no question of what stands before it."""
_WORD = re.compile(r"\w+")
_ACKNOWLEDGEMENTS = """
    ok okay k yes yep yeah yup no nope sure thanks thank you thx ty great nice perfect cool lovely
    good fine done right alright got it looks lgtm hi hello hey go on ahead continue proceed next
    please pls
    danke merci gracias super gut ja nein oui non si sí да нет спасибо 好 好的 谢谢 はい 네
"""
_ACKNOWLEDGES = frozenset(_ACKNOWLEDGEMENTS.split())


def may_be_rule(found: Found, least: float = LEAST_SCORE) -> bool:
    """Return whether words may be a rule: a score of at least `least`, and no mere thanks.

    Words that ask, or show longer words in quotation marks, need more.
    """
    words = _WORD.findall(found.text.lower())
    if _ACKNOWLEDGES.issuperset(words):
        return False
    return found.score >= max(least, _least_of(found))


def _least_of(found: Found) -> float:
    """Return the score that is needed where words ask, or show longer words of somebody's."""
    text = found.statement.text
    touched = sentences_at(text, found.start, found.end)
    said = fold_space(text[found.start : max(found.end, touched[-1].end)])
    asks = _ASKS.search(said) and not _TAG.search(said)
    sayings = find_sayings(text, found.start, found.end)
    shows = any(not _is_form(text[left:right]) for left, right in sayings)
    return max(_ASKING_SCORE if asks else 0.0, _SHOWING_SCORE if shows else 0.0)


def _is_form(saying: str) -> bool:
    """Return whether words in backticks are a form to follow or a command, and rule nothing."""
    if not saying.startswith("`"):
        return False
    scores = (score for _, score in score_sentences_of(saying.strip("`")))
    return max(scores, default=0.0) < _FORM_SCORE


def calls_nearly_all(items: Iterable[RuleItem], found: Sequence[Found], heard: Heard) -> bool:
    """Return whether a model calls nearly everything a rule, its earlier diffs counted as well.

    `found` are the words of `items` that stand in what the user says, each once.
    """
    scores = _best_scores((*found, *_found_before(heard))).values()
    if not found:
        return False
    least = WHOLE_WEIGHT if _names_all(items, heard) else CARELESS_WEIGHT
    return len(scores) > 1 and sum(map(_weight, scores)) < least


def _best_scores(found: Iterable[Found]) -> dict[Statement, float]:
    """Return by message the best score of the words in it; 0 for those that are no rule anyway."""
    best: dict[Statement, float] = {}
    for one in found:
        score = one.score if may_be_rule(one, 0.0) else 0.0
        best[one.statement] = max(score, best.get(one.statement, 0.0))
    return best


def _found_before(heard: Heard) -> Iterator[Found]:
    """Yield the words of the rules that earlier diffs added, the newest few."""
    added = [rule for rule in heard.state.rules if rule.origin == "model"]
    for rule in added[-N_BEFORE:]:
        found = find_own(rule.quote.text, rule.quote.turn, heard)
        if isinstance(found, Found):
            yield found


def _names_all(items: Iterable[RuleItem], heard: Heard) -> bool:
    """Return whether items name nearly every message of the span, more than one of them."""
    offered = {turn for turn in heard.by_turn if turn >= heard.first_turn}
    named = offered & {turn_of(item.message) or 0 for item in items}
    return len(named) > 1 and len(named) >= WHOLE_SHARE * len(offered)


def _weight(score: float) -> float:
    """Return how much a message with such a score speaks for the model that sees a rule in it."""
    weight = _log_odds(score) - _log_odds(EVEN_SCORE)
    return max(-MOST_WEIGHT, min(MOST_WEIGHT, weight))


def _log_odds(score: float) -> float:
    inner = max(1e-6, min(1 - 1e-6, score))
    return math.log(inner / (1 - inner))
