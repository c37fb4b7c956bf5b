"""The corrections a user makes with `/longhaul drop`, `pin` and `restore`, as part of the fold.

A correction names the words of a rule, not its number: a number may be given to another rule where
the state is built anew. It acts where it stands, so what is typed after it may lift a pinned rule.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from longhaul.compaction.invisible import drop_invisible
from longhaul.compaction.secrets import mask_secrets
from longhaul.compaction.state import Quote, Rule, State, is_in_force
from longhaul.compaction.statements import with_turns
from longhaul.compaction.white_space import fold_space, one_holds_other
from longhaul.transcript.entries import CustomEntry, Entry, JsonValue, Path

CUSTOM_TYPE = "longhaul"
"""The type of Longhaul's own entries in a session."""
MAX_PIN_CHARS = 500
"""Most characters of a pinned rule."""

Verb = Literal["drop", "restore", "pin"]
_RULE_NAME = re.compile(r"[rR]?(\d{1,6})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """One correction on a path."""

    verb: Verb
    entry_id: str
    """The message that gave the rule; for a pinned rule the correction itself."""
    text: str
    """The rule's words, as the state quotes them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A correction that can be made."""

    data: dict[str, JsonValue]
    """What the session's entry is to hold."""
    notice: str
    """What it does, in a line."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a correction cannot be made, in a line."""

    reason: str


Resolution: TypeAlias = Resolved | Refused


def find_correction(entry: Entry) -> Correction | None:
    """Return the correction that an entry makes; None for every other entry."""
    if not isinstance(entry, CustomEntry) or entry.custom_type != CUSTOM_TYPE:
        return None
    data = entry.data
    if not isinstance(data, dict):
        return None
    return next(_corrections(data, entry.id), None)


def _corrections(data: dict[str, JsonValue], own_id: str) -> Iterator[Correction]:
    """Yield the corrections that the data of an entry spells out; the first one is made."""
    for verb in ("drop", "restore"):
        target = data.get(verb)
        if isinstance(target, dict):
            entry_id, text = target.get("entryId"), target.get("text")
            if isinstance(entry_id, str) and isinstance(text, str):
                yield Correction(verb=verb, entry_id=entry_id, text=fold_space(text))
    pin = data.get("pin")
    text = pin.get("text") if isinstance(pin, dict) else None
    words = pinned_text(text) if isinstance(text, str) else ""
    if words:
        yield Correction(verb="pin", entry_id=own_id, text=words)


def pinned_text(text: str) -> str:
    """Return the words of a pinned rule as a state quotes them: masked, folded, clipped.

    Empty where nothing in `text` is ever seen.
    """
    return fold_space(mask_secrets(drop_invisible(text)))[:MAX_PIN_CHARS]


def correct(state: State, entry: Entry) -> State:
    """Return `state` after the correction that `entry` makes, if it makes one.

    A rule that is not there is passed over: its message was edited out, or never on this path.
    """
    correction = find_correction(entry)
    if correction is None:
        return state
    if correction.verb == "pin":
        return _pin(state, correction)
    rules = tuple(
        _corrected(rule, correction.verb) if _is_meant(rule, correction, state.rules) else rule
        for rule in state.rules
    )
    return replace(state, rules=rules)


def find_pins(path: Path, end: int) -> Iterator[Quote]:
    """Yield the words pinned in `path[:end]`, bound to where they stand."""
    for entry, turn in with_turns(path[:end]):
        correction = find_correction(entry)
        if correction is not None and correction.verb == "pin":
            yield Quote(entry_id=entry.id, turn=turn, text=correction.text)


def correct_window(state: State, path: Path, start: int) -> State:
    """Return `state`, which holds `path[:start]`, after the corrections that stand behind it."""
    for entry in path[start:]:
        state = correct(state, entry)
    return state


def resolve_correction(state: State, verb: Verb, argument: str) -> Resolution:
    """Return the entry that corrects `state`, or why there is none.

    `argument` is a rule's name for `drop` and `restore` (`r3`), the user's words for `pin`.
    """
    if verb == "pin":
        return _resolve_pin(state, argument)
    names = ", ".join(f"r{rule.number}" for rule in correctable_rules(state, verb))
    name = _RULE_NAME.fullmatch(argument.strip())
    rule = next((r for r in state.rules if name and r.number == int(name[1])), None)
    if rule is None or not _may(verb, rule):
        return Refused(
            f"name a rule to {verb}: {names}" if names else f"there is no rule to {verb}"
        )
    target: JsonValue = {"entryId": rule.quote.entry_id, "text": rule.quote.text}
    done = "dropped: it was no rule" if verb == "drop" else "restored: it is in force again"
    return Resolved(data={verb: target}, notice=f"r{rule.number} {done}")


def correctable_rules(state: State, verb: Verb) -> tuple[Rule, ...]:
    """Return the rules of `state` that a correction may name; none for `pin`."""
    return tuple(rule for rule in state.rules if verb != "pin" and _may(verb, rule))


def _resolve_pin(state: State, argument: str) -> Resolution:
    text = pinned_text(argument)
    if not text:
        return Refused("say the rule: /longhaul pin TEXT")
    same = _find_same(state, text)
    number = same.number if same else state.n_rules + 1
    is_cut = len(text) == MAX_PIN_CHARS
    cut = f" (its first {MAX_PIN_CHARS} characters)" if is_cut else ""
    return Resolved(data={"pin": {"text": text}}, notice=f"pinned as r{number}{cut}")


def _may(verb: Verb, rule: Rule) -> bool:
    """Return whether a rule can be dropped, or restored."""
    if verb == "drop":
        return is_in_force(rule)
    return not is_in_force(rule) or rule.doubted_by is not None or rule.one_off == "said"


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
    if _find_same(state, correction.text):
        rules = tuple(
            _corrected(rule, "pin") if _is_same(rule, correction.text) else rule
            for rule in state.rules
        )
        return replace(state, rules=rules)
    quote = Quote(entry_id=correction.entry_id, turn=state.n_turns, text=correction.text)
    rule = Rule(number=state.n_rules + 1, quote=quote, origin="pin")
    return replace(state, rules=(*state.rules, rule), n_rules=rule.number)


def _find_same(state: State, text: str) -> Rule | None:
    """Return the first rule in force that has these words."""
    return next((rule for rule in state.rules if _is_same(rule, text)), None)


def _is_same(rule: Rule, text: str) -> bool:
    return is_in_force(rule) and fold_space(rule.quote.text) == text
