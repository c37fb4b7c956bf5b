"""`longhaul labels`: the hand-written labels of recorded sessions, proved and looked at."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path as FilePath

import click

from longhaul.cli import label_lines, loss_lines, terminal
from longhaul.cli.conventions import AS_JSON, output, print_json, print_notes
from longhaul.compaction.render.escape import escape_text
from longhaul.errors import SessionError
from longhaul.evals.label_check import (
    SessionCheck,
    check_labels,
    find_unlabelled,
    session_file,
)
from longhaul.evals.label_losses import Loss, find_losses
from longhaul.evals.label_measures import LabelCounts, measure_recorded
from longhaul.evals.labelled_session import label_session
from longhaul.evals.listing_check import check_turns
from longhaul.evals.markers import MarkerError
from longhaul.evals.session_labels import (
    LabelError,
    SessionLabels,
    is_session_name,
    load_labels,
)
from longhaul.pi.sessions import Session, load_session

FILE_NAME = "labels.json"
_HANG_COLUMNS = 8
"""How far in a line goes on that is too long for the terminal."""

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
@click.option("--lost", is_flag=True, help="Then list what was lost, at which compaction.")
@AS_JSON
def measure(*, labels: FilePath, name: str | None, lost: bool, as_json: bool) -> None:
    """Count what the compactions recorded in the sessions keep of what LABELS make due.

    Whoever made them: pi's own where nothing else is said. Goal, rules, lifts and values, as
    `kept/due` over all compactions of a session.
    """
    file = _label_file(labels)
    chosen = _chosen(load_labels(file), name)
    sessions = {key: _load_labelled(file, key) for key in chosen}
    counts: dict[str, LabelCounts] = {}
    losses: dict[str, tuple[Loss, ...]] = {}
    for key, one in chosen.items():
        with _naming(file, key):
            counts[key] = measure_recorded(sessions[key].path, one)
            losses[key] = tuple(find_losses(sessions[key].path, one)) if lost else ()
    with output():
        if as_json:
            more = {"lost": loss_lines.loss_records(losses)} if lost else {}
            print_json({**label_lines.measure_record(counts), **more})
        else:
            _print_measured(counts, losses)
        for key, session in sessions.items():
            print_notes(session, _unknown_turns(file, key, session, chosen[key]))


@labels.command()
@LABELS
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--whole", is_flag=True, help="Print messages whole, not their first lines.")
@AS_JSON
def show(*, labels: FilePath, name: str | None, whole: bool, as_json: bool) -> None:
    """List the user messages of session NAME, with their labels and where each compaction cut.

    A session without labels is shown too: this is what one looks at to write them. Without NAME,
    the sessions are listed.
    """
    file = _label_file(labels, needed=False)
    found = load_labels(file) if file.exists() else {}
    if name is None:
        _print_names(file.parent, found, as_json=as_json)
        return
    key = name.removesuffix(".jsonl")
    if key not in found and not _has_session(file.parent, key):
        raise click.BadParameter(f"no session {key!r} here; {_known(found)}", param_hint="NAME")
    session = load_session(session_file(file.parent, key))
    labelled = label_session(key, session.path, found.get(key, SessionLabels()))
    with output():
        if as_json:
            print_json(label_lines.show_record(labelled))
        else:
            lines = label_lines.show_lines(labelled, is_whole=whole)
            terminal.print_hanging(terminal.make_console(), lines, indent=_HANG_COLUMNS)
        print_notes(session, [])


def _print_names(folder: FilePath, found: Mapping[str, SessionLabels], *, as_json: bool) -> None:
    names = sorted({*found, *find_unlabelled(found, folder)})
    has_labels = {name: name in found for name in names}
    with output():
        if as_json:
            print_json([{"session": key, "labels": has} for key, has in has_labels.items()])
        else:
            lines = label_lines.session_lines(has_labels) or ["no session here"]
            terminal.print_texts(terminal.make_console(), lines)


def _print_measured(
    counts: Mapping[str, LabelCounts], losses: Mapping[str, Sequence[Loss]]
) -> None:
    console = terminal.make_console()
    console.print(label_lines.measure_table(counts))
    terminal.print_texts(console, [label_lines.SHARES_CAPTION])
    lines = [*loss_lines.loss_lines(losses)]
    terminal.print_hanging(console, lines, indent=_HANG_COLUMNS)


@contextmanager
def _naming(file: FilePath, key: str) -> Iterator[None]:
    """Say of a marker that takes too long where it stands."""
    try:
        yield
    except MarkerError as error:
        raise LabelError(f"{file}: {key}: {error}") from None


def _load_labelled(file: FilePath, key: str) -> Session:
    try:
        return load_session(session_file(file.parent, key))
    except SessionError as error:
        raise LabelError(f"{error}, which {file} has labels of; {_check_hint(file)}") from None


def _unknown_turns(file: FilePath, key: str, session: Session, labels: SessionLabels) -> list[str]:
    """Return a note where labels name messages that the session lacks: they are due nowhere."""
    faults = [*check_turns(label_session(key, session.path, labels))]
    if not faults:
        return []
    first = f"{faults[0].place}: {faults[0].text}"
    return [escape_text(f"{first}; it is not counted; {_check_hint(file)}")]


def _check_hint(file: FilePath) -> str:
    return f"`longhaul labels check {file}` lists what is wrong"


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
    total = label_lines.total_line(checks, unlabelled)
    terminal.print_texts(console, [label_lines.COUNTS_CAPTION, total])


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
