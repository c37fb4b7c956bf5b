"""What a diff calls a one-off: a rule that ended with its request, or a message that gives none."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from longhaul.compaction.diff.changes import Dropped, DropReason, OneOff
from longhaul.compaction.diff.heard import Heard, rule_number_of, turn_of
from longhaul.compaction.diff.items import OneOffItem
from longhaul.compaction.diff.verified_items import VerifiedItems, drop
from longhaul.compaction.rules.lift_forms import find_signs
from longhaul.compaction.rules.sentences import split_sentences
from longhaul.compaction.state import Rule, is_in_force

N_ONE_OFFS = 200
"""Most one-offs that one diff can name."""
_STAYS_OPEN = 0.5
"""From this score on a message may give a rule, whatever a model says."""
_N_CARELESS = 4
_CARELESS_SHARE = 0.5
"""From so many rules on, and more than this share of those in force, that are called one-offs
without a word of the user's for it, none of them is believed."""
_ONCE = re.compile(
    r"\b(?:(?:just|only|for) this once|just once|this once"
    r"|(?:just|only) (?:for )?this (?:one )?time"
    r"|this (?:one )?time (?:only|round|around)|this one time|one[- ]off|for this one\b"
    r"|(?:in|for|on|with) this (?:one )?(?:commit|pr|pull request|patch|change|fix|edit|run|reply"
    r"|answer|message|question|task|request|step|time)"
    r"|(?:only|just) (?:for )?(?:today|tonight)|(?:today|tonight) only|as an exception"
    r"|(?<!that )(?<!which )(?<!who )(?:don['’]t|do not) (?:\w+ ){1,4}yet|noch nicht"
    r"|ausnahmsweise|nur diesmal|nur dieses eine mal|nur heute|solo esta vez|sólo esta vez"
    r"|por esta vez|juste cette fois|cette fois seulement|pour cette fois|solo stavolta"
    r"|solo per questa volta|só desta vez|só dessa vez|alleen deze keer|bara den här gången"
    r"|tylko tym razem)\b"
    r"|только (?:в этот раз|сегодня)|на этот раз|这一次|就这次|仅此一次|今回だけ|今回のみ|이번만",
    re.IGNORECASE,
)
"""Words by which something holds for one request alone."""
_LASTS = frozenset(("standing", "order_now"))
"""Signs of `find_signs` that words hold on, whatever they say beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    """A rule that an item calls a one-off."""

    item: OneOffItem
    rule: Rule
    certain: bool


def verify_one_offs(items: Iterable[OneOffItem], heard: Heard) -> VerifiedItems[OneOff, OneOffItem]:
    """Return the rules that end as one-offs, or are marked so, by number.

    Items that name no rule are passed over.
    """
    claims: list[_Claim] = []
    dropped: list[Dropped] = []
    for item in items:
        result = _claims(item, _meant(item, heard))
        if isinstance(result, str):
            dropped.append(_dropped(item, result))
        else:
            claims.extend(result)
    refused = claims if _is_careless(claims, heard) else []
    by_number = {claim.rule.number: claim for claim in claims if not refused}
    kept = [by_number[number] for number in sorted(by_number)]
    return VerifiedItems(
        changes=tuple(OneOff(rule=one.rule.quote, certain=one.certain) for one in kept),
        kept=tuple(dict.fromkeys(one.item for one in kept)),
        dropped=(
            *dropped,
            *(_dropped(claim.item, "no evidence") for claim in refused),
            *(_dropped(one.item, "no evidence", marked=True) for one in kept if not one.certain),
        ),
    )


def verify_no_rules(
    items: Iterable[OneOffItem], heard: Heard, *, new_turns: frozenset[int]
) -> VerifiedItems[str, OneOffItem]:
    """Return the ids of the entries that give no rule, oldest first.

    `new_turns` are those whose message gives a rule that the same diff adds: what it calls a
    one-off as well. Items that name a rule are passed over.
    """
    quiet: dict[OneOffItem, tuple[str, ...]] = {}
    dropped: list[Dropped] = []
    for item in items:
        result = () if _meant(item, heard) else _quiet_entries(item, heard, new_turns)
        if isinstance(result, str):
            dropped.append(_dropped(item, result))
        elif result:
            quiet[OneOffItem(name=f"u{turn_of(item.name)}")] = result
    named = sorted(quiet, key=lambda item: turn_of(item.name) or 0)
    kept = named[:N_ONE_OFFS]
    return VerifiedItems(
        changes=tuple(entry_id for item in kept for entry_id in quiet[item]),
        kept=tuple(kept),
        dropped=(*dropped, *(_dropped(item, "too many") for item in named[N_ONE_OFFS:])),
    )


def _meant(item: OneOffItem, heard: Heard) -> list[Rule]:
    """Return the rules of the state that an item names; for a message, those still in force."""
    number, turn = rule_number_of(item.name), turn_of(item.name)
    return [
        rule
        for rule in heard.state.rules
        if rule.number == number or (rule.quote.turn == turn and is_in_force(rule))
    ]


def _claims(item: OneOffItem, meant: Sequence[Rule]) -> list[_Claim] | DropReason:
    if any(rule.correction == "restored" or rule.origin == "pin" for rule in meant):
        return "corrected by the user"
    return [
        _Claim(item=_item(item, rule), rule=rule, certain=is_for_once(rule.quote.text))
        for rule in meant
        if is_in_force(rule) and (rule.one_off == "no" or is_for_once(rule.quote.text))
    ]


def _item(item: OneOffItem, rule: Rule) -> OneOffItem:
    number = rule_number_of(item.name)
    return OneOffItem(name=f"r{number}" if number else f"u{rule.quote.turn}")


def is_for_once(words: str) -> bool:
    """Return whether words say that they hold for one request alone."""
    return any(
        _ONCE.search(one.text) and not find_signs(one.text) & _LASTS
        for one in split_sentences(words)
    )


def _is_careless(claims: Sequence[_Claim], heard: Heard) -> bool:
    """Return whether a model calls most rules one-offs without a word of the user's for it."""
    n_bare = len({claim.rule.number for claim in claims if not claim.certain})
    n_in_force = sum(map(is_in_force, heard.state.rules))
    return n_bare >= _N_CARELESS and n_bare > _CARELESS_SHARE * n_in_force


def _quiet_entries(
    item: OneOffItem, heard: Heard, new_turns: frozenset[int]
) -> tuple[str, ...] | DropReason:
    """Return the entries of a message that may well give no rule, or why none counts as that."""
    turn = turn_of(item.name)
    said = heard.by_turn.get(turn or 0)
    if said is None or turn is None:
        return "unknown name"
    if turn in new_turns:
        return "no evidence"
    entry_ids = tuple(dict.fromkeys(statement.entry_id for statement in said))
    scores = dict(_scores(heard, frozenset(entry_ids)))
    quiet = tuple(name for name in entry_ids if scores.get(name, 0.0) < _STAYS_OPEN)
    return quiet or "no evidence"


def _scores(heard: Heard, entry_ids: frozenset[str]) -> Iterator[tuple[str, float]]:
    """Yield the best score among the lines of each entry."""
    lines = [line for line in heard.state.said if line.quote.entry_id in entry_ids]
    for line in sorted(lines, key=lambda line: line.score):
        yield line.quote.entry_id, line.score


def _dropped(item: OneOffItem, reason: DropReason, *, marked: bool = False) -> Dropped:
    return drop("one-off", item.name, reason, marked=marked)
