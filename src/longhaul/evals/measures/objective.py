"""Whether the request that Longhaul says is worked on is another than at the compaction before."""

from longhaul.compaction.render.objective import find_objectives
from longhaul.compaction.state import Quote, State
from longhaul.evals.measures.amounts import Tally
from longhaul.evals.measures.subject import Subject


def objective_moved(subject: Subject) -> Tally | None:
    """Return the move of the objective since the arm's previous compaction, as `u4->u7`.

    The objective is the newest request that the recorded state shows as `now`; where all are ended,
    the newest one. It moves where it quotes another user message, not where it quotes the same in
    other words. Neither way is better: no label says which moves were called for, and a new request
    calls for one. Longhaul's arms only; at their first compaction nothing can have moved.
    """
    if subject.state is None:
        return None
    old = _objective(subject.previous) if subject.previous else None
    new = _objective(subject.state)
    if old is None or new is None or old.entry_id == new.entry_id:
        return Tally()
    return Tally((f"u{old.turn}->u{new.turn}",))


def objective_back(subject: Subject) -> Tally | None:
    """Return the move of `objective_moved` where it goes to an earlier message; less is better.

    It cannot see that the user went back to earlier work: that is a new message.
    """
    moved = objective_moved(subject)
    if moved is None or not moved.found:
        return moved
    assert subject.previous is not None, "only from a state can it have moved"
    old, new = _objective(subject.previous), _objective(subject.state)
    assert old is not None, "only from an objective can it have moved"
    assert new is not None, "only to an objective can it have moved"
    return moved if new.turn < old.turn else Tally()


def _objective(state: State | None) -> Quote | None:
    shown = find_objectives(state.requests) if state else ()
    current = next((one for one in shown if one.status == "now"), shown[0] if shown else None)
    return current.quote if current else None
