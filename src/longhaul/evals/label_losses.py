"""What recorded compactions lost of what labels make due, each with the place where it happened."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from longhaul.evals.due import Cut, Due, find_due
from longhaul.evals.judge import find_in_force, rules_section
from longhaul.evals.measures import labelled
from longhaul.evals.session_labels import SessionLabels
from longhaul.transcript.entries import Path

LossMeasure = Literal["goal", "span", "earlier", "lifts", "values"]
"""Measures that share nothing: `rules` is `span` and `earlier`, `history` is a part of `values`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """One judgement that a text did not meet."""

    cut: Cut
    measure: LossMeasure
    label: str
    """As measures name it: `u3 /one decimal/`, `u7 165.7 ms`, `u1` for the goal."""
    line: str | None = None
    """What stands in the text and should not: the line that shows a lifted rule in force."""


def find_losses(path: Path, labels: SessionLabels) -> Iterator[Loss]:
    """Yield what the compactions on a path lost, in their order, whoever made them.

    Raises:
        MarkerError: a marker takes too long.
    """
    for due in find_due(path, labels):
        yield from find_text_losses(due.cut.entry.summary, due)


def find_text_losses(text: str, due: Due) -> Iterator[Loss]:
    """Yield what is `due` at a compaction and not in `text`, what it left behind.

    Raises:
        MarkerError: a marker takes too long.
    """
    breaking = _breaking_lines(text, due)
    for measure in get_args(LossMeasure):
        for label in getattr(labelled, measure)(text, due).lost:
            line = breaking.get(label) if measure == "lifts" else None
            yield Loss(cut=due.cut, measure=measure, label=label, line=line)


def _breaking_lines(text: str, due: Due) -> dict[str, str | None]:
    lines = rules_section(text)
    return {
        labelled.rule_name(rule): find_in_force(lines, rule.marker, rule.lifted_at)
        for rule in due.lifted
        if rule.lifted_at is not None
    }
