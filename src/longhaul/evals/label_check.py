"""Proof of hand-written labels against the sessions that lie beside them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath

from longhaul.errors import SessionError
from longhaul.evals.due import Due, DueCounts
from longhaul.evals.labelled_session import LabelFinding, LabelledSession, label_session
from longhaul.evals.listing_check import check_listings, check_turns
from longhaul.evals.marker_check import check_markers
from longhaul.evals.session_labels import SessionLabels
from longhaul.evals.value_check import check_values
from longhaul.pi.sessions import Session, load_session

CHECKS = (check_turns, check_listings, check_markers, check_values)
"""What is held against each session, in the order of the findings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCheck:
    """What the check of one session's labels found."""

    name: str
    findings: tuple[LabelFinding, ...]
    due: tuple[Due, ...]
    """What is judged at each of its compactions; empty where the session cannot be read."""

    @property
    def counts(self) -> DueCounts:
        """The judgements at all of its compactions."""
        return sum((due.counts for due in self.due), DueCounts())


def session_file(folder: FilePath, name: str) -> FilePath:
    """Return the file of the session that labels in `folder` call `name`."""
    return folder / f"{name}.jsonl"


def check_labels(labels: Mapping[str, SessionLabels], folder: FilePath) -> Iterator[SessionCheck]:
    """Yield the check of each session that has labels, read from `folder` one at a time."""
    for name, one in labels.items():
        try:
            session = load_session(session_file(folder, name))
        except SessionError as error:
            finding = LabelFinding(level="error", place=name, text=str(error))
            yield SessionCheck(name=name, findings=(finding,), due=())
        else:
            yield check_session(name, session, one)


def check_session(name: str, session: Session, labels: SessionLabels) -> SessionCheck:
    """Return what is wrong with the labels of one session, and what they make due."""
    labelled = label_session(name, session.path, labels)
    findings = (
        *_notes_on_session(name, session, labelled),
        *_unknown_fields(labels),
        *(finding for check in CHECKS for finding in check(labelled)),
        *_never_judged(labelled),
    )
    return SessionCheck(name=name, findings=findings, due=labelled.due)


def find_unlabelled(labels: Mapping[str, SessionLabels], folder: FilePath) -> tuple[str, ...]:
    """Return the sessions in `folder` that have no labels, by name."""
    return tuple(sorted(file.stem for file in folder.glob("*.jsonl") if file.stem not in labels))


def _notes_on_session(
    name: str, session: Session, labelled: LabelledSession
) -> Iterator[LabelFinding]:
    for problem in session.problems:
        yield LabelFinding(level="note", place=name, text=problem.reason, line=problem.line)
    if not labelled.cuts:
        yield LabelFinding(level="note", place=name, text="no compaction: nothing is judged")


def _unknown_fields(labels: SessionLabels) -> Iterator[LabelFinding]:
    for one in labels.unknown:
        text = f"not read; known here: {', '.join(one.known)}"
        yield LabelFinding(level="note", place=one.place, text=text)


def _never_judged(session: LabelledSession) -> Iterator[LabelFinding]:
    """Yield a note for each label of an existing message that no compaction judges."""
    goal = session.labels.goal
    if not session.cuts:
        return
    if goal is not None and session.turn(goal.turn) and not any(due.goal for due in session.due):
        yield session.note("goal", f"judged nowhere: no compaction closes u{goal.turn}", goal.turn)
    judged = {rule for due in session.due for rule in (*due.rules, *due.lifted)}
    for index, rule in enumerate(session.labels.rules):
        if rule not in judged and session.turn(rule.turn):
            text = (
                f"judged nowhere: no compaction closes u{rule.turn}, or only with its lift in view"
            )
            yield session.note(f"rules[{index}]", text, rule.turn)
