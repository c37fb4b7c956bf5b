"""Which lifts of a diff are believed: later words of the user, with evidence that code can see."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from longhaul.compaction.diff.changes import Dropped, DropReason, RuleLift
from longhaul.compaction.diff.evidence import (
    Evidence,
    Reading,
    Support,
    rank_of,
    supports,
)
from longhaul.compaction.diff.found import Found, find_own
from longhaul.compaction.diff.heard import Heard, comes_before, rule_number_of, turn_of
from longhaul.compaction.diff.items import LiftItem
from longhaul.compaction.diff.known_rules import in_force_at
from longhaul.compaction.diff.quoted_words import is_short
from longhaul.compaction.diff.verified_items import VerifiedItems, drop
from longhaul.compaction.passages import head_of
from longhaul.compaction.state import Quote, Rule, is_in_force
from longhaul.compaction.statements import Statement, quote_from
from longhaul.compaction.white_space import fold_space

N_LIFTS = 40
"""Most lifts that one diff can make: the plainest, then those of the newest words."""
N_EMPTY = 2
EMPTY_SHARE = 0.25
"""From so many words on that say nothing of any rule they shall lift, and more than this share of
all such words, only what is plain to code is believed."""
LIFT_CHARS = 240
"""Most characters of the words that lift; of longer words the sentence that says it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    """A lift that an item claims, with what speaks for it."""

    item: LiftItem
    """With the words as the message has them."""
    rule: Rule
    words: Quote
    evidence: Evidence


def verify_lifts(
    items: Iterable[LiftItem], rules: Sequence[Rule], heard: Heard
) -> VerifiedItems[RuleLift, LiftItem]:
    """Return what lifts or marks a rule, one for each rule, by rule; `rules` are from `add_new`."""
    claims: list[_Claim] = []
    dropped: list[Dropped] = []
    read = _reader(heard, rules)
    for item in items:
        result = _claims(item, rules, heard, read)
        if isinstance(result, str):
            dropped.append(_dropped(item, result))
        else:
            claims.extend(result)
    least: Support = "plain" if _is_careless(claims) else "beside"
    beside = {(claim.words.entry_id, claim.rule.number) for claim in claims if _is_beside(claim)}
    n_beside = Counter(entry_id for entry_id, _ in beside)
    believed = [
        claim
        for claim in claims
        if supports(claim.evidence, least)
        and (not _is_beside(claim) or n_beside[claim.words.entry_id] == 1)
    ]
    refused = [claim for claim in claims if claim not in believed]
    best = _best_of_each(believed, heard)
    kept = sorted(best, key=_weakest_last)[:N_LIFTS]
    return VerifiedItems(
        changes=tuple(_lift(claim) for claim in best if claim in kept),
        kept=tuple(dict.fromkeys(claim.item for claim in best if claim in kept)),
        dropped=(
            *dropped,
            *(_dropped(claim.item, "no evidence") for claim in refused),
            *(_dropped(claim.item, "too many") for claim in best if claim not in kept),
            *(
                _dropped(claim.item, "no evidence", marked=True)
                for claim in kept
                if not _is_certain(claim)
            ),
        ),
    )


def _claims(
    item: LiftItem, rules: Sequence[Rule], heard: Heard, read: Callable[[Statement], Reading]
) -> list[_Claim] | DropReason:
    """Return what an item claims of each rule that it may mean; nothing where none is in force."""
    meant = _meant(item.rule, rules)
    turn = turn_of(item.message)
    if not meant or turn is None or turn > heard.n_turns:
        return "unknown name"
    found = find_own(item.quote, turn, heard)
    if not isinstance(found, Found):
        return found
    earlier = _liftable(meant, found.statement, heard)
    if not isinstance(earlier, list):
        return earlier
    evidence = [
        (rule, read(found.statement).find(rule, found.start, found.end)) for rule in earlier
    ]
    claims = [_claim(item, rule, found, seen) for rule, seen in evidence if seen is not None]
    likeliest = max(map(_likelihood, claims), default=None)
    claims = [claim for claim in claims if _likelihood(claim) == likeliest]
    if len(claims) > 1 and not _is_certain(claims[0]):
        return "no evidence"
    return claims


def _is_careless(claims: Iterable[_Claim]) -> bool:
    """Return whether a model takes so many messages for lifts that it cannot have meant them."""
    best: dict[Quote, int] = {}
    for claim in claims:
        rank = rank_of(claim.evidence.support)
        best[claim.words] = max(rank, best.get(claim.words, 0))
    n_empty = sum(rank <= rank_of("beside") for rank in best.values())
    return n_empty >= N_EMPTY and n_empty > EMPTY_SHARE * len(best)


def _is_beside(claim: _Claim) -> bool:
    """Return whether nothing but a rule of the same message speaks for a claim."""
    return claim.evidence.support == "beside"


def _likelihood(claim: _Claim) -> tuple[int, float]:
    """Return what tells which of several rules of one message is meant."""
    return rank_of(claim.evidence.support), claim.evidence.link


def _meant(name: str, rules: Sequence[Rule]) -> list[Rule]:
    number, turn = rule_number_of(name), turn_of(name)
    return [rule for rule in rules if number == rule.number or turn == rule.quote.turn]


def _liftable(meant: Sequence[Rule], statement: Statement, heard: Heard) -> list[Rule] | DropReason:
    """Return the rules that a statement could lift, or why it can lift none."""
    free = [rule for rule in meant if rule.correction == "none" and rule.origin != "pin"]
    if not free:
        return "corrected by the user"
    earlier = [rule for rule in free if comes_before(heard, rule.quote, statement)]
    if not earlier:
        return "given before its rule"
    return [rule for rule in earlier if is_in_force(rule)]


def _reader(heard: Heard, rules: Sequence[Rule]) -> Callable[[Statement], Reading]:
    @cache
    def read(statement: Statement) -> Reading:
        gives_rule = any(
            rule.quote.entry_id == statement.entry_id and is_in_force(rule) for rule in rules
        )
        return Reading(statement, in_force_at(heard, rules, statement), gives_rule=gives_rule)

    return read


def _claim(item: LiftItem, rule: Rule, found: Found, evidence: Evidence) -> _Claim:
    name = f"r{rule.number}" if rule_number_of(item.rule) else f"u{rule.quote.turn}"
    text = found.text
    if is_short(text) or len(text) > LIFT_CHARS:
        text = head_of(fold_space(evidence.sentence.text), LIFT_CHARS)
    words = quote_from(found.statement, text)
    item = LiftItem(rule=name, message=f"u{words.turn}", quote=text)
    return _Claim(item=item, rule=rule, words=words, evidence=evidence)


def _best_of_each(claims: Iterable[_Claim], heard: Heard) -> list[_Claim]:
    """Return one claim for each rule: the best supported, then the earliest said."""
    best: dict[int, _Claim] = {}
    for claim in sorted(claims, key=lambda claim: _goodness(claim, heard)):
        if _is_certain(claim) or claim.rule.doubted_by is None:
            best.setdefault(claim.rule.number, claim)
    return [best[number] for number in sorted(best)]


def _goodness(claim: _Claim, heard: Heard) -> tuple[bool, int, str]:
    return not _is_certain(claim), heard.order[claim.words.entry_id], claim.words.text


def _weakest_last(claim: _Claim) -> tuple[bool, int]:
    return not _is_certain(claim), -claim.words.turn


def _is_certain(claim: _Claim) -> bool:
    return supports(claim.evidence, "enough")


def _lift(claim: _Claim) -> RuleLift:
    return RuleLift(rule=claim.rule.quote, by=claim.words, certain=_is_certain(claim))


def _dropped(item: LiftItem, reason: DropReason, *, marked: bool = False) -> Dropped:
    words = f'{item.rule[:12]} by {item.message[:12]}: "{item.quote}"'
    return drop("lift", words, reason, marked=marked)
