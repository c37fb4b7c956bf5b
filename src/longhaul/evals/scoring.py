"""Rows to scores: every text held against the recorded session, without a model."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from longhaul.compaction.diff.record import DETAILS_KEY
from longhaul.compaction.records import parse_record
from longhaul.compaction.state import State
from longhaul.errors import TranscriptError
from longhaul.evals.arms.arm import Made
from longhaul.evals.measures.catalog import judge_all
from longhaul.evals.measures.subject import Subject, find_occasions
from longhaul.evals.rows import Row
from longhaul.evals.scores import Score
from longhaul.evals.session_labels import SessionLabels
from longhaul.transcript.entries import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLabelling:
    """The labels of one session, and the hash by which scores are compared or not."""

    labels: SessionLabels
    label_hash: str


def score_rows(
    path: Path, labelling: SessionLabelling | None, rows: Iterable[Row]
) -> Iterator[Score]:
    """Yield the scores of one session's rows, in their order by compaction.

    `path` is the recorded one. A row without a text has no score, nor one about another entry
    than its compaction now is.
    """
    occasions = find_occasions(path, labelling.labels if labelling else None)
    by_number = {occasion.cut.number: occasion for occasion in occasions}
    previous: dict[tuple[str, int], State | None] = {}
    for row in sorted(rows, key=_number):
        occasion = by_number.get(row.key.compaction)
        if row.made is None or occasion is None or occasion.cut.entry.id != row.entry_id:
            continue
        arm = (row.key.arm, row.key.repeat)
        state = find_state(row.made)
        subject = Subject(
            text=row.made.text,
            occasion=occasion,
            state=state,
            previous=previous.get(arm),
            plan=row.made.plan,
        )
        previous[arm] = state
        yield Score(
            key=row.key,
            label_hash=labelling.label_hash if labelling else "",
            amounts=judge_all(subject),
        )


def find_state(made: Made) -> State | None:
    """Return the state that a compaction of Longhaul's carries; None for any other."""
    kept = (made.details or {}).get(DETAILS_KEY)
    if not isinstance(kept, dict):
        return None
    try:
        return parse_record(State, kept.get("state"), where="state")
    except TranscriptError:
        return None


def _number(row: Row) -> int:
    return row.key.compaction
