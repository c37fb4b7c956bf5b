"""Which rules of a diff are believed: the user's own words, and enough like a rule to code."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from longhaul.compaction.diff.changes import Dropped, DropReason
from longhaul.compaction.diff.heard import Heard, is_shown, turn_of
from longhaul.compaction.diff.items import RuleItem
from longhaul.compaction.diff.overruling import overrules
from longhaul.compaction.diff.verified_items import VerifiedItems, drop
from longhaul.compaction.diff.words import find_places, is_own, is_short, sentences_at
from longhaul.compaction.rules.finder import score_sentences_of
from longhaul.compaction.rules.lifts import spoken
from longhaul.compaction.rules.polarity import read_polarity
from longhaul.compaction.rules.quotations import find_sayings
from longhaul.compaction.state import Quote, Rule, is_in_force
from longhaul.compaction.statements import Statement, quote_from
from longhaul.compaction.white_space import fold_space

N_NEW_RULES = 40
"""Most rules that one diff can add: those that look most like one."""
RULE_CHARS = 300
"""Most characters of a rule's quote; of longer words the likeliest sentence stands for them."""
LEAST_SCORE = 0.003
"""From this score of `find_rules` on words may be a rule; under it lies hardly any, and one in
fifteen of the messages that give none. `docs/diff.md` has this and the numbers below."""
EVEN_SCORE = 0.2
"""A message with such a score speaks neither for the model that sees a rule in it nor against it:
above lie 4 of 5 rules that code does not find, under it 3 of 4 messages that give none."""
MOST_WEIGHT = 2.0
"""How much one message can speak for or against the model, in log odds."""
CARELESS_WEIGHT = -3.0
"""Below it, all messages together, a model calls nearly everything a rule: none of its rules is
believed. Two messages are the fewest that can show it; those of earlier diffs count as well."""
WHOLE_SHARE = 0.8
WHOLE_WEIGHT = -1.5
"""The same, where it names so large a part of the span's messages."""
_ASKING_SCORE = 0.3
"""What a question needs, so as to be more than a question."""
_SHOWING_SCORE = 0.5
"""What a sentence needs that shows longer words in quotation marks: they may be somebody else's."""
_ASKS = re.compile(r"[?？؟][\s\"'”’»)*_]*\Z")  # noqa: RUF001 - question marks of other scripts
_TAG = re.compile(
    r"[,.:;–-]\s*(?:ok|okay|right|yes|yeah|please|alright|all right|deal|agreed|got it|no|ja|oder"
    r"|ne|gut|vale|sí|d'accord|oui|va bene|tá|好吗|いいですか)\W*\Z",
    re.IGNORECASE,
)
"""What makes no question of what stands before it."""
_WORD = re.compile(r"\w+")
_WORD_AT_END = re.compile(r"\w+\Z")
_JOINING = "and then but so also und dann aber y et e en och i и"
"""Words at which a clause may end or begin."""
_JOINS = frozenset(_JOINING.split())
_AT_AN_END = " \t\n*_()[]"
_ACKNOWLEDGEMENTS = """
    ok okay k yes yep yeah yup no nope sure thanks thank you thx ty great nice perfect cool lovely
    good fine done right alright got it looks lgtm hi hello hey go on ahead continue proceed next
    please pls
    danke merci gracias super gut ja nein oui non si sí да нет спасибо 好 好的 谢谢 はい 네
"""
_ACKNOWLEDGES = frozenset(_ACKNOWLEDGEMENTS.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Words of a message that a diff calls a rule."""

    statement: Statement
    start: int
    end: int
    score: float
    """How much the likeliest sentence that they touch looks like a rule to code, 0 to 1."""

    @property
    def text(self) -> str:
        """The words, on one line."""
        return fold_space(self.statement.text[self.start : self.end])


def verify_rules(items: Sequence[RuleItem], heard: Heard) -> VerifiedItems[Quote, RuleItem]:
    """Return the quotes of rules that code had not found, by place."""
    found: list[Found] = []
    dropped: list[Dropped] = []
    for item in items:
        result = _find(item, heard)
        if isinstance(result, Found):
            found.append(result)
        elif result is not None:
            dropped.append(_dropped(item, result))
    new = _apart(found, heard)
    least = WHOLE_WEIGHT if _names_all(items, heard) else CARELESS_WEIGHT
    careless = _is_careless(new, heard, least)
    believed = [] if careless else [one for one in new if _may_be_rule(one)]
    kept = sorted(
        sorted(believed, key=_likeliest)[:N_NEW_RULES], key=lambda one: _place(one, heard)
    )
    return VerifiedItems(
        changes=tuple(quote_from(one.statement, one.text) for one in kept),
        kept=tuple(map(_item, kept)),
        dropped=(*dropped, *_left_out(new, believed, kept)),
    )


def _find(item: RuleItem, heard: Heard) -> Found | DropReason | None:
    """Return the words that an item means, why it is none, or None where code has that rule."""
    turn = turn_of(item.message)
    if turn is None or turn > heard.n_turns:
        return "unknown name"
    found = find_own(item.quote, turn, heard)
    if not isinstance(found, Found):
        return found
    found = _fitted(found)
    covering = _covering(found, heard.state.rules)
    if any(rule.correction == "dropped" for rule in covering):
        return "corrected by the user"
    if not covering and overrules(found.statement, found.text, heard):
        return "corrected by the user"
    return None if covering else found


def find_own(quote: str, turn: int, heard: Heard) -> Found | DropReason:
    """Return where the user says `quote` in a turn, or why it counts for nothing."""
    if not _WORD.search(quote):
        return "too short"
    shown = False
    for statement in heard.by_turn.get(turn, ()):
        for start, end in find_places(quote, statement.text):
            if is_own(statement.text, start, end):
                return _scored(statement, start, end)
            shown = True
    if shown or is_shown(heard, turn, quote):
        return "not the user's words"
    return "not verbatim"


def _scored(statement: Statement, start: int, end: int) -> Found:
    scores = score_sentences_of(statement.text)
    touched = (score for one, score in scores if one.start < end and one.end > start)
    return Found(statement=statement, start=start, end=end, score=max(touched, default=0.0))


def _fitted(found: Found) -> Found:
    """Return words that say a rule by themselves: more of too few, the likeliest of too many.

    Where the sentence around the words turns their meaning, or they are torn out of a clause, all
    of it is quoted.
    """
    text = found.statement.text
    touched = sentences_at(text, found.start, found.end)
    start, end = min(found.start, touched[0].start), max(found.end, touched[-1].end)
    words, around = text[found.start : found.end], text[start:end]
    torn = end - start <= RULE_CHARS and _is_torn(text, found, start, end)
    if torn or is_short(words) or _turns(words, around):
        found = _scored(found.statement, start, end)
    if len(found.text) <= RULE_CHARS:
        return found
    scores = (pair for pair in score_sentences_of(text) if pair[0] in touched)
    likeliest = max(scores, key=lambda pair: (pair[1], -pair[0].start), default=(touched[0], 0.0))
    start, end = likeliest[0].start, likeliest[0].end
    return _scored(found.statement, start, _clipped(text, start, end))


def _turns(words: str, around: str) -> bool:
    """Return whether words ask for what the sentence around them refuses, or the other way."""
    alone, within = read_polarity(words), read_polarity(around)
    return any(within.get(stem, sign) != sign for stem, sign in alone.items())


def _is_torn(text: str, found: Found, start: int, end: int) -> bool:
    """Return whether words begin or end within a clause of `text[start:end]`."""
    before = _WORD_AT_END.search(text[start : found.start].rstrip(_AT_AN_END))
    after = _WORD.match(text[found.end : end].lstrip(_AT_AN_END))
    return any(word is not None and word[0].lower() not in _JOINS for word in (before, after))


def _clipped(text: str, start: int, end: int) -> int:
    limit = min(end, start + RULE_CHARS)
    space = text.rfind(" ", start, limit)
    return limit if limit == end or space < 0 else space


def _covering(found: Found, rules: Iterable[Rule]) -> list[Rule]:
    """Return the rules of the state that have these words already."""
    place, heard = found.statement.entry_id, spoken(found.text)
    return [
        rule
        for rule in rules
        if (rule.quote.entry_id == place and _shares(found, rule.quote.text))
        or (is_in_force(rule) and spoken(rule.quote.text) == heard)
    ]


def _shares(found: Found, words: str) -> bool:
    """Return whether words of the same message hold those found, or mostly overlap them."""
    if _holds(words, found.text):
        return True
    places = (replace(found, start=a, end=b) for a, b in find_places(words, found.statement.text))
    return any(_overlap(found, place) for place in places)


def _holds(one: str, other: str) -> bool:
    first, second = fold_space(one), fold_space(other)
    return first in second or second in first


def _apart(found: Sequence[Found], heard: Heard) -> list[Found]:
    """Return what was found, by place, without what only says again what stands there already."""
    apart: list[Found] = []
    for one in sorted(found, key=lambda one: (_place(one, heard), -one.end)):
        same = (other for other in apart if other.statement is one.statement)
        if not any(_overlap(one, other) for other in same):
            apart.append(one)
    return apart


def _overlap(one: Found, other: Found) -> bool:
    shared = min(one.end, other.end) - max(one.start, other.start)
    return 2 * shared >= min(one.end - one.start, other.end - other.start)


def _place(found: Found, heard: Heard) -> tuple[int, int, str]:
    return heard.order[found.statement.entry_id], found.start, found.statement.text


def _likeliest(found: Found) -> tuple[float, int, int]:
    return -found.score, found.statement.turn, found.start


def _names_all(items: Iterable[RuleItem], heard: Heard) -> bool:
    """Return whether items name nearly every message of the span, more than one of them."""
    offered = {turn for turn in heard.by_turn if turn >= heard.first_turn}
    named = offered & {turn_of(item.message) or 0 for item in items}
    return len(named) > 1 and len(named) >= WHOLE_SHARE * len(offered)


def _is_careless(found: Sequence[Found], heard: Heard, least: float) -> bool:
    """Return whether a model calls nearly everything a rule, its earlier diffs counted as well."""
    earlier = (
        find_own(rule.quote.text, rule.quote.turn, heard)
        for rule in heard.state.rules
        if rule.origin == "model"
    )
    best: dict[Statement, float] = {}
    for one in (*found, *(one for one in earlier if isinstance(one, Found))):
        score = one.score if _may_be_rule(one, 0.0) else 0.0
        best[one.statement] = max(score, best.get(one.statement, 0.0))
    return len(best) > 1 and sum(map(_weight, best.values())) < least


def _weight(score: float) -> float:
    """Return how much a message with such a score speaks for the model that sees a rule in it."""
    weight = _log_odds(score) - _log_odds(EVEN_SCORE)
    return max(-MOST_WEIGHT, min(MOST_WEIGHT, weight))


def _log_odds(score: float) -> float:
    inner = max(1e-6, min(1 - 1e-6, score))
    return math.log(inner / (1 - inner))


def _may_be_rule(found: Found, least: float = LEAST_SCORE) -> bool:
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
    shows = any(True for _ in find_sayings(text, found.start, found.end))
    return max(_ASKING_SCORE if asks else 0.0, _SHOWING_SCORE if shows else 0.0)


def _left_out(
    new: Sequence[Found], believed: Sequence[Found], kept: Sequence[Found]
) -> Iterator[Dropped]:
    held, plausible = set(kept), set(believed)
    for one in new:
        if one in held:
            continue
        reason: DropReason = "too many"
        if one not in plausible:
            plain = _may_be_rule(one)
            reason = "calls nearly everything a rule" if plain else "looks like no rule"
        yield _dropped(_item(one), reason)


def _item(found: Found) -> RuleItem:
    return RuleItem(message=f"u{found.statement.turn}", quote=found.text)


def _dropped(item: RuleItem, reason: DropReason) -> Dropped:
    return drop("rule", f'{item.message[:12]}: "{item.quote}"', reason)
