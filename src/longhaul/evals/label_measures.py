"""The labelled measures: what a compactor's text keeps of what labels make due at a compaction.

Every number is a whole count. No model judges, and a text is judged as it stands: what it means in
words that no marker matches is not seen.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from longhaul.evals.due import Due, DueCounts, find_due
from longhaul.evals.judge import find_spelling, honours_lift, keeps_rule, matches, rules_section
from longhaul.evals.session_labels import RuleLabel, SessionLabels
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
    """Return how much of what is `due` at a compaction stands in `text`, what it left behind.

    `goal`: a line matches the goal's marker. `span` and `earlier`: a line of the rules section
    matches the marker of a rule in force and does not show it lifted. `lifts`: no such line matches
    the marker of a lifted rule. `values` and `history`: a spelling stands as a whole token.
    """
    lines = rules_section(text)
    span, earlier = _n_kept(lines, due.span), _n_kept(lines, due.earlier)
    kept = [value for value in due.values if find_spelling(text, value.label.accept) is not None]
    goal = due.goal
    counts = DueCounts(
        goal=int(goal is not None and any(matches(one, goal.marker) for one in text.splitlines())),
        rules=span + earlier,
        span=span,
        earlier=earlier,
        lifts=sum(_is_honoured(lines, rule) for rule in due.lifted),
        values=len(kept),
        history=sum(value.label.history for value in kept),
    )
    return LabelCounts(kept=counts, due=due.counts)


def measure_recorded(path: Path, labels: SessionLabels) -> LabelCounts:
    """Return what the compactions on a path keep, whoever made them.

    Raises:
        MarkerError: a marker takes too long.
    """
    counts = (measure_text(due.cut.entry.summary, due) for due in find_due(path, labels))
    return sum(counts, LabelCounts(kept=DueCounts(), due=DueCounts()))


def _n_kept(lines: Iterable[str], rules: Iterable[RuleLabel]) -> int:
    return sum(keeps_rule(lines, rule.marker) for rule in rules)


def _is_honoured(lines: Iterable[str], rule: RuleLabel) -> bool:
    assert rule.lifted_at is not None, "only lifted rules have a lift to honour"
    return honours_lift(lines, rule.marker, rule.lifted_at)
