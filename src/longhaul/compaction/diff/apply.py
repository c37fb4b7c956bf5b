"""Verified changes made to a state; pure, and the same however often or in which order."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from longhaul.compaction.diff.changes import Changes, NewRule, OneOff, RuleLift
from longhaul.compaction.rules.parts import left_of
from longhaul.compaction.rules.restatements import find_restatements
from longhaul.compaction.state import (
    NamedValue,
    Note,
    NoteKind,
    Quote,
    Rule,
    Said,
    State,
    is_in_force,
    note_order,
)

N_NAMED_VALUES = 60
"""How many values keep a model's name for them: those of the newest turns."""
N_CARRIED_NOTES: dict[NoteKind, int] = {"done": 12, "decided": 16, "in progress": 8, "next": 8}
"""How many notes of each kind are carried: those of the newest turns."""


def apply_changes(state: State, changes: Changes) -> State:
    """Return `state` after `changes`; without any, the state as it was.

    New rules get numbers never given before, in the order of `changes`. A certain lift ends every
    statement of the rule that is in force. Notes on what is in progress and next are replaced.
    """
    rules = _with_new_rules(state.rules, state.n_rules, changes.new_rules)
    rules = _with_lifts(rules, state.n_rules, changes.lifts)
    rules = _with_one_offs(rules, changes.one_offs)
    return replace(
        state,
        rules=rules,
        n_rules=max(state.n_rules, *(rule.number for rule in rules), 0),
        said=_thinned(state.said, frozenset(changes.no_rules)),
        named_values=_named(state.named_values, changes.values),
        notes=_noted(state.notes, changes.notes),
    )


def _with_new_rules(
    known_rules: Sequence[Rule], n_numbered: int, given: Iterable[NewRule]
) -> tuple[Rule, ...]:
    rules = list(known_rules)
    number = max(n_numbered, *(rule.number for rule in rules), 0)
    known = {rule.quote for rule in rules}
    for new in given:
        if new.quote in known:
            continue
        number += 1
        known.add(new.quote)
        rules.append(
            Rule(
                number=number,
                quote=new.quote,
                lifted_by=new.lifted_by,
                doubted_by=new.doubted_by,
                doubt_origin=new.doubt_origin,
                origin="model",
            )
        )
    return tuple(rules)


def _with_lifts(
    rules: tuple[Rule, ...], n_numbered: int, lifts: Sequence[RuleLift]
) -> tuple[Rule, ...]:
    """Return `rules` after `lifts`; what else another statement held stays in force."""
    for lift in lifts:
        meant = [rule for rule in rules if rule.quote == lift.rule and is_in_force(rule)]
        again = [one for rule in meant for one in _restated(rule, lift.by, rules) if lift.certain]
        ended = {rule.number for rule in (*meant, *again)}
        rules = tuple(_lifted(rule, lift) if rule.number in ended else rule for rule in rules)
        left = [quote for rule in again for quote in left_of(rule.quote, lift.by.text)]
        rules = _with_new_rules(rules, n_numbered, (NewRule(quote=quote) for quote in left))
    return rules


def _restated(rule: Rule, by: Quote, rules: Sequence[Rule]) -> list[Rule]:
    """Return the other statements of a rule that words given later end with it."""
    earlier = [
        other
        for other in rules
        if is_in_force(other)
        and other.correction == "none"
        and other.origin != "pin"
        and other.quote.turn <= by.turn
        and other.quote.entry_id != by.entry_id
    ]
    numbers = find_restatements(rule.number, earlier) if rule in earlier else ()
    return [other for other in earlier if other.number in numbers]


def _lifted(rule: Rule, lift: RuleLift) -> Rule:
    if lift.certain:
        return replace(rule, lifted_by=lift.by, doubted_by=None)
    if rule.doubted_by is not None:
        return rule
    return replace(rule, doubted_by=lift.by, doubt_origin="model")


def _with_one_offs(rules: tuple[Rule, ...], one_offs: Iterable[OneOff]) -> tuple[Rule, ...]:
    certain = {one.rule: one.certain for one in one_offs}
    return tuple(
        replace(rule, one_off="yes" if certain[rule.quote] else "said")
        if rule.quote in certain and is_in_force(rule)
        else rule
        for rule in rules
    )


def _thinned(said: tuple[Said, ...], entry_ids: frozenset[str]) -> tuple[Said, ...]:
    if not entry_ids:
        return said
    return tuple(
        replace(line, ruled_out=True) if line.quote.entry_id in entry_ids else line for line in said
    )


def _named(known: tuple[NamedValue, ...], named: tuple[NamedValue, ...]) -> tuple[NamedValue, ...]:
    by_place = {(value.turn, value.token): value for value in (*known, *named)}
    return tuple(by_place[place] for place in sorted(by_place))[-N_NAMED_VALUES:]


def _noted(known: tuple[Note, ...], notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """Return the notes of the newest turns; what is to come is what the newest diff says."""
    if not notes:
        return known
    past = [note for note in known if note.kind in ("done", "decided")]
    every = sorted({*past, *notes}, key=note_order)
    kept = [
        note
        for kind, n_most in N_CARRIED_NOTES.items()
        for note in [note for note in every if note.kind == kind][-n_most:]
    ]
    return tuple(sorted(kept, key=note_order))
