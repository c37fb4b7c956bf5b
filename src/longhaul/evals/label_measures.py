"""The labelled measures as numbers, summed over the compactions of a session."""

from dataclasses import dataclass, fields

from longhaul.evals.due import Due, DueCounts, find_due
from longhaul.evals.measures import labelled
from longhaul.evals.session_labels import SessionLabels
from longhaul.transcript.entries import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelCounts:
    """What was due at compactions, and how much of it was kept; more is better throughout."""

    kept: DueCounts
    due: DueCounts

    def __add__(self, other: "LabelCounts") -> "LabelCounts":
        """Return the sum, number by number."""
        return LabelCounts(kept=self.kept + other.kept, due=self.due + other.due)


def measure_text(text: str, due: Due) -> LabelCounts:
    """Return how much of what is `due` at a compaction stands in `text`, what it left behind."""
    judges = {field.name: getattr(labelled, field.name) for field in fields(DueCounts)}
    kept = {name: len(judge(text, due).kept) for name, judge in judges.items()}
    return LabelCounts(kept=DueCounts(**kept), due=due.counts)


def measure_recorded(path: Path, labels: SessionLabels) -> LabelCounts:
    """Return what the compactions on a path keep, whoever made them.

    Raises:
        MarkerError: a marker takes too long.
    """
    counts = (measure_text(due.cut.entry.summary, due) for due in find_due(path, labels))
    return sum(counts, LabelCounts(kept=DueCounts(), due=DueCounts()))
