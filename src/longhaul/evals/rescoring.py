"""Scores and summary of a run, from its rows and the sessions: no model is called."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from longhaul.compaction.records import dump_record
from longhaul.evals.arms.arm import Made
from longhaul.evals.cases import NotScored
from longhaul.evals.markers import MarkerError
from longhaul.evals.rows import Row, RowKey
from longhaul.evals.run_folder import RowIndex, RunFolder
from longhaul.evals.scores import Score
from longhaul.evals.scoring import SessionLabelling, score_rows
from longhaul.evals.session_labels import SessionLabels
from longhaul.evals.store import StoredSession, leave_out, load_unless_refused
from longhaul.evals.sums import Sums
from longhaul.pi.sessions import Session

_HASH_CHARS = 16


GONE = "its rows are kept, and the session is not among those of now"
CHANGED = "its row is kept, and the session is another one now"


@dataclass(frozen=True, slots=True)
class Rescored:
    """What all rows of a run came to."""

    sums: Sums
    left_out: tuple[NotScored, ...]
    """Rows that could not be judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLabels:
    """The labels that a run is judged by."""

    by_session: Mapping[str, SessionLabels]
    label_hash: str
    """Empty where there are none."""

    def find(self, name: str) -> SessionLabelling | None:
        """Return the labels of one session, or None."""
        labels = self.by_session.get(name)
        if labels is None:
            return None
        return SessionLabelling(labels=labels, label_hash=self.label_hash)


def hash_labels(labels: Mapping[str, SessionLabels]) -> RunLabels:
    """Return labels with their hash: of what they say, however the file is laid out."""
    record = {name: dump_record(one) for name, one in labels.items()}
    text = json.dumps(record, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(text.encode()).hexdigest()[:_HASH_CHARS]
    return RunLabels(by_session=labels, label_hash=digest if labels else "")


def rescore(
    folder: RunFolder,
    sessions: Sequence[StoredSession],
    labels: RunLabels,
    *,
    on_session: Callable[[str], None],
) -> Rescored:
    """Judge every row of a run, write the scores, and return their sums.

    `on_session` is called with the name of each session before it is scored. Rows of a session that
    is not among `sessions`, or cannot be read, are not scored, nor those about what it no longer
    holds.

    Raises:
        RunError: a row cannot be read.
        MarkerError: a marker takes too long; the message names session and marker.
    """
    index, sums = folder.index_rows(), Sums()
    keys = defaultdict[str, list[RowKey]](list)
    for key in index.keys():  # noqa: SIM118 - no mapping
        keys[key.session].append(key)
    stored = [session for session in sessions if session.name in keys]
    left_out = [leave_out(name, GONE) for name in sorted({*keys} - {one.name for one in stored})]

    def scores() -> Iterator[Score]:
        for session in stored:
            on_session(session.name)
            read = load_unless_refused(session, None)
            if isinstance(read, NotScored):
                left_out.append(read)
                continue
            rows = _find_made(index, keys[session.name])
            for score in _score_session(session.name, read, labels, [*rows.values()]):
                sums.add(score, _made(rows.pop(score.key)))
                yield score
            left_out.extend(map(_changed, rows))

    folder.save_scores(scores())
    return Rescored(sums, tuple(left_out))


def _find_made(index: RowIndex, keys: Sequence[RowKey]) -> dict[RowKey, Row]:
    rows = (index.find(key) for key in keys)
    return {row.key: row for row in rows if row is not None and row.made is not None}


def _made(row: Row) -> Made:
    assert row.made is not None, "only what was made is scored"
    return row.made


def _changed(key: RowKey) -> NotScored:
    return NotScored(session=key.session, compaction=key.compaction, arm=key.arm, reason=CHANGED)


def _score_session(
    name: str, session: Session, labels: RunLabels, rows: Sequence[Row]
) -> Iterator[Score]:
    try:
        yield from score_rows(session.path, labels.find(name), rows)
    except MarkerError as error:
        raise MarkerError(f"labels of session {name}: {error}") from None
