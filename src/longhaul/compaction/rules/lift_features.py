"""What relates a sentence to a rule that it may withdraw, as named numbers for a linear model."""

# ruff: noqa: RUF001 - words of any script

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from longhaul.compaction.rules.lift_forms import (
    find_ended,
    find_forms,
    find_replaced,
    find_scope,
    find_signs,
)
from longhaul.compaction.rules.lift_lookalikes import WARNINGS
from longhaul.compaction.rules.lift_phrases import TRIGGERS
from longhaul.compaction.rules.lift_places import Place
from longhaul.compaction.rules.overlap import Topic, read_topic, shared_stems
from longhaul.compaction.rules.polarity import read_polarity
from longhaul.compaction.state import Rule

_RULE_FORMS = {
    "forbids": (
        r"\b(?:no|never|don'?t|do not|doesn'?t|not|nothing|nobody|none|neither|without"
        r"|avoid|hands off|leave|stay (?:away|off|out|on)|keep out"
        r"|stop|ban(?:ned)?|forbidden|mustn'?t|can'?t|cannot|nie|nicht|kein\w*|nunca"
        r"|jamais|não|non|niet|geen|ne)\b|не |нельзя|никогда|别|不要|禁止|勿|ないで|말고|하지"
    ),
    "only": (
        r"\b(?:only|just|max\w*|at most|nothing (?:but|else)|stick to|limit|under \d+"
        r"|within|nur|solo|sólo|seulement|só|alleen)\b|только|只|だけ|만 "
    ),
    "always": (
        r"\b(?:always|every|each|all|any|whenever|wherever|immer|jede\w*|alle\w*|siempre"
        r"|tod[oa]s?|toujours|chaque|tous|sempre|ogni|altijd|elke)\b|всегда|кажд|всегда"
        r"|每|所有|都|必ず|毎|항상"
    ),
    "waits": (
        r"\b(?:until|till|while|as long as|for now|for the (?:moment|time being|week"
        r"|month|day|session)|meanwhile|during|this (?:week|month|session|sprint)|today"
        r"|tonight|temporar\w+|freeze|frozen|lesson|workshop"
        r"|solange|bis|während|vorerst|hasta|mientras|por ahora|jusqu|tant que|pendant"
        r"|fino|finché|até|enquanto|tot|zolang)\b|пока|до тех|直到|暂时|先别|当面|まで|동안"
    ),
    "state": (
        r"\b(?:is|are|am|'s|'m|'re) (?:still |currently |just |being |all )?(?:\w+ing"
        r"|down|away|sick|ill|broken|busy|dead|off|full|gone|old|new|closed)\b"
        r"|\bI'm on\b|\bon (?:a |the )?(?:plane|train|leave|holiday|vacation|mobile|call"
        r"|loan)\b"
        r"|\b(?:lapsed|expired|leaked|borrowed|owns?|running|only (?:have|got))\b"
    ),
    "busy": (
        r"\b(?:is|are|'s|'re) (?:still |currently |just |in there )?(?:work|migrat|edit|refactor"
        r"|record|test|writ|rewrit|chang|review|debug|merg|port|clean|fix|deploy|upgrad|sort|draft"
        r"|us|measur|analys|analyz|correct|check|updat|rebuild|reorganis|reorganiz|look)ing\b"
        r"|\bbusy (?:with|in|on)\b"
    ),
    "asks_first": (
        r"\b(?:ask(?:s|ing)?|approv\w+|confirm|permission|my ok|my explicit|show me|tell me"
        r"|check with|sign-?off)\b"
    ),
    "counts": r"\d|\b(?:one|two|three|four|five|ten)\b",
    "tells": (
        r"\b(?:explain|write|list|give|add|report|say|tell|put|mention|include|comment"
        r"|note|announce|answer|reply|speak)\b"
    ),
}
_RULE_PATTERNS = {name: re.compile(text, re.IGNORECASE) for name, text in _RULE_FORMS.items()}
_CONDITION = re.compile(
    r"(?:\b(?:until|till|while|as long as|before|during|because|since|so that"
    r"|solange|bis|weil|hasta|mientras|porque"
    r"|jusqu\w*|tant que|parce que|fino a|finché|até|enquanto|tot|zolang)\b|пока"
    r"|потому)([^.;]{3,160})",
    re.IGNORECASE,
)
_ORDINALS = {
    name: index
    for index, names in enumerate(
        ("first 1st 1 a", "second 2nd 2 b", "third 3rd 3 c", "fourth 4th 4 d", "fifth 5th 5 e"), 1
    )
    for name in names.split()
}
_ORDINAL = re.compile(
    r"\((\d|[a-e])\)|\b(?:rule|number|no\.?|point|item|nr\.?|#) ?#?(\d|[a-e])\b"
    r"|\bthe (first|second|third|fourth|fifth)\b(?= (?:one|rule|thing|of|is|was"
    r"|point|item|wish|allergy|"
    r"requirement|convention|condition|restriction|habit|can|no longer))",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？؟]\W*$")
_LINKED = 0.8
_SHORT_CHARS = 60
_LONG_CHARS = 160
_CROWD = 3
_WITHDRAWS = frozenset(("withdraw", "off", "forget", "lapsed", "no_more"))
_NAMES = frozenset(("names_rule", "i_said"))
_CHANGES = frozenset(("swap", "replace", "out_now", "changed_mind", "no_more", "order_now"))
_FAINT = 0.3
_KINDS = frozenset(("forbids", "waits", "state", "asks_first", "tells"))
_STEPS = (0.3, 0.8, 1.3, 2.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleView:
    """A rule as the features see it."""

    number: int
    topic: Topic
    polarity: Mapping[str, int]
    """By stem, 1 for what the rule asks for and -1 for what it refuses."""
    condition: Topic
    """What the rule says about its end or its reason."""
    forms: frozenset[str]
    place: int
    """1 for the first rule of its message, and so on."""


@lru_cache(maxsize=4096)
def read_rule(text: str) -> tuple[Topic, Topic, frozenset[str]]:
    """Return the topic of a rule, of its end or reason, and the names of its forms."""
    match = _CONDITION.search(text[:1000])
    forms = frozenset(name for name, p in _RULE_PATTERNS.items() if p.search(text[:1000]))
    return read_topic(text), read_topic(match[1] if match else ""), forms


def ordinal_of(sentence: str) -> int:
    """Return which rule of a list a sentence names ("the second one" is 2), or 0."""
    match = _ORDINAL.search(sentence)
    if not match:
        return 0
    return _ORDINALS.get((match[1] or match[2] or match[3]).lower(), 0)


def view_rules(rules: Sequence[Rule]) -> list[RuleView]:
    """Return `rules`, which are in the order they were given, as the features see them."""
    views: list[RuleView] = []
    place, entry_id = 0, ""
    for rule in rules:
        place = place + 1 if rule.quote.entry_id == entry_id else 1
        entry_id = rule.quote.entry_id
        topic, condition, forms = read_rule(rule.quote.text)
        views.append(
            RuleView(
                number=rule.number,
                topic=topic,
                polarity=read_polarity(rule.quote.text),
                condition=condition,
                forms=forms,
                place=place,
            )
        )
    return views


def find_features(
    place: Place, rule: RuleView, *, link: float, best: float, n_rules: int
) -> Mapping[str, float]:
    """Return the features of one clause and one rule.

    `link` is how much they share, `best` the most that any rule in force shares with the sentence.
    """
    forms = find_forms(place.clause)
    here = sum(shared_stems(read_topic(place.clause), rule.topic).values())
    linked = "linked" if here >= _LINKED else "near" if link >= _LINKED else "unlinked"
    names = [form for form in forms if form != "object" or "names_rule" not in forms]
    names += [*_around(place, forms), *_aims(place, rule)]
    names += [f"{form} {linked}" for form in forms.intersection(TRIGGERS)]
    names.append(f"{linked} {'alone' if n_rules == 1 else 'many'}")
    if forms & _WITHDRAWS and forms & _NAMES:
        names.append(f"explicit {linked}")
    if link >= _FAINT:
        kinds = rule.forms & _KINDS
        names += [f"{form} {kind}" for form in forms.intersection(TRIGGERS) for kind in kinds]
    features = dict.fromkeys(names, 1.0)
    return features | _link_features(place, rule, link=link, best=best, n_rules=n_rules)


def _around(place: Place, forms: frozenset[str]) -> Iterator[str]:
    """Yield features of what stands around a clause with these forms."""
    sentence = find_signs(place.sentence)
    also = sentence.union(*map(find_signs, place.around))
    yield from (f"lead {form}" for form in find_signs(place.lead) if form in WARNINGS)
    yield from (f"tail {form}" for form in find_signs(place.tail) if form in WARNINGS)
    yield from (f"also {form}" for form in (also - forms).intersection(TRIGGERS))
    lasting = "standing" if "standing" in also else "passing"
    yield from (f"{form} {lasting}" for form in forms & _CHANGES)
    if "keeps" in sentence:
        yield "sentence keeps"


def _aims(place: Place, rule: RuleView) -> Iterator[str]:
    """Yield features of what the clause says is replaced, has ended, or where alone it holds."""
    scope = f"{find_scope(place.clause)} {find_scope(place.lead)}"
    if not scope.isspace():
        yield "same scope" if _link(scope, rule) else "limited"
    ended = find_ended(place.clause)
    if ended and _link(ended, rule) >= _FAINT:
        yield from (f"ends {kind}" for kind in rule.forms & _KINDS)
        yield "ends it"
    replaced = find_replaced(place.clause) or find_replaced(place.sentence)
    if replaced and "rule_noun" not in find_signs(replaced):
        yield "replaces it" if _link(replaced, rule) >= _FAINT else "replaces other"


def _link_features(
    place: Place, rule: RuleView, *, link: float, best: float, n_rules: int
) -> dict[str, float]:
    topic = read_topic(place.sentence)
    shared = shared_stems(topic, rule.topic)
    here = shared_stems(read_topic(place.clause), rule.topic)
    ended = sum(shared_stems(topic, rule.condition).values())
    near = max(_link(place.around[0], rule), _link(place.around[1], rule))
    ordinal = ordinal_of(place.sentence)
    features = {f"link>{step}": 1.0 for step in _STEPS if link > step}
    features |= {
        "bias": 1.0,
        "share of sentence": link / (topic.total + 1.0),
        "share of rule": link / (rule.topic.total + 1.0),
        "name": float(any(weight > 1 for weight in shared.values())),
        "here": min(sum(here.values()), 2.0),
        "end": min(ended, 1.5),
        "near": min(near, 1.5),
        "best": float(link >= best and link > 0),
        "behind": best - link if best > link else 0.0,
        "many": float(n_rules > 1),
        "crowd": float(n_rules > _CROWD),
        "ordinal": float(ordinal == rule.place and ordinal > 0),
        "other ordinal": float(ordinal != rule.place and ordinal > 0),
        "question": float(bool(_QUESTION.search(place.sentence))),
        "short": float(len(place.sentence) < _SHORT_CHARS),
        "long": float(len(place.sentence) > _LONG_CHARS),
        "whole": float(place.message_chars < len(place.sentence) + 12),
    }
    features |= {f"rule {form}": 1.0 for form in rule.forms}
    return features


def _link(text: str, rule: RuleView) -> float:
    return sum(shared_stems(read_topic(text), rule.topic).values()) if text else 0.0
