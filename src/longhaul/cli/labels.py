"""`longhaul labels`: the hand-written labels of recorded sessions, proved and looked at."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path as FilePath

import click

from longhaul.cli import label_lines, terminal
from longhaul.cli.conventions import AS_JSON, output, print_json, print_notes
from longhaul.evals.label_check import (
    SessionCheck,
    check_labels,
    find_unlabelled,
    session_file,
)
from longhaul.evals.label_measures import LabelCounts, measure_recorded
from longhaul.evals.labelled_session import label_session
from longhaul.evals.markers import MarkerError
from longhaul.evals.session_labels import (
    LabelError,
    SessionLabels,
    is_session_name,
    load_labels,
)
from longhaul.pi.sessions import Session, load_session

FILE_NAME = "labels.json"

LABELS = click.argument("labels", type=click.Path(exists=True, path_type=FilePath))


@click.group()
def labels() -> None:
    """What people read in recorded sessions, written down in LABELS.

    LABELS is a label file beside its sessions, or the folder of both.
    """


@labels.command()
@LABELS
@click.option("--session", "name", metavar="NAME", help="Only the labels of this session.")
@AS_JSON
def check(*, labels: FilePath, name: str | None, as_json: bool) -> None:
    """Prove LABELS against the sessions beside them, and count what they make due.

    A line for each finding, then the judgements of each session. Ends with 1 where one is an error.
    """
    file = _label_file(labels)
    found = load_labels(file)
    checks = list(check_labels(_chosen(found, name), file.parent))
    unlabelled = find_unlabelled(found, file.parent) if name is None else ()
    with output():
        if as_json:
            print_json(label_lines.check_record(checks, unlabelled))
        else:
            _print_checks(file, checks, unlabelled)
    if any(finding.level == "error" for one in checks for finding in one.findings):
        sys.exit(1)


@labels.command()
@LABELS
@click.option("--session", "name", metavar="NAME", help="Only the labels of this session.")
@AS_JSON
def measure(*, labels: FilePath, name: str | None, as_json: bool) -> None:
    """Count what the compactions recorded in the sessions keep of what LABELS make due.

    Whoever made them: pi's own where nothing else is said. Goal, rules, lifts and values, as
    `kept/due` over all compactions of a session.
    """
    file = _label_file(labels)
    chosen = _chosen(load_labels(file), name)
    sessions = {key: load_session(session_file(file.parent, key)) for key in chosen}
    counts = {key: _measured(file, key, sessions[key], one) for key, one in chosen.items()}
    with output():
        if as_json:
            print_json(label_lines.measure_record(counts))
        else:
            terminal.make_console().print(label_lines.measure_table(counts))
        for session in sessions.values():
            print_notes(session, [])


@labels.command()
@LABELS
@click.argument("name")
@AS_JSON
def show(*, labels: FilePath, name: str, as_json: bool) -> None:
    """List the user messages of session NAME, with their labels and where each compaction cut.

    A session without labels is shown too: this is what one looks at to write them.
    """
    file = _label_file(labels, needed=False)
    found = load_labels(file) if file.exists() else {}
    key = name.removesuffix(".jsonl")
    if key not in found and not _has_session(file.parent, key):
        raise click.BadParameter(f"no session {key!r} here; {_known(found)}", param_hint="NAME")
    session = load_session(session_file(file.parent, key))
    labelled = label_session(key, session.path, found.get(key, SessionLabels()))
    with output():
        if as_json:
            print_json(label_lines.show_record(labelled))
        else:
            terminal.print_texts(terminal.make_console(), label_lines.show_lines(labelled))
        print_notes(session, [])


def _measured(file: FilePath, key: str, session: Session, labels: SessionLabels) -> LabelCounts:
    try:
        return measure_recorded(session.path, labels)
    except MarkerError as error:
        raise LabelError(f"{file}: {key}: {error}") from None


def _has_session(folder: FilePath, name: str) -> bool:
    return is_session_name(name) and session_file(folder, name).exists()


def _print_checks(
    file: FilePath, checks: Sequence[SessionCheck], unlabelled: Sequence[str]
) -> None:
    console = terminal.make_console()
    lines = [
        label_lines.finding_line(file, one.name, finding)
        for one in checks
        for finding in one.findings
    ]
    terminal.print_texts(console, [*lines, *label_lines.unlabelled_lines(file, unlabelled)])
    console.print(label_lines.counts_table(checks))
    terminal.print_texts(console, [label_lines.total_line(checks)])


def _label_file(given: FilePath, *, needed: bool = True) -> FilePath:
    """Return the label file that an argument names: itself, or the one in a folder."""
    file = given / FILE_NAME if given.is_dir() else given
    if needed and not file.exists():
        raise click.BadParameter(f"there is no {FILE_NAME} in this folder", param_hint="LABELS")
    return file


def _chosen(found: Mapping[str, SessionLabels], name: str | None) -> Mapping[str, SessionLabels]:
    """Return the labels of the session that is asked for; all where none is."""
    if name is None:
        return found
    key = name.removesuffix(".jsonl")
    if key not in found:
        raise click.BadParameter(f"no labels of {key!r}; {_known(found)}", param_hint="--session")
    return {key: found[key]}


def _known(found: Mapping[str, SessionLabels]) -> str:
    names = ", ".join(map(repr, found))
    return f"there are labels of {names}" if names else "there are no labels"
