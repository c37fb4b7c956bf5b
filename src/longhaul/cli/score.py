"""`longhaul score`: any compactor against pi's own, over recorded sessions."""

import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path as FilePath
from typing import Any

import click
from rich.console import Console

from longhaul.cli import score_lines, terminal
from longhaul.cli.conventions import AS_JSON, local_pi, output, print_json
from longhaul.cli.labels import FILE_NAME as LABELS_NAME
from longhaul.cli.score_choice import choose, find_store
from longhaul.cli.score_command import (
    ScoreCommand,
    build_options,
    build_plan,
    named_in_errors,
    require_fitting,
    require_rescorable,
)
from longhaul.cli.score_ending import SignalledError, ended_by_signals
from longhaul.cli.score_options import score_options
from longhaul.cli.score_progress import ScoreProgress
from longhaul.compaction.render.quoting import plain
from longhaul.compaction.report_text import count
from longhaul.evals.json_lines import RunError
from longhaul.evals.provenance import find_provenance
from longhaul.evals.rescoring import RunLabels, hash_labels
from longhaul.evals.run_folder import RunFolder
from longhaul.evals.runs import Watching, load_summary, rescore_run, run_score, sessions_folder
from longhaul.evals.session_labels import load_labels
from longhaul.evals.store import StoredSession
from longhaul.evals.summary import Summary, dump_summary


@click.command()
@score_options
@AS_JSON
def score(**given: Any) -> None:
    """Compare compactors over the recorded sessions of DIR, pi's own sessions by default.

    Each compaction in them is made again by each arm, and what its text keeps is counted. A
    labels.json in DIR adds the labelled measures. Options about what is compared can be set
    by a variable as well: SCORE_ARMS for --arms, SCORE_CHAIN=0 for --takeover.

    Ends with 1 where nothing is scored, with 3 where replies in a batch folder are awaited.
    """
    command = ScoreCommand(**given)
    if command.rescore:
        require_rescorable(click.get_current_context())
    console = terminal.make_console(stderr=True)
    out = command.rescore or command.out
    try:
        with ended_by_signals():
            summary = _rescore(command, out, console) if command.rescore else _run(command, console)
    except SignalledError as signalled:
        terminal.print_texts(
            console, ["stopped; what was made is kept, and the same command goes on"]
        )
        sys.exit(128 + signalled.number)
    with output():
        _print(summary, as_json=command.as_json)
    terminal.print_texts(console, [plain(line) for line in _closing(summary, out)])
    if summary.n_awaited:
        sys.exit(3)
    if not summary.arms:
        sys.exit(1)


def _run(command: ScoreCommand, console: Console) -> Summary:
    require_fitting(command)
    store, chosen = choose(command, find_store(command))
    plan = build_plan(command, store, chosen, say=partial(terminal.print_aside, console))
    labels = _load_labels(command.labels, command.sessions)
    if command.overwrite:
        _clear_run(command.out)
    terminal.print_texts(console, [*_idle_labels(labels, plan.sessions)])
    progress = ScoreProgress(console, len(plan.sessions))
    with progress.shown():
        return run_score(
            RunFolder(command.out),
            plan,
            options=build_options(command),
            provenance=find_provenance(os.environ, pi=command.pi or local_pi()),
            labels=labels,
            watching=Watching(on_event=progress.take, on_scoring=progress.take_scoring),
        )


def _rescore(command: ScoreCommand, out: FilePath, console: Console) -> Summary:
    folder = RunFolder(out)
    sessions = command.folder or sessions_folder(load_summary(folder).run)
    if sessions is None or not sessions.is_dir():
        raise RunError(
            f"the sessions of the run were in {sessions or 'no known place'}, which is no folder"
            f" here; name it: longhaul score DIR --rescore {out}"
        )
    labels = _load_labels(command.labels, sessions)
    progress = ScoreProgress(console, 0)
    with progress.shown():
        return rescore_run(folder, sessions, labels, on_scoring=progress.take_scoring)


def _load_labels(named: FilePath | None, sessions: FilePath) -> RunLabels:
    if named is None:
        beside = sessions / LABELS_NAME
        return hash_labels(load_labels(beside) if beside.exists() else {})
    with named_in_errors("--labels", "SCORE_LABELS"):
        return hash_labels(load_labels(named))


def _idle_labels(labels: RunLabels, sessions: Sequence[StoredSession]) -> Iterator[str]:
    """Yield that labels judge nothing, where they do not name a session that is replayed."""
    named = sorted(labels.by_session)
    if named and not any(labels.find(session.name) for session in sessions):
        text = f"the labels name {', '.join(named)}, and none of them is a session beside the label"
        yield plain(f"{text} file: nothing is judged by labels")


def _clear_run(out: FilePath) -> None:
    """Remove an earlier run, and nothing that is none."""
    folder = RunFolder(out)
    if not out.exists():
        return
    if not folder.is_run():
        raise RunError(f"{out} holds no run; --overwrite removes nothing else")
    with folder.held():
        folder.clear()


def _print(summary: Summary, *, as_json: bool) -> None:
    if as_json:
        print_json(dump_summary(summary))
        return
    console = terminal.make_console()
    for table in score_lines.tables(summary):
        console.print(table)
    terminal.print_texts(console, [*score_lines.summary_lines(summary)])


def _closing(summary: Summary, out: FilePath) -> list[str]:
    if summary.n_awaited:
        replies = count(summary.n_awaited, "reply", "replies")
        return [f"waiting for {replies}; run again once they are there"]
    if not summary.arms:
        return [f"nothing was scored: {_nothing_text(summary)}"]
    return [f"rows, scores and summary are in {out}/; `longhaul report {out}` shows them"]


def _nothing_text(summary: Summary) -> str:
    if summary.not_scored:
        return "all that there is was left out, as said above"
    sessions = summary.run.get("sessions")
    n_sessions = len(sessions) if isinstance(sessions, list) else 0
    return f"{count(n_sessions, 'session')} there, and no compaction in any"
