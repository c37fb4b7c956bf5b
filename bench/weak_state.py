"""What a model's word made of a state, beside the state that code finds without it."""

from collections import Counter
from dataclasses import dataclass

from longhaul.compaction.carry import find_carried
from longhaul.compaction.diff.record import find_call
from longhaul.compaction.fold import advance
from longhaul.compaction.state import Note, Quote, Rule, State, is_in_force
from longhaul.transcript.entries import CompactionEntry, Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """One state with a model beside the offline one of the same entries."""

    has_same_goal: bool
    n_in_force: int
    """Rules in force in the offline state: what is due."""
    kept: tuple[Rule, ...]
    """Of those, the ones in force with the model too."""
    marked: tuple[Rule, ...]
    """Of those kept, the ones that carry a model's doubt."""
    ended: tuple[Rule, ...]
    """Rules in force offline that a lift or a one-off has ended on a model's word."""
    added: tuple[Rule, ...]
    """Rules that only the model sees; those that nobody gave are strays."""
    notes: tuple[Note, ...]
    """The narrative, which has no other source than the model's word."""
    n_values: int
    """Values that the model named."""
    dropped: Counter[str]
    """Items of the model's answer that were not believed, by kind and reason."""


def set_beside(path: Path) -> Beside:
    """Return the comparison for a path that ends with a compaction that carries a state."""
    newest = path[-1]
    assert isinstance(newest, CompactionEntry)
    carried = find_carried(path)
    offline = advance(State(), path, 0, carried.end)
    with_model = {_place(rule.quote): rule for rule in carried.state.rules}
    due = [rule for rule in offline.rules if is_in_force(rule)]
    now = [with_model.get(_place(rule.quote), rule) for rule in due]
    call = find_call(newest)
    return Beside(
        has_same_goal=carried.state.goal == offline.goal,
        n_in_force=len(due),
        kept=tuple(rule for rule in now if is_in_force(rule)),
        marked=tuple(rule for rule in now if is_in_force(rule) and _is_marked(rule)),
        ended=tuple(rule for rule in now if not is_in_force(rule)),
        added=tuple(rule for rule in carried.state.rules if rule.origin == "model"),
        notes=carried.state.notes,
        n_values=len(carried.state.named_values),
        dropped=Counter(f"{one.kind} {one.reason}" for one in (call.dropped if call else ())),
    )


def render_beside(one: Beside) -> str:
    """Return the comparison as a row of the table under `HEADING`."""
    dropped = ", ".join(f"{n} {what}" for what, n in sorted(one.dropped.items())) or "nothing"
    return (
        f"{'same' if one.has_same_goal else 'OTHER':>5} {len(one.kept):5}/{one.n_in_force:<2}"
        f" {len(one.marked):6} {len(one.ended):5} {len(one.added):5} {one.n_values:6}"
        f" {len(one.notes):5}  {dropped}"
    )


HEADING = " goal   rules marked ended added values notes  dropped"


def list_changes(one: Beside) -> list[str]:
    """Return a line for each rule that is not as code left it."""
    kinds = (("marked", one.marked), ("ended", one.ended), ("added", one.added))
    return [
        f"{kind} u{rule.quote.turn}: {rule.quote.text!r}" for kind, rules in kinds for rule in rules
    ]


def list_notes(one: Beside) -> list[str]:
    """Return a line for each note that the model wrote."""
    return [f"note u{note.turn} ({note.kind}): {note.text!r}" for note in one.notes]


def _place(quote: Quote) -> tuple[str, str]:
    return quote.entry_id, quote.text


def _is_marked(rule: Rule) -> bool:
    return rule.one_off == "said" or (rule.doubted_by is not None and rule.doubt_origin == "model")
