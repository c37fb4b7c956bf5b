"""What a model may say, item by item, before any of it is believed."""

from dataclasses import dataclass

from longhaul.compaction.state import NoteKind


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleItem:
    """A message gives a standing rule."""

    message: str
    """`u5`: the user message that gives it."""
    quote: str
    """Its words, to be found there verbatim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiftItem:
    """A message withdraws or replaces a rule."""

    rule: str
    """`r3`; or `u5`, where the diff itself labels that message as a rule."""
    message: str
    quote: str
    """The words that do it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOffItem:
    """What looks like a rule gives no standing one."""

    name: str
    """`r4` for a rule, `u9` for a message of the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueItem:
    """A value that the work produced and may need again."""

    value: str
    """The exact token."""
    message: str
    """`u7`: the turn whose tools printed it."""
    what: str
    """What it is, in the model's words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteItem:
    """A line of the narrative, in the model's words."""

    kind: NoteKind
    message: str
    """`u7`: the turn that it is about."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diff:
    """Everything that one reply says."""

    rules: tuple[RuleItem, ...] = ()
    lifts: tuple[LiftItem, ...] = ()
    one_offs: tuple[OneOffItem, ...] = ()
    values: tuple[ValueItem, ...] = ()
    notes: tuple[NoteItem, ...] = ()


def count_items(diff: Diff) -> int:
    """Return how many things a diff says."""
    return sum(map(len, (diff.rules, diff.lifts, diff.one_offs, diff.values, diff.notes)))
