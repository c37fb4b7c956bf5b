"""A state after the corrections that the user made, as part of the fold.

A correction acts where it stands, so what is typed after it may lift a pinned rule.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from longhaul.compaction.corrections import Correction, Verb, find_correction, is_in_force_as
from longhaul.compaction.state import Quote, Rule, State, is_in_force
from longhaul.compaction.white_space import fold_space, one_holds_other
from longhaul.transcript.entries import Entry, Path


def correct(state: State, entry: Entry) -> State:
    """Return `state` after the correction that `entry` makes, if it makes one.

    A rule that is not there is passed over: its message was edited out, or never on this path.
    """
    correction = find_correction(entry)
    if correction is None:
        return state
    if correction.verb == "pin":
        return _pin(state, correction)
    meant = {rule.number for rule in state.rules if _is_meant(rule, correction, state.rules)}
    return _with_corrected(state, meant, correction.verb)


def correct_window(state: State, path: Path, start: int) -> State:
    """Return `state`, which holds `path[:start]`, after the corrections that stand behind it."""
    for entry in path[start:]:
        state = correct(state, entry)
    return state


def _is_meant(rule: Rule, correction: Correction, rules: Sequence[Rule]) -> bool:
    """Return whether a correction names this rule: by its words, or as the part that is left."""
    if rule.quote.entry_id != correction.entry_id:
        return False
    words = fold_space(rule.quote.text)
    if words == correction.text:
        return True
    exact = any(
        other.quote.entry_id == correction.entry_id
        and fold_space(other.quote.text) == correction.text
        for other in rules
    )
    return not exact and one_holds_other(words, correction.text)


def _with_corrected(state: State, numbers: Collection[int], verb: Verb) -> State:
    rules = (_corrected(rule, verb) if rule.number in numbers else rule for rule in state.rules)
    return replace(state, rules=tuple(rules))


def _corrected(rule: Rule, verb: Verb) -> Rule:
    if verb == "drop":
        return replace(rule, correction="dropped")
    if rule.origin == "pin" and rule.doubted_by is None and is_in_force(rule):
        return rule  # it is the user's own already
    return replace(rule, lifted_by=None, doubted_by=None, one_off="no", correction="restored")


def _pin(state: State, correction: Correction) -> State:
    """Return `state` with a rule in the user's words.

    Where a rule in force has the same words, they give no second one, but make it the user's own.
    """
    same = {rule.number for rule in state.rules if is_in_force_as(rule, correction.text)}
    if same:
        return _with_corrected(state, same, "pin")
    quote = Quote(entry_id=correction.entry_id, turn=state.n_turns, text=correction.text)
    rule = Rule(number=state.n_rules + 1, quote=quote, origin="pin")
    return replace(state, rules=(*state.rules, rule), n_rules=rule.number)
