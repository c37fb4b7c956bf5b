"""Scores and summary of a run, from its rows and the sessions: no model is called."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from longhaul.compaction.records import dump_record
from longhaul.evals.rows import RowKey
from longhaul.evals.run_folder import RowIndex, RunFolder
from longhaul.evals.scores import Score
from longhaul.evals.scoring import SessionLabelling, score_rows
from longhaul.evals.session_labels import SessionLabels
from longhaul.evals.store import StoredSession
from longhaul.evals.sums import Sums
from longhaul.pi.sessions import load_session

_HASH_CHARS = 16


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
) -> Sums:
    """Judge every row of a run, write the scores, and return their sums.

    `on_session` is called with the name of each session before it is scored. Rows of a session that
    is not among `sessions` are not scored.

    Raises:
        RunError: a row cannot be read.
        SessionError: a session can no longer be read.
    """
    index, sums = folder.index_rows(), Sums()
    keys = defaultdict[str, list[RowKey]](list)
    for key in index.keys():  # noqa: SIM118 - no mapping
        keys[key.session].append(key)
    stored = [session for session in sessions if session.name in keys]

    def scores() -> Iterator[Score]:
        for session in stored:
            on_session(session.name)
            yield from _score_session(session, labels, index, keys[session.name], sums)

    folder.save_scores(scores())
    return sums


def _score_session(
    stored: StoredSession, labels: RunLabels, index: RowIndex, keys: Sequence[RowKey], sums: Sums
) -> Iterator[Score]:
    rows = {key: row for key in keys if (row := index.find(key)) is not None}
    path = load_session(stored.file).path
    for score in score_rows(path, labels.find(stored.name), rows.values()):
        made = rows[score.key].made
        assert made is not None, "only what was made is scored"
        sums.add(score, made)
        yield score
