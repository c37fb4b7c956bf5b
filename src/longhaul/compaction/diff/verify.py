"""A diff held against the entries, item by item: what fails is dropped alone, and counted."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar, get_args

from longhaul.compaction.diff.changes import (
    Changes,
    Dropped,
    ItemKind,
    NewRule,
    RuleLift,
    Verified,
)
from longhaul.compaction.diff.heard import hear, turn_of
from longhaul.compaction.diff.items import Diff, LiftItem, NoteItem, OneOffItem, RuleItem, ValueItem
from longhaul.compaction.diff.known_rules import add_new
from longhaul.compaction.diff.verified_items import drop
from longhaul.compaction.diff.verify_lifts import verify_lifts
from longhaul.compaction.diff.verify_notes import verify_notes
from longhaul.compaction.diff.verify_one_offs import verify_no_rules, verify_one_offs
from longhaul.compaction.diff.verify_rules import verify_rules
from longhaul.compaction.diff.verify_values import verify_values
from longhaul.compaction.rules.parts import left_of
from longhaul.compaction.state import Rule, State
from longhaul.compaction.statements import count_turns
from longhaul.transcript.entries import Path

N_READ = 500
"""How many items of a kind are looked at, the newest: nobody has more to say in one reply."""
_KINDS: tuple[ItemKind, ...] = get_args(ItemKind)
_Item = TypeVar("_Item", RuleItem, LiftItem, OneOffItem, ValueItem, NoteItem)


def verify_diff(
    diff: Diff, state: State, path: Path, *, start: int, end: int, ask_tools: tuple[str, ...]
) -> Verified:
    """Return what of a diff the entries of `path[:end]` bear out, and what was dropped and why.

    `state` is what code found in `path[:end]`, of which `path[start:end]` is the span. Items may
    name messages from before the span. The order of the items makes no difference, nor does
    saying one twice. To verify what was kept gives the same changes again, and drops only what
    is marked: a lift or a one-off for which nothing but the model's word speaks.
    """
    read = _canonical_diff(diff, count_turns(path, 0, end))
    quoting = [item.message for item in read.rules] + [item.message for item in read.lifts]
    quoted = {turn_of(name) or 0 for name in quoting}
    heard = hear(path, state, start=start, end=end, ask_tools=ask_tools, turns=quoted)
    found = verify_rules(read.rules, heard)
    rules = add_new(heard, found.changes)
    lifted = verify_lifts(read.lifts, rules, heard)
    turns = frozenset(quote.turn for quote in found.changes)
    once = verify_one_offs(read.one_offs, heard)
    quiet = verify_no_rules(read.one_offs, heard, new_turns=turns)
    named = verify_values(read.values, heard)
    noted = verify_notes(read.notes, heard)
    new = tuple(_with_lifts(_new_of(rules, state), lifted.changes))
    fresh = {rule.quote for rule in new}
    lifts = tuple(lift for lift in lifted.changes if lift.rule not in fresh)
    return Verified(
        changes=Changes(
            new_rules=(*new, *_left_of(new, lifts)),
            lifts=lifts,
            one_offs=once.changes,
            no_rules=quiet.changes,
            values=named.changes,
            notes=noted.changes,
        ),
        kept=Diff(
            rules=found.kept,
            lifts=lifted.kept,
            one_offs=(*once.kept, *quiet.kept),
            values=named.kept,
            notes=noted.kept,
        ),
        dropped=_in_order(
            *_unread(diff, read),
            *found.dropped,
            *lifted.dropped,
            *once.dropped,
            *quiet.dropped,
            *named.dropped,
            *noted.dropped,
        ),
    )


def _canonical_diff(diff: Diff, n_turns: int) -> Diff:
    """Return the items in an order that does not depend on the reply's, each once."""
    return Diff(
        rules=_canonical(diff.rules, lambda item: item.message, n_turns),
        lifts=_canonical(diff.lifts, lambda item: item.message, n_turns),
        one_offs=_canonical(diff.one_offs, lambda item: item.name, n_turns),
        values=_canonical(diff.values, lambda item: item.message, n_turns),
        notes=_canonical(diff.notes, lambda item: item.message, n_turns),
    )


def _canonical(
    items: Iterable[_Item], name_of: Callable[[_Item], str], n_turns: int
) -> tuple[_Item, ...]:
    """Return the items of the newest turns; a turn that there is not is no newer than the first."""

    def place(item: _Item) -> tuple[int | str, ...]:
        turn = turn_of(name_of(item)) or 0
        # what `astuple` gives, in a tenth of its time
        texts: list[str] = [getattr(item, name) for name in item.__slots__]
        return (turn if turn <= n_turns else 0, *texts)

    return tuple(sorted(set(items), key=place)[-N_READ:])


def _unread(diff: Diff, read: Diff) -> Iterator[Dropped]:
    """Yield for each kind one line about the items that were not looked at."""
    every = (diff.rules, diff.lifts, diff.one_offs, diff.values, diff.notes)
    looked_at = (read.rules, read.lifts, read.one_offs, read.values, read.notes)
    for kind, said, seen in zip(_KINDS, every, looked_at, strict=True):
        n_more = len(set(said)) - len(seen)
        if n_more:
            yield drop(kind, f"{n_more} more", "too many")


def _in_order(*dropped: Dropped) -> tuple[Dropped, ...]:
    return tuple(
        sorted(dropped, key=lambda one: (_KINDS.index(one.kind), one.item, one.reason, one.marked))
    )


def _new_of(rules: Iterable[Rule], state: State) -> list[Rule]:
    return [rule for rule in rules if rule.number > state.n_rules]


def _with_lifts(new: Iterable[Rule], lifts: Sequence[RuleLift]) -> Iterator[NewRule]:
    """Yield the new rules with what lifts them: later words that code knows, or the diff's."""
    claimed = {lift.rule: lift for lift in lifts}
    for rule in new:
        lift = claimed.get(rule.quote)
        given = NewRule(quote=rule.quote, lifted_by=rule.lifted_by, doubted_by=rule.doubted_by)
        if lift and lift.certain:
            given = replace(given, lifted_by=lift.by, doubted_by=None)
        elif lift:
            given = replace(given, doubted_by=lift.by, doubt_origin="model")
        yield given


def _left_of(new: Iterable[NewRule], lifts: Iterable[RuleLift]) -> Iterator[NewRule]:
    """Yield what lifts leave in force of words, new or known, that held several rules."""
    lifted = [(given.quote, given.lifted_by) for given in new if given.lifted_by]
    lifted += [(lift.rule, lift.by) for lift in lifts if lift.certain]
    for rule, by in lifted:
        yield from (NewRule(quote=quote) for quote in left_of(rule, by.text))
