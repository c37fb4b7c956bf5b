"""`longhaul score`: any compactor against pi's own, over recorded sessions."""

import os
import shutil
import signal
import sys
from pathlib import Path as FilePath
from typing import Any

import click

from longhaul.cli import score_lines, terminal
from longhaul.cli.conventions import AS_JSON, local_pi, output, print_json
from longhaul.cli.labels import FILE_NAME as LABELS_NAME
from longhaul.cli.score_command import ScoreCommand, build_options, build_plan, require_fitting
from longhaul.cli.score_progress import ScoreProgress
from longhaul.compaction.completion import THINKING_LEVELS
from longhaul.compaction.render.quoting import plain
from longhaul.compaction.report_text import count
from longhaul.evals.json_lines import RunError
from longhaul.evals.provenance import find_provenance
from longhaul.evals.rescoring import RunLabels, hash_labels
from longhaul.evals.run_folder import RUN, RunFolder
from longhaul.evals.runs import Watching, load_summary, rescore_run, run_score, sessions_folder
from longhaul.evals.selecting import Chosen, find_newest, load_candidates, parse_places
from longhaul.evals.session_labels import load_labels
from longhaul.evals.store import Store, find_sessions, keep_only
from longhaul.evals.summary import Summary, dump_summary

_FILE = click.Path(path_type=FilePath)
_INTERRUPTED = 128 + signal.SIGINT


@click.command()
@click.argument("folder", metavar="[DIR]", required=False, type=_FILE, envvar="SCORE_SESSIONS")
@click.option(
    "--labels",
    type=_FILE,
    envvar="SCORE_LABELS",
    help="The label file.  [default: labels.json in DIR, if there]",
)
@click.option(
    "--model",
    metavar="MODEL",
    envvar="SCORE_MODEL",
    help="Who is asked: provider/model-id[:thinking], local:FILE.gguf, local:smollm2, batch:FOLDER."
    "  [default: none]",
)
@click.option(
    "--thinking",
    type=click.Choice(THINKING_LEVELS),
    envvar="SCORE_THINKING",
    help="With --model: how much it thinks.",
)
@click.option(
    "--arms",
    metavar="ARM,…",
    default="",
    envvar="SCORE_ARMS",
    help="What is compared.  [default: state-offline,recent-user; with --model: state,pi-default]",
)
@click.option(
    "--keep-recent-tokens",
    type=click.IntRange(min=0),
    envvar="SCORE_KEEP_RECENT_TOKENS",
    help="pi's setting when the sessions were recorded.  [default: what they say, else pi's]",
)
@click.option(
    "--window",
    type=click.IntRange(min=1),
    envvar="SCORE_WINDOW",
    help="The model's context window, in tokens.  [default: what the sessions say]",
)
@click.option(
    "--max-output-tokens",
    type=click.IntRange(min=1),
    envvar="SCORE_MAX_OUTPUT_TOKENS",
    help="Most tokens of a reply, thinking included.  [default: what each arm asks for]",
)
@click.option(
    "--chain/--takeover",
    "is_chained",
    default=True,
    envvar="SCORE_CHAIN",
    help="Go on from an arm's own compactions, or from the recorded ones.  [default: --chain]",
)
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    default=1,
    envvar="SCORE_REPEATS",
    help="How often each arm runs.  [default: 1]",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    envvar="SCORE_JOBS",
    help="Sessions replayed side by side.  [default: one a core, 1 for local:]",
)
@click.option(
    "--only",
    metavar="SESSION,…",
    default="",
    envvar="SCORE_ONLY",
    help="Only these sessions, by name.",
)
@click.option(
    "--newest",
    type=click.IntRange(min=1),
    envvar="SCORE_N",
    help="With --takeover: only so many compactions, the newest ones.",
)
@click.option(
    "--at",
    metavar="SESSION:NUMBER,…",
    default="",
    envvar="SCORE_AT",
    help="With --takeover: only these compactions.",
)
@click.option(
    "--candidates-from",
    type=_FILE,
    metavar="ROWS",
    envvar="SCORE_CANDIDATES_FROM",
    help="With --takeover: only the compactions of an earlier run's rows.jsonl.",
)
@click.option(
    "--include-local-only",
    is_flag=True,
    envvar="SCORE_INCLUDE_LOCAL_ONLY",
    help="Take sessions under localOnlyRoots too.",
)
@click.option(
    "--probe",
    is_flag=True,
    envvar="SCORE_PROBE",
    help="Ask a model that is resumed on each text for its plan, one more call a row.",
)
@click.option(
    "--reply-limit",
    type=click.FloatRange(min=0, min_open=True, max=7 * 24 * 60),
    default=10.0,
    show_default=True,
    help="Minutes that a model has for a reply; batch: says its own.",
)
@click.option("--pi", type=_FILE, help="The pi that arms run in.  [default: the PATH's]")
@click.option(
    "--out",
    type=click.Path(path_type=FilePath, file_okay=False),
    default=FilePath("score-out"),
    show_default=True,
    help="Folder of the run; a rerun goes on in it.",
)
@click.option("--overwrite", is_flag=True, help="Begin the run in --out anew.")
@click.option("--rescore", type=_FILE, metavar="RUN", help="Judge a run's rows again; no replay.")
@AS_JSON
def score(**given: Any) -> None:
    """Compare compactors over the recorded sessions of DIR, pi's own sessions by default.

    Each compaction in them is made again by each arm, and what its text keeps is counted. A
    labels.json in DIR adds the labelled measures. Options about what is compared can be set
    by a variable as well: SCORE_ARMS for --arms, SCORE_CHAIN=0 for --takeover.

    Ends with 1 where nothing is scored, with 3 where replies in a batch folder are awaited.
    """
    command = ScoreCommand(**given)
    console = terminal.make_console(stderr=True)
    out = command.rescore or command.out
    try:
        summary = _rescore(command, out) if command.rescore else _run(command)
    except KeyboardInterrupt:
        terminal.print_texts(
            console, ["stopped; what was made is kept, and the same command goes on"]
        )
        sys.exit(_INTERRUPTED)
    with output():
        _print(summary, as_json=command.as_json)
    terminal.print_texts(console, [plain(line) for line in _closing(summary, out)])
    if summary.n_awaited:
        sys.exit(3)
    if not summary.arms:
        sys.exit(1)


def _run(command: ScoreCommand) -> Summary:
    require_fitting(command)
    folder = RunFolder(command.out)
    store = _find_store(command)
    if command.overwrite:
        _remove_run(command.out)
    plan = build_plan(command, store, _choose(command, store))
    progress = ScoreProgress(terminal.make_console(stderr=True), len(plan.sessions))
    with progress.shown():
        return run_score(
            folder,
            plan,
            options=build_options(command),
            provenance=find_provenance(os.environ, pi=command.pi or local_pi()),
            labels=_load_labels(command.labels, command.sessions),
            watching=Watching(on_event=progress.take, on_scoring=progress.take_scoring),
        )


def _rescore(command: ScoreCommand, out: FilePath) -> Summary:
    folder = RunFolder(out)
    sessions = sessions_folder(load_summary(folder).run)
    labels = _load_labels(command.labels, sessions)
    progress = ScoreProgress(terminal.make_console(stderr=True), 0)
    with progress.shown():
        return rescore_run(folder, labels, on_scoring=progress.take_scoring)


def _find_store(command: ScoreCommand) -> Store:
    """Return the sessions to replay; the run's own folder is no part of them."""
    if not command.sessions.is_dir():
        raise click.BadParameter(f"{command.sessions} is no folder", param_hint="DIR")
    store = find_sessions(command.sessions, excluded=(command.out,))
    return keep_only(store, command.only_names) if command.only_names else store


def _choose(command: ScoreCommand, store: Store) -> Chosen | None:
    """Return which compactions are picked; None for all."""
    if command.newest:
        return find_newest(store.sessions, command.newest)
    if command.at:
        return parse_places(command.at)
    if command.candidates_from:
        return load_candidates(command.candidates_from)
    return None


def _load_labels(named: FilePath | None, sessions: FilePath) -> RunLabels:
    beside = sessions / LABELS_NAME
    file = named or (beside if beside.exists() else None)
    return hash_labels(load_labels(file) if file else {})


def _remove_run(out: FilePath) -> None:
    """Remove an earlier run, and nothing that is none."""
    if not out.exists():
        return
    if not (out / RUN).exists():
        raise RunError(f"{out} holds no run; --overwrite removes nothing else")
    shutil.rmtree(out)


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
        return ["nothing was scored: no compaction of a session there could be replayed"]
    return [f"rows, scores and summary are in {out}/; `longhaul report {out}` shows them"]
