"""The corrections a user makes with `/longhaul drop`, `pin` and `restore`: asked for, and found.

A correction names the words of a rule, not its number: a number may be given to another rule where
the state is built anew.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from longhaul.compaction.invisible import drop_invisible
from longhaul.compaction.secrets import mask_secrets
from longhaul.compaction.state import Quote, Rule, State, is_in_force
from longhaul.compaction.statements import with_turns
from longhaul.compaction.white_space import fold_space
from longhaul.transcript.entries import CustomEntry, Entry, JsonValue, Path

CUSTOM_TYPE = "longhaul"
"""The type of Longhaul's own entries in a session."""
MAX_PIN_CHARS = 500
"""Most characters of a pinned rule."""

Verb = Literal["drop", "restore", "pin"]
_RULE_NAME = re.compile(r"[rR]?(\d{1,6})")
_RULE_NAMES = re.compile(r"[rR]?\d{1,6}(?:[\s,;]+(?:and\s+)?[rR]?\d{1,6})+")


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
    words = _pinned_text(text) if isinstance(text, str) else ""
    if words:
        yield Correction(verb="pin", entry_id=own_id, text=words)


def _pinned_text(text: str) -> str:
    """Return the words of a pinned rule as a state quotes them: masked, folded, clipped.

    Empty where nothing in `text` is ever seen.
    """
    return fold_space(mask_secrets(drop_invisible(text)))[:MAX_PIN_CHARS]


def find_pins(path: Path, end: int) -> Iterator[Quote]:
    """Yield the words pinned in `path[:end]`, bound to where they stand."""
    for entry, turn in with_turns(path[:end]):
        correction = find_correction(entry)
        if correction is not None and correction.verb == "pin":
            yield Quote(entry_id=entry.id, turn=turn, text=correction.text)


def resolve_correction(state: State, verb: Verb, argument: str) -> Resolution:
    """Return the entry that corrects `state`, or why there is none.

    `argument` is a rule's name for `drop` and `restore` (`r3`), the user's words for `pin`.
    """
    if verb == "pin":
        return _resolve_pin(state, argument)
    name = _RULE_NAME.fullmatch(argument.strip())
    rule = next((r for r in state.rules if name and r.number == int(name[1])), None)
    if rule is None or not _may(verb, rule):
        return Refused(_refusal(state, verb, argument.strip(), rule))
    target: JsonValue = {"entryId": rule.quote.entry_id, "text": rule.quote.text}
    done = "dropped: it was no rule" if verb == "drop" else "restored: it is in force again"
    return Resolved(data={verb: target}, notice=f"r{rule.number} {done}")


def _refusal(state: State, verb: Verb, argument: str, rule: Rule | None) -> str:
    """Return why `argument` names no rule that `verb` may take; `rule` is the one it does name."""
    if rule is not None:
        stands = "is in force already" if is_in_force(rule) else "is no longer in force"
        return f"r{rule.number} {stands}"
    names = ", ".join(f"r{one.number}" for one in correctable_rules(state, verb))
    ask = f"name a rule to {verb}: {names}" if names else f"there is no rule to {verb}"
    if _RULE_NAMES.fullmatch(argument):
        return f"one rule at a time; {ask}"
    name = _RULE_NAME.fullmatch(argument)
    return f"there is no r{int(name[1])}; {ask}" if name else ask


def correctable_rules(state: State, verb: Verb) -> tuple[Rule, ...]:
    """Return the rules of `state` that a correction may name; none for `pin`."""
    return tuple(rule for rule in state.rules if verb != "pin" and _may(verb, rule))


def _resolve_pin(state: State, argument: str) -> Resolution:
    text = _pinned_text(argument)
    if not text:
        return Refused("say the rule: /longhaul pin TEXT")
    same = (rule.number for rule in state.rules if is_in_force_as(rule, text))
    number = next(same, state.n_rules + 1)
    is_cut = len(text) == MAX_PIN_CHARS
    cut = f" (its first {MAX_PIN_CHARS} characters)" if is_cut else ""
    return Resolved(data={"pin": {"text": text}}, notice=f"pinned as r{number}{cut}")


def is_in_force_as(rule: Rule, words: str) -> bool:
    """Return whether a rule that has these words, white space folded, is in force."""
    return is_in_force(rule) and fold_space(rule.quote.text) == words


def _may(verb: Verb, rule: Rule) -> bool:
    """Return whether a rule can be dropped, or restored."""
    if verb == "drop":
        return is_in_force(rule)
    return not is_in_force(rule) or rule.doubted_by is not None or rule.one_off == "said"
