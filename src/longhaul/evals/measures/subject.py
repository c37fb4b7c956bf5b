"""What a measure looks at: one text, made at one compaction of a recorded session."""

from dataclasses import dataclass

from longhaul.compaction.state import State
from longhaul.evals.due import Cut, Due, find_cuts, judge_cuts
from longhaul.evals.measures.mentions import Mentions, read_mentions
from longhaul.evals.measures.run_reading import read_runs
from longhaul.evals.measures.runs import Runs
from longhaul.evals.session_labels import SessionLabels
from longhaul.evals.turns import Turn, find_turns
from longhaul.transcript.entries import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """One compaction of a recorded session, whoever makes it anew: what all texts are held against.

    `path` is the recorded one, up to its leaf, whatever path an arm was given.
    """

    path: Path
    cut: Cut
    turns: tuple[Turn, ...]
    mentions: Mentions
    """Names and values of the path, read once for all of its compactions."""
    runs: Runs
    """What its tool results prove, read once for all of its compactions."""
    labels: SessionLabels | None
    """None where the session has none; then `due` is None too."""
    due: Due | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One arm's text on one occasion."""

    text: str
    occasion: Occasion
    state: State | None = None
    """What the arm carries beside the text; None for an arm that is not Longhaul's."""
    previous: State | None = None
    """The state that the same arm carried at the compaction before; None where there was none."""
    plan: str | None = None
    """What a model that was resumed on the text planned; None where none was asked or answered."""


def find_occasions(path: Path, labels: SessionLabels | None) -> tuple[Occasion, ...]:
    """Return the compactions of a recorded path, oldest first, ready to judge texts on them."""
    cuts, turns = find_cuts(path), find_turns(path)
    dues = judge_cuts(cuts, turns, labels) if labels else (None,) * len(cuts)
    mentions, runs = read_mentions(path), read_runs(path)
    return tuple(
        Occasion(
            path=path,
            cut=cut,
            turns=turns,
            mentions=mentions,
            runs=runs,
            labels=labels,
            due=due,
        )
        for cut, due in zip(cuts, dues, strict=True)
    )
