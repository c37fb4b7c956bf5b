"""A session, a model's reply about it, and what becomes of both."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from longhaul.compaction.ask import Mode
from longhaul.compaction.carry import find_carried, fold_to
from longhaul.compaction.compact import Compaction, CompactOptions, compact
from longhaul.compaction.diff.record import CallRecord
from longhaul.compaction.state import State
from longhaul.compaction.statements import count_turns
from longhaul.models.scripted import Reply, ScriptedModel
from longhaul.transcript.entries import CompactionEntry, Entry, JsonValue, Path
from tests.build import compaction, path

NO_ITEMS: dict[str, JsonValue] = {
    "rules": [],
    "lifts": [],
    "oneOffs": [],
    "values": [],
    "narrative": [],
}


@dataclass(frozen=True, kw_only=True)
class Session:
    """A path, and where pi cuts it; without slots, so that what code finds is found once."""

    path: Path
    kept: str
    """Id of the first entry that stays."""

    @cached_property
    def end(self) -> int:
        """Index of the first entry that stays."""
        return next(n for n, entry in enumerate(self.path) if entry.id == self.kept)

    @cached_property
    def offline(self) -> State:
        """The state that code alone finds."""
        return fold_to(self.path, self.end).state

    @property
    def n_turns(self) -> int:
        """User messages before the cut."""
        return count_turns(self.path, 0, self.end)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a compaction with a model's reply gave."""

    session: Session
    made: Compaction
    state: State
    """What the path carries from then on."""
    call: CallRecord

    @property
    def dropped(self) -> list[tuple[str, str, bool]]:
        """Of each item that was not believed its kind, why, and whether a mark is left."""
        return [(one.kind, one.reason, one.marked) for one in self.call.dropped]


def session(before: Sequence[Entry], after: Sequence[Entry]) -> Session:
    """Return a session that is cut between `before` and `after`."""
    return Session(path=path(*before, *after), kept=f"e{len(before) + 1}")


def diff(**lists: Iterable[JsonValue]) -> dict[str, JsonValue]:
    """Return a diff as a model writes it; lists that are not given are empty."""
    return {**NO_ITEMS, **{name: [*items] for name, items in lists.items()}}


def rule_item(message: str, quote: str) -> dict[str, JsonValue]:
    """Return an item that calls words a rule."""
    return {"message": message, "quote": quote}


def lift_item(rule: str, message: str, quote: str) -> dict[str, JsonValue]:
    """Return an item that says that words lift a rule."""
    return {"rule": rule, "message": message, "quote": quote}


def value_item(value: str, message: str, what: str) -> dict[str, JsonValue]:
    """Return an item that names a value."""
    return {"value": value, "message": message, "what": what}


def note_item(kind: str, message: str, text: str) -> dict[str, JsonValue]:
    """Return a line of the narrative."""
    return {"kind": kind, "message": message, "text": text}


def ask(given: Session, *replies: Reply | Mapping[str, JsonValue], mode: Mode = "state") -> Outcome:
    """Return what a model that gives `replies` makes of a session; a diff is given as JSON."""
    texts = [json.dumps(one) if isinstance(one, Mapping) else one for one in replies]
    made = compact(
        given.path,
        first_kept_entry_id=given.kept,
        tokens_before=1_000,
        options=CompactOptions(mode=mode),
        model=ScriptedModel(texts),
    )
    assert made.report.call is not None
    carried = find_carried(followed(given, made))
    assert (carried.note, carried.end) == ("", given.end)
    return Outcome(session=given, made=made, state=carried.state, call=made.report.call)


def entry_of(given: Session, made: Compaction) -> CompactionEntry:
    """Return the entry of a compaction as it comes back from its file."""
    details = json.loads(json.dumps(made.details))
    return compaction(made.summary, given.kept, details=details, from_hook=True)


def followed(given: Session, made: Compaction) -> Path:
    """Return the session's path with a compaction behind it."""
    return path(*given.path, entry_of(given, made))


def name_of(given: Session, words: str) -> str:
    """Return `r2` for the rule with these words; `r99` where code has none."""
    rules = given.offline.rules
    return next((f"r{rule.number}" for rule in rules if rule.quote.text == words), "r99")
