"""The rules that a diff may lift: those of the state, and the ones that it adds itself."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from longhaul.compaction.diff.heard import Heard, comes_before
from longhaul.compaction.rules.advance import MAX_COMPARED
from longhaul.compaction.rules.lifts import find_lifts
from longhaul.compaction.state import Quote, Rule
from longhaul.compaction.statements import Statement, quote_from
from longhaul.compaction.white_space import fold_space


def add_new(heard: Heard, quotes: Sequence[Quote]) -> tuple[Rule, ...]:
    """Return the rules of the state and the new ones, by entry, with what code lifts of the new.

    The new ones get numbers behind the state's. Words typed later than a new rule lift it as they
    would have, had it been found when it was given.
    """
    first = heard.state.n_rules + 1
    new = [Rule(number=n, quote=quote) for n, quote in enumerate(quotes, first)]
    numbers = {rule.number for rule in new}
    rules = {rule.number: rule for rule in _in_order((*heard.state.rules, *new), heard)}
    for statement in heard.statements if new else ():
        force = in_force_at(heard, tuple(rules.values()), statement)
        if numbers.isdisjoint(rule.number for rule in force):
            continue
        for lift in find_lifts(statement.text, force):
            if lift.number in numbers:
                words = quote_from(statement, fold_space(lift.quote))
                rules[lift.number] = _marked(rules[lift.number], words, certain=lift.certain)
    return tuple(rules.values())


def _marked(rule: Rule, words: Quote, *, certain: bool) -> Rule:
    if certain:
        return replace(rule, lifted_by=words, doubted_by=None)
    return replace(rule, doubted_by=words)


def _in_order(rules: Iterable[Rule], heard: Heard) -> list[Rule]:
    order = heard.order
    return sorted(rules, key=lambda rule: (order.get(rule.quote.entry_id, -1), rule.number))


def in_force_at(heard: Heard, rules: Sequence[Rule], statement: Statement) -> list[Rule]:
    """Return the rules, of many the newest, that were in force when a statement was typed."""
    return [
        rule
        for rule in rules
        if comes_before(heard, rule.quote, statement)
        and (rule.lifted_by is None or not comes_before(heard, rule.lifted_by, statement))
    ][-MAX_COMPARED:]
