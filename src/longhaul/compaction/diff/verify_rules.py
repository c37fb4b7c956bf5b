"""Which rules of a diff are believed: the user's own words, and enough like a rule to code."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from longhaul.compaction.diff.changes import Dropped, DropReason
from longhaul.compaction.diff.found import Found, find_own, fit_rule, overlap
from longhaul.compaction.diff.heard import Heard, turn_of
from longhaul.compaction.diff.items import RuleItem
from longhaul.compaction.diff.overruling import overrules
from longhaul.compaction.diff.plausible import calls_nearly_all, may_be_rule
from longhaul.compaction.diff.quoted_words import find_places
from longhaul.compaction.diff.verified_items import VerifiedItems, drop
from longhaul.compaction.rules.lifts import spoken
from longhaul.compaction.state import Quote, Rule, is_in_force
from longhaul.compaction.statements import quote_from
from longhaul.compaction.white_space import one_holds_other

N_NEW_RULES = 40
"""Most rules that one diff can add: those that look most like one."""


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
    careless = calls_nearly_all(items, new, heard)
    believed = [] if careless else [one for one in new if may_be_rule(one)]
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
    found = fit_rule(found)
    covering = _covering(found, heard.state.rules)
    if any(rule.correction == "dropped" for rule in covering):
        return "corrected by the user"
    if not covering and overrules(found.statement, found.text, heard):
        return "corrected by the user"
    return None if covering else found


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
    if one_holds_other(words, found.text):
        return True
    places = (replace(found, start=a, end=b) for a, b in find_places(words, found.statement.text))
    return any(overlap(found, place) for place in places)


def _apart(found: Sequence[Found], heard: Heard) -> list[Found]:
    """Return what was found, by place, without what only says again what stands there already."""
    apart: list[Found] = []
    for one in sorted(found, key=lambda one: (_place(one, heard), -one.end)):
        same = (other for other in apart if other.statement is one.statement)
        if not any(overlap(one, other) for other in same):
            apart.append(one)
    return apart


def _place(found: Found, heard: Heard) -> tuple[int, int, str]:
    return heard.order[found.statement.entry_id], found.start, found.statement.text


def _likeliest(found: Found) -> tuple[float, int, int]:
    return -found.score, found.statement.turn, found.start


def _left_out(
    new: Sequence[Found], believed: Sequence[Found], kept: Sequence[Found]
) -> Iterator[Dropped]:
    held, plausible = set(kept), set(believed)
    for one in new:
        if one in held:
            continue
        reason: DropReason = "too many"
        if one not in plausible:
            plain = may_be_rule(one)
            reason = "calls nearly everything a rule" if plain else "looks like no rule"
        yield _dropped(_item(one), reason)


def _item(found: Found) -> RuleItem:
    return RuleItem(message=f"u{found.statement.turn}", quote=found.text)


def _dropped(item: RuleItem, reason: DropReason) -> Dropped:
    return drop("rule", f'{item.message[:12]}: "{item.quote}"', reason)
