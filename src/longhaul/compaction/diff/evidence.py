"""What in the user's own words speaks for a lift that a model sees.

Code asks less here than where it finds lifts by itself: a form of withdrawal and a subject that it
shares with the rule are enough, or a form that is likely to mean it. Words that ask, make one
exception, or say that the rule still holds are none, whatever a model makes of them; nor is a form
of withdrawal in words that the sentence shows in quotation marks.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from longhaul.compaction.diff.quoted_words import sentences_at
from longhaul.compaction.rules.lift_forms import find_signs, has_trigger
from longhaul.compaction.rules.lift_grounds import names_replaced
from longhaul.compaction.rules.lift_weights import WEIGHTS
from longhaul.compaction.rules.lifts import Pair, estimate, find_pairs, withdraws_nothing
from longhaul.compaction.rules.overlap import read_topic, shared_stems
from longhaul.compaction.rules.quotations import without_sayings
from longhaul.compaction.rules.sentences import Sentence, split_sentences
from longhaul.compaction.state import Rule
from longhaul.compaction.statements import Statement

LEAST_LINK = 0.3
"""From so much of a shared subject words are about the rule."""
REPLACING_LINK = 1.0
"""The same where words only order something from now on, which may hold beside the rule."""
LINKED_LIKELY = 0.02
"""From this probability a form of withdrawal in words about the rule is evidence."""
UNLINKED_LIKELY = 0.4
"""From this one, in words that do not name its subject."""
LIMITED_LIKELY = 0.2
"""From this one, where they also say where alone they hold, which may mean no exception."""
PLAIN_LIKELY = 0.5
"""What is asked for where a model lifts nearly everything."""
_MERELY = frozenset(("once", "question", "keeps"))
"""Signs of words that speak of a rule and yet do not even mark it."""

Support = Literal["plain", "enough", "some", "beside", "none"]
"""`plain`: what code would nearly see by itself; `enough` for a model's word; `some`: only words
on the same subject, or only a form of withdrawal; `beside`: neither, but the message gives a rule
of its own, which may stand in the place of the other."""
_ORDER: tuple[Support, ...] = ("none", "beside", "some", "enough", "plain")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What one sentence says for a lift."""

    support: Support
    sentence: Sentence
    link: float
    """How much it shares with the rule."""


def supports(evidence: Evidence, least: Support) -> bool:
    """Return whether the words say at least so much."""
    return rank_of(evidence.support) >= rank_of(least)


def rank_of(support: Support) -> int:
    """Return a number that grows with how much words say."""
    return _ORDER.index(support)


class Reading:
    """A message read beside the rules that were in force when it was typed."""

    def __init__(self, statement: Statement, rules: Sequence[Rule], *, gives_rule: bool) -> None:
        """Read the clauses of `statement` that may withdraw something; `rules` by number."""
        self.statement = statement
        self._gives_rule = gives_rule
        self._pairs: Mapping[tuple[int, str], list[Pair]] = _pairs(statement.text, rules)

    def find(self, rule: Rule, start: int, end: int) -> Evidence | None:
        """Return the best that the sentences in `start:end` say for a lift of `rule`.

        None where no sentence of the user's own stands there.
        """
        touched = sentences_at(self.statement.text, start, end)
        evidence = [self._weigh(one, rule) for one in touched]
        return max(
            evidence,
            key=lambda one: (rank_of(one.support), one.link, -one.sentence.start),
            default=None,
        )

    def _weigh(self, sentence: Sentence, rule: Rule) -> Evidence:
        said = without_sayings(sentence.text)
        withdraws = said == sentence.text or has_trigger(said)
        pairs = self._pairs.get((rule.number, sentence.text.strip()), []) if withdraws else []
        topics = read_topic(sentence.text if pairs else said), read_topic(rule.quote.text)
        link = sum(shared_stems(*topics).values())
        support = _support(sentence, pairs, link, gives_rule=self._gives_rule)
        return Evidence(support=support, sentence=sentence, link=link)


def _pairs(text: str, rules: Sequence[Rule]) -> Mapping[tuple[int, str], list[Pair]]:
    """Return by rule and sentence the clauses that may withdraw it."""
    found: dict[tuple[int, str], list[Pair]] = defaultdict(list)
    for pairs in find_pairs(text, rules):
        for pair in pairs:
            for name in _names(pair.place.sentence, text):
                found[pair.rule.number, name].append(pair)
    return found


def _names(sentence: str, text: str) -> Iterator[str]:
    """Yield a place's sentence, and the same without the mark of a list that stands before it."""
    yield sentence.strip()
    bare = next((one.text for one in split_sentences(text) if sentence.endswith(one.text)), "")
    if bare and bare != sentence:
        yield bare.strip()


def _support(
    sentence: Sentence, pairs: Sequence[Pair], link: float, *, gives_rule: bool
) -> Support:
    fit = [pair for pair in pairs if not withdraws_nothing(pair)]
    if fit:
        return max(map(_support_of, fit), key=rank_of)
    if pairs or find_signs(sentence.text) & _MERELY:
        return "none"
    if link >= LEAST_LINK:
        return "some"
    return "beside" if gives_rule else "none"


def _support_of(pair: Pair) -> Support:
    likely = estimate(pair.features, WEIGHTS)
    if "limited" in pair.features and likely < LIMITED_LIKELY:
        return "some"
    if likely >= PLAIN_LIKELY:
        return "plain"
    if pair.grounds == {"replaced"} and not _names_what_goes(pair):
        return "some"
    linked = pair.link >= LEAST_LINK and (likely >= LINKED_LIKELY or pair.grounds)
    return "enough" if linked or likely >= UNLINKED_LIKELY else "some"


def _names_what_goes(pair: Pair) -> bool:
    return pair.link >= REPLACING_LINK or names_replaced(pair.place, pair.rule)
