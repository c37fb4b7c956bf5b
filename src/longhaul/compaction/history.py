"""What each compaction of a path closed, and what the state gained, lost and lifted there."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from longhaul.compaction.carry import find_differences
from longhaul.compaction.diff.record import DETAILS_KEY, CallRecord, find_recorded
from longhaul.compaction.fold import advance
from longhaul.compaction.replay import apply_recorded
from longhaul.compaction.spans import cut_index
from longhaul.compaction.state import NamedValue, Quote, Rule, State, Value, all_values
from longhaul.compaction.statements import ASK_TOOLS
from longhaul.transcript.entries import CompactionEntry, Path
from longhaul.transcript.projection import first_indices

Compactor = Literal["pi", "longhaul", "another extension"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One compaction of a path, with the state that its entries prove at its cut."""

    entry: CompactionEntry
    compactor: Compactor
    n_closed_entries: int
    """Entries that this compaction closed, beyond those closed before."""
    first_turn: int
    last_turn: int
    """Turns whose message this compaction closed: `u<first_turn>` to `u<last_turn>`, if any."""
    state: State
    goal: Quote | None
    """The goal, where it changed in this span."""
    gained: tuple[Rule, ...]
    lifted: tuple[Rule, ...]
    lost: tuple[Rule, ...]
    """Rules that left the state without a lift: their message was edited out of the session."""
    gained_values: tuple[Value | NamedValue, ...]
    lost_values: tuple[Value | NamedValue, ...]
    """Values that gave way to newer ones."""
    call: CallRecord | None
    """The model call that it kept; None where it made none, or its record cannot be read."""
    differences: tuple[str, ...] | None
    """Parts in which the state that it carries differs from what entries and diffs give; None
    where it carries none."""


def find_steps(path: Path, *, ask_tools: tuple[str, ...] = ASK_TOOLS) -> Iterator[Step]:
    """Yield the compactions on `path`, oldest first, whoever made them.

    The states are built from the entries and the diffs recorded among them, so a compaction by
    another compactor shows what Longhaul would have carried there.
    """
    state, start = State(), 0
    places = first_indices(path)
    calls = {recorded.index: recorded for recorded in find_recorded(path)}
    for index, entry in enumerate(path):
        if isinstance(entry, CompactionEntry):
            end = max(start, cut_index(places, index, entry))
            after = advance(state, path, start, end, ask_tools=ask_tools)
            recorded = calls.get(index)
            if recorded is not None:
                after = apply_recorded(after, path, recorded, ask_tools=ask_tools)
            call = recorded.call if recorded else None
            yield _step(entry, before=state, after=after, n_closed=end - start, call=call)
            state, start = after, end


def _step(
    entry: CompactionEntry,
    *,
    before: State,
    after: State,
    n_closed: int,
    call: CallRecord | None,
) -> Step:
    earlier = {rule.number: rule for rule in before.rules}
    numbers = {rule.number for rule in after.rules}
    values, kept_values = all_values(before), all_values(after)
    tokens = {value.token for value in values}
    kept_tokens = {value.token for value in kept_values}
    return Step(
        entry=entry,
        compactor=_compactor(entry),
        n_closed_entries=n_closed,
        first_turn=before.n_turns + 1,
        last_turn=after.n_turns,
        state=after,
        goal=None if after.goal == before.goal else after.goal,
        gained=tuple(rule for rule in after.rules if rule.number not in earlier),
        lifted=tuple(rule for rule in after.rules if rule.lifted_by and _stood(rule, earlier)),
        lost=tuple(rule for rule in before.rules if rule.number not in numbers),
        gained_values=tuple(value for value in kept_values if value.token not in tokens),
        lost_values=tuple(value for value in values if value.token not in kept_tokens),
        call=call,
        differences=find_differences(entry, after),
    )


def _stood(rule: Rule, earlier: dict[int, Rule]) -> bool:
    return rule.number not in earlier or earlier[rule.number].lifted_by is None


def _compactor(entry: CompactionEntry) -> Compactor:
    if DETAILS_KEY in (entry.details or {}):
        return "longhaul"
    return "another extension" if entry.from_hook else "pi"
