"""The record that is carried across compactions; every part is bounded or grows with its subject.

A state is a fold over the entries of a path, one after another, so that it does not depend on where
compactions fell. Texts are kept as the session holds them, but with secrets masked; only `render`
escapes and clips them.
"""

from dataclasses import dataclass
from typing import Literal

STATE_VERSION = 2
OLDER_VERSIONS = (1,)
"""Versions whose records are records of this one as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """Words of one user message, verbatim but for folded white space and masked secrets."""

    entry_id: str
    turn: int
    """7 for `u7`: the user message that holds the words, or in whose turn the user answered."""
    text: str


RuleOrigin = Literal["code", "model", "pin"]
"""Who found it in the user's words; `pin`: the user wrote it with `/longhaul pin`."""
DoubtOrigin = Literal["code", "model"]
"""Whether code sees in the words that they may withdraw the rule, or only a model says so."""
OneOffMark = Literal["no", "said", "yes"]
"""`said`: a model calls it a one-off, and nothing in the user's words shows it; `yes`: they do."""
Correction = Literal["none", "dropped", "restored"]
"""What the user did with `/longhaul drop` or `restore`; no model has a say in it after that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A standing instruction, bound to the message that gave it."""

    number: int
    """3 for `r3`; never given twice in a session."""
    quote: Quote
    lifted_by: Quote | None = None
    """The words that withdrew it; None while it is in force."""
    doubted_by: Quote | None = None
    """Words that may withdraw it, without evidence enough; the rule stays in force."""
    doubt_origin: DoubtOrigin = "code"
    origin: RuleOrigin = "code"
    one_off: OneOffMark = "no"
    correction: Correction = "none"


def is_in_force(rule: Rule) -> bool:
    """Return whether a rule still holds."""
    return rule.lifted_by is None and rule.one_off != "yes" and rule.correction != "dropped"


Outcome = Literal["open", "done", "aborted", "dropped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One user message that asks for work, and how its turn ended."""

    quote: Quote
    outcome: Outcome = "open"
    """`done`: the assistant ended its turn by itself; `aborted`: the user or an error ended it;
    `dropped`: the user took the request back."""
    closing: str = ""
    """The assistant's last sentences of the turn so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A user message, or a part of it that may be a rule, in case no other section quotes it."""

    quote: Quote
    score: float
    """How much it looks like a rule, 0 to 1."""
    ruled_out: bool = False
    """True where a model says that its message gives no rule."""


RULE_SHAPED = 0.15
"""From this score on words may be a rule that code did not take for one: of real rules nine in ten
have it, of ordinary messages one in eight."""


def is_rule_shaped(said: Said) -> bool:
    """Return whether a line may well be a rule, and no model has said that it is none."""
    return said.score >= RULE_SHAPED and not said.ruled_out


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """An exact token that a tool printed and the conversation then used."""

    token: str
    what: str
    """The words around its use, clipped; says what it is."""
    entry_id: str
    """The tool result that printed it first."""
    turn: int
    """The turn that printed it."""
    used_turn: int
    """The newest turn that used it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedValue:
    """What a model says that a value is; the token stands in the tool output of its turn."""

    token: str
    what: str
    """The model's words, clipped."""
    entry_id: str
    """The tool result that printed it."""
    turn: int


NoteKind = Literal["done", "in progress", "decided", "next"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A line of the narrative, in a model's words."""

    kind: NoteKind
    turn: int
    """The turn that it is about."""
    text: str


def note_order(note: Note) -> tuple[int, str, str]:
    """Return what notes are ordered by: turn, kind and text."""
    return note.turn, note.kind, note.text


CheckOutcome = Literal["passed", "failed", "unproven"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The last run of one check command (tests, build, lint, …)."""

    command: str
    outcome: CheckOutcome
    """`unproven` where the exit code is not the check's own (a pipe, `|| true`, a time-out)."""
    evidence: str
    """`exit 1`, or the result line of the output; at most a line."""
    turn: int
    files_changed_since: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit that a tool result shows being made."""

    hash: str
    title: str
    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command in its exact form, with its last outcome."""

    command: str
    failed: bool
    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """What the tool calls and results prove."""

    checks: tuple[Check, ...] = ()
    """By last run, oldest first; one for each command."""
    commits: tuple[Commit, ...] = ()
    """Oldest first, the newest few."""
    head: str = ""
    """Hash of the newest commit seen, while no later command can have moved HEAD; else empty."""
    modified: tuple[str, ...] = ()
    """Exact paths by last change, oldest first."""
    read: tuple[str, ...] = ()
    """Exact paths only read, by last read, oldest first."""
    commands: tuple[Command, ...] = ()
    """By last run, oldest first, the newest few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Everything Longhaul carries; equal entries give equal states."""

    goal: Quote | None = None
    requests: tuple[Request, ...] = ()
    """Oldest first, the newest few."""
    rules: tuple[Rule, ...] = ()
    """By number; those not in force stay, so that a lift can be shown and restored."""
    said: tuple[Said, ...] = ()
    """By turn: the ones most like a rule and the newest."""
    values: tuple[Value, ...] = ()
    """By last use, oldest first."""
    named_values: tuple[NamedValue, ...] = ()
    """By turn and token, the newest few."""
    notes: tuple[Note, ...] = ()
    """By turn: the newest few of each kind; what is in progress and next, of the newest diff."""
    world: World = World()
    n_rules: int = 0
    """The highest number that a rule was given, also where its message was edited out since."""
    n_turns: int = 0
    """User messages folded in so far."""


def all_values(state: State) -> tuple[Value | NamedValue, ...]:
    """Return the values that code found and those that only a model named, by last use.

    One that only a model named counts as used in the turn that printed it.
    """
    found = {value.token for value in state.values}
    named = [value for value in state.named_values if value.token not in found]
    return tuple(sorted((*state.values, *named), key=_last_use))


def _last_use(value: Value | NamedValue) -> int:
    return value.used_turn if isinstance(value, Value) else value.turn


def quotes_of(state: State) -> list[Quote]:
    """Return every quote that a state holds."""
    goal = [state.goal] if state.goal else []
    lifts = [rule.lifted_by or rule.doubted_by for rule in state.rules]
    return [
        *goal,
        *(request.quote for request in state.requests),
        *(rule.quote for rule in state.rules),
        *(lift for lift in lifts if lift),
        *(line.quote for line in state.said),
    ]
