"""Which rules in force a message withdraws or replaces, and with which words."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from longhaul.compaction.rules.lift_features import (
    RuleView,
    find_features,
    ordinal_of,
    view_rules,
)
from longhaul.compaction.rules.lift_forms import find_signs
from longhaul.compaction.rules.lift_grounds import Ground, find_grounds
from longhaul.compaction.rules.lift_places import Place, find_places
from longhaul.compaction.rules.lift_weights import WEIGHTS
from longhaul.compaction.rules.overlap import read_topic
from longhaul.compaction.rules.restatements import find_restatements
from longhaul.compaction.state import Rule
from longhaul.compaction.white_space import fold_space

CERTAIN = 0.8
"""Probability from which a lift is taken as made."""
DOUBTFUL = 0.7
"""Probability from which a message is said to lift a rule perhaps."""
CERTAIN_AMONG_MANY = 0.85
"""The same, where the words have more rules to be about."""
CERTAIN_WITHOUT_GROUNDS = 0.95
"""The same, where only the model speaks for it, and few rules are in force."""
_SOME_RULES = 4
_MARGIN = 0.35
"""How far behind the likeliest rule another one may be to be lifted by the same words."""
_FEW_RULES = 2
"""Up to so many rules in force, words that name none of them may still lift one."""
_NEAR_RULES = 12
"""How many rules one clause is compared with: those that share most with its sentence."""
_MAX_SHARING = 100
"""How many rules may share a stem, the newest of them, before it says nothing."""
_MAX_PLACES = 100
"""How many clauses of one message are looked at."""
_MAX_QUOTE_CHARS = 240
_LINK = 0.8
"""How much words must share with one of several rules to lift it."""
_LOOSE_LINK = 1.4
"""The same, where the words may as well speak of something else, as an order does."""
_FIRM_SHARE = 0.1
_LOOSE_SHARE = 0.25
"""Shares of the rule's subject, so that a long rule is not lifted for a word of it."""
_MOST = 0.7
"""Share of the rule's subject that is enough, however little that is."""
_BEHIND = 0.5
"""A rule that shares less than this part of what the best one shares is not what is meant."""
_FAINT_LINK = 0.3
_FIRM: frozenset[Ground] = frozenset(("said", "opposed", "ended"))
_UNFIT = frozenset(("limited", "replaces other"))
_VETOES = frozenset(("once", "exception", "keeps", "negated", "relapse", "head_condition"))
"""Signs of a clause that withdraws nothing, whatever form it has."""
_NEAR_VETOES = frozenset(("once", "exception"))
"""Those that count beside a clause as well: they limit what it says."""
_RELEASES = frozenset(("no_longer", "spares", "whatever", "let_again", "lapsed", "again", "i_said"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift:
    """A rule and the words that withdraw it."""

    number: int
    """The rule's number."""
    quote: str
    """The user's words, verbatim."""
    clause: str
    """The part of them that does it."""
    certain: bool
    """False where the words may mean it: the rule stays in force, marked."""
    replaces: bool
    """Whether the words also say what holds instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A clause and a rule that it may withdraw."""

    place: Place
    rule: RuleView
    link: float
    """How much the clause's sentence speaks of what the rule is about."""
    grounds: frozenset[Ground]
    features: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Force:
    """The rules in force, read once for many messages."""

    views: tuple[RuleView, ...]
    index: Mapping[str, Sequence[int]]
    """By stem, which of `views` have it."""
    spoken: frozenset[str]


def find_lifts(
    text: str, rules: Sequence[Rule], *, weights: Mapping[str, float] = WEIGHTS
) -> tuple[Lift, ...]:
    """Return the lifts that `text` makes among `rules`, by rule number.

    A message that only says a rule again lifts none.

    `rules` are those in force that an earlier message gave. Words that lift a rule lift every
    statement of it among `rules`. Empty for most messages. `weights` are the model's, by feature.
    """
    if not rules:
        return ()
    force = _read_force(tuple(rules))
    if spoken(text) in force.spoken:
        return ()
    found: dict[int, tuple[float, Lift]] = {}
    for probability, pair in _likely(text, force, weights):
        known = found.get(pair.rule.number)
        if known is None or probability > known[0]:
            found[pair.rule.number] = probability, _lift(probability, pair, n_rules=len(rules))
    lifts = {number: lift for number, (_, lift) in found.items()}
    return tuple(lifts[number] for number in sorted(_with_restatements(lifts, rules)))


def spoken(text: str) -> str:
    """Return words as they are compared: without case, and with white space folded."""
    return fold_space(text.casefold())


def find_pairs(text: str, rules: Sequence[Rule], *, named: bool = False) -> Iterator[list[Pair]]:
    """Yield for each clause of `text` that could withdraw something the pairs with its rules.

    With `named`, only for clauses in sentences that name a rule: a quick look that spares the rest.
    """
    if rules:
        yield from _pairs(text, _read_force(tuple(rules)), named=named)


def _pairs(text: str, force: Force, *, named: bool) -> Iterator[list[Pair]]:
    views, index = force.views, force.index

    def names_a_rule(sentence: str) -> bool:
        links = _links(sentence, views, index)
        return ordinal_of(sentence) > 0 or any(
            link >= min(_LINK, _MOST * views[position].topic.total)
            for position, link in links.items()
        )

    for place in islice(find_places(text, names_a_rule if named else None), _MAX_PLACES):
        near = _nearest(place, views, index)
        best = max((link for _, link in near), default=0.0)
        yield [_pair(place, view, link, best=best, n_rules=len(views)) for view, link in near]


def estimate(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return the probability that a clause with these features withdraws the rule."""
    total = sum(weights.get(name, 0.0) * value for name, value in features.items())
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def _likely(text: str, force: Force, weights: Mapping[str, float]) -> Iterator[tuple[float, Pair]]:
    """Yield the pairs that are likely enough, for each clause those near its likeliest."""
    for pairs in _pairs(text, force, named=len(force.views) > _FEW_RULES):
        scored = [(estimate(pair.features, weights), pair) for pair in pairs]
        best = max((probability for probability, _ in scored), default=0.0)
        broad = any("all_said" in find_signs(pair.place.sentence) for pair in pairs[:1])
        limit = DOUBTFUL if broad else max(DOUBTFUL, best - _MARGIN)
        least = 0.0 if broad else _BEHIND * max((pair.link for pair in pairs), default=0.0)
        yield from (
            (probability, pair)
            for probability, pair in scored
            if probability >= limit
            and (pair.link >= least or pair.features["ordinal"])
            and _is_fit(pair, n_rules=len(force.views))
        )


def _is_fit(pair: Pair, *, n_rules: int) -> bool:
    """Return whether the words name the rule, have a ground to lift it, and are no exception."""
    if withdraws_nothing(pair) or _UNFIT & set(pair.features):
        return False
    return pair.features["ordinal"] > 0 or _is_grounded(pair, n_rules=n_rules)


def withdraws_nothing(pair: Pair) -> bool:
    """Return whether a clause asks, makes an exception or says that the rule still holds.

    So does one that agrees to what the rule has the assistant ask for.
    """
    signs = find_signs(pair.place.clause)
    beside = find_signs(pair.place.tail) | find_signs(pair.place.lead)
    conditional = "head_condition" in find_signs(pair.place.lead)
    agrees = "approves" in signs and "asks_first" in pair.rule.forms
    asks = pair.features["question"] > 0
    return bool(conditional or agrees or asks or beside & _NEAR_VETOES or signs & _VETOES)


def _is_grounded(pair: Pair, *, n_rules: int) -> bool:
    """Return whether the words have a ground, and can mean no other rule."""
    if n_rules <= _FEW_RULES:
        return bool(pair.grounds) or (
            not _FAINT_LINK <= pair.link < _LINK and not _says_it_all(pair)
        )
    total = pair.rule.topic.total
    if pair.grounds & _FIRM:
        return pair.link >= max(min(_LINK, _MOST * total), _FIRM_SHARE * total)
    return bool(pair.grounds) and pair.link >= max(_LOOSE_LINK, _LOOSE_SHARE * total)


@lru_cache(maxsize=8)
def _read_force(rules: tuple[Rule, ...]) -> Force:
    views = tuple(view_rules(rules))
    index: dict[str, list[int]] = defaultdict(list)
    for position, view in enumerate(views):
        for stem in view.topic.weights:
            index[stem].append(position)
    said = frozenset(spoken(rule.quote.text) for rule in rules)
    return Force(views=views, index=index, spoken=said)


def _nearest(
    place: Place, views: Sequence[RuleView], index: Mapping[str, Sequence[int]]
) -> list[tuple[RuleView, float]]:
    """Return the rules to compare a clause with, each with what its sentence shares with it."""
    links = {} if len(views) > _NEAR_RULES else dict.fromkeys(range(len(views)), 0.0)
    links |= _links(place.sentence, views, index)
    nearest = sorted(links, key=lambda position: (-links[position], -position))[:_NEAR_RULES]
    return [(views[position], links[position]) for position in sorted(nearest)]


def _links(
    sentence: str, views: Sequence[RuleView], index: Mapping[str, Sequence[int]]
) -> dict[int, float]:
    """Return what a sentence shares with each rule that it shares something with."""
    links: dict[int, float] = {}
    for stem, weight in read_topic(sentence).weights.items():
        for position in index.get(stem, ())[-_MAX_SHARING:]:
            heavier = max(weight, views[position].topic.weights[stem])
            links[position] = links.get(position, 0.0) + heavier
    return links


def _pair(place: Place, view: RuleView, link: float, *, best: float, n_rules: int) -> Pair:
    grounds = find_grounds(place, view)
    features = find_features(place, view, link=link, best=best, n_rules=n_rules)
    features = {**features, **{f"ground {ground}": 1.0 for ground in grounds}}
    return Pair(place=place, rule=view, link=link, grounds=grounds, features=features)


def _lift(probability: float, pair: Pair, *, n_rules: int) -> Lift:
    signs = find_signs(pair.place.sentence)
    return Lift(
        number=pair.rule.number,
        quote=_quote(pair.place),
        clause=pair.place.clause.strip(),
        certain=probability >= _certain_from(pair, n_rules=n_rules),
        replaces=_is_replacement(signs),
    )


def _says_it_all(pair: Pair) -> bool:
    """Return whether the sentence has every word of the rule, as one that says it again."""
    return pair.rule.topic.weights.keys() <= read_topic(pair.place.sentence).weights.keys()


def _certain_from(pair: Pair, *, n_rules: int) -> float:
    """Return the probability from which a lift is taken as made."""
    if n_rules > _SOME_RULES:
        return CERTAIN_AMONG_MANY
    return CERTAIN if pair.grounds or pair.features["ordinal"] > 0 else CERTAIN_WITHOUT_GROUNDS


def _is_replacement(signs: frozenset[str]) -> bool:
    """Return whether words with these signs say what holds instead of what they withdraw."""
    if signs & _RELEASES or signs >= {"names_rule", "withdraw"}:
        return False
    return bool(signs & {"swap", "order_now"}) or ("replace" in signs and "over" not in signs)


def _quote(place: Place) -> str:
    return place.sentence if len(place.sentence) <= _MAX_QUOTE_CHARS else place.clause.strip()


def _with_restatements(lifts: dict[int, Lift], rules: Sequence[Rule]) -> dict[int, Lift]:
    """Add a lift for every other statement of a rule that is certainly lifted."""
    for lift in [lift for lift in lifts.values() if lift.certain]:
        for number in find_restatements(lift.number, rules):
            if number not in lifts or not lifts[number].certain:
                lifts[number] = replace(lift, number=number)
    return lifts
