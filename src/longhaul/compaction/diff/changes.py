"""What is left of a diff once every item was held against the entries: changes to make."""

from dataclasses import dataclass
from typing import Literal

from longhaul.compaction.diff.items import Diff
from longhaul.compaction.state import DoubtOrigin, NamedValue, Note, Quote

DropReason = Literal[
    "not verbatim",
    "not the user's words",
    "unknown name",
    "too short",
    "given before its rule",
    "no evidence",
    "corrected by the user",
    "looks like no rule",
    "calls nearly everything a rule",
    "not in the tool output",
    "no value",
    "says nothing",
    "against the evidence",
    "too many",
]

ItemKind = Literal["rule", "lift", "one-off", "value", "note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """An item that was not believed, or not wholly."""

    kind: ItemKind
    item: str
    """The item in a line, at most 160 characters, secrets masked."""
    reason: DropReason
    marked: bool = False
    """True where the rule it is about stays in force, but marked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRule:
    """A rule that code had not found; later words that lift it, if any."""

    quote: Quote
    lifted_by: Quote | None = None
    doubted_by: Quote | None = None
    doubt_origin: DoubtOrigin = "code"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleLift:
    """A rule of the state, by what binds it, that a later message withdraws."""

    rule: Quote
    by: Quote
    certain: bool
    """False: only the model's word supports it; the rule stays in force, marked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOff:
    """A rule of the state that ended with its request."""

    rule: Quote
    certain: bool
    """False: only the model's word supports it; the rule stays in force, marked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What to make of a state; each list in an order that does not depend on the diff's."""

    new_rules: tuple[NewRule, ...] = ()
    lifts: tuple[RuleLift, ...] = ()
    one_offs: tuple[OneOff, ...] = ()
    no_rules: tuple[str, ...] = ()
    """Ids of entries of which the model says that they give no rule."""
    values: tuple[NamedValue, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """A diff after it was held against the entries."""

    changes: Changes
    kept: Diff
    """The items behind the changes: verified again, they give the same changes."""
    dropped: tuple[Dropped, ...] = ()
