"""The options of `longhaul score`, each with the variable that sets it as well."""

from collections.abc import Callable
from pathlib import Path as FilePath
from typing import Any, TypeVar

import click

from longhaul.cli.conventions import Minutes
from longhaul.compaction.completion import THINKING_LEVELS

_Command = TypeVar("_Command", bound=Callable[..., Any])

_FILE = click.Path(path_type=FilePath)
_MAX_REPEATS = 1_000
_MAX_JOBS = 256

OPTIONS = (
    click.argument("folder", metavar="[DIR]", required=False, type=_FILE, envvar="SCORE_SESSIONS"),
    click.option(
        "--labels",
        type=_FILE,
        envvar="SCORE_LABELS",
        show_envvar=True,
        help="The label file.  [default: labels.json in DIR, if there]",
    ),
    click.option(
        "--model",
        metavar="MODEL",
        envvar="SCORE_MODEL",
        show_envvar=True,
        help="Who is asked: provider/model-id[:thinking], local:FILE.gguf, local:smollm2 or"
        " batch:FOLDER.  [default: none]",
    ),
    click.option(
        "--thinking",
        type=click.Choice(THINKING_LEVELS),
        envvar="SCORE_THINKING",
        show_envvar=True,
        help="With --model: how much it thinks.",
    ),
    click.option(
        "--arms",
        metavar="ARM,…",
        default="",
        envvar="SCORE_ARMS",
        show_envvar=True,
        help="What is compared.  [default: state-offline,recent-user; with --model:"
        " state,pi-default]",
    ),
    click.option(
        "--keep-recent-tokens",
        type=click.IntRange(min=0),
        envvar="SCORE_KEEP_RECENT_TOKENS",
        show_envvar=True,
        help="pi's setting when the sessions were recorded.  [default: what they say, else pi's]",
    ),
    click.option(
        "--window",
        type=click.IntRange(min=1),
        envvar="SCORE_WINDOW",
        show_envvar=True,
        help="The model's context window, in tokens.  [default: what the sessions say]",
    ),
    click.option(
        "--max-output-tokens",
        type=click.IntRange(min=1),
        envvar="SCORE_MAX_OUTPUT_TOKENS",
        show_envvar=True,
        help="Most tokens of a reply, thinking included.  [default: what each arm asks for]",
    ),
    click.option(
        "--chain/--takeover",
        "is_chained",
        default=True,
        envvar="SCORE_CHAIN",
        show_envvar=True,
        help="Go on from an arm's own compactions, or from the recorded ones.  [default: --chain]",
    ),
    click.option(
        "--repeats",
        type=click.IntRange(min=1, max=_MAX_REPEATS),
        default=1,
        envvar="SCORE_REPEATS",
        show_envvar=True,
        help="How often each arm runs.  [default: 1]",
    ),
    click.option(
        "--jobs",
        type=click.IntRange(min=1, max=_MAX_JOBS),
        envvar="SCORE_JOBS",
        show_envvar=True,
        help="Sessions replayed side by side.  [default: one a core, 1 for local:]",
    ),
    click.option(
        "--only",
        metavar="SESSION,…",
        default="",
        envvar="SCORE_ONLY",
        show_envvar=True,
        help="Only these sessions, by name.",
    ),
    click.option(
        "--newest",
        type=click.IntRange(min=1),
        envvar="SCORE_N",
        show_envvar=True,
        help="With --takeover: only so many compactions, the newest ones.",
    ),
    click.option(
        "--at",
        metavar="SESSION:NUMBER,…",
        default="",
        envvar="SCORE_AT",
        show_envvar=True,
        help="With --takeover: only these compactions.",
    ),
    click.option(
        "--candidates-from",
        type=_FILE,
        metavar="ROWS",
        envvar="SCORE_CANDIDATES_FROM",
        show_envvar=True,
        help="With --takeover: only the compactions of an earlier run's rows.jsonl.",
    ),
    click.option(
        "--include-local-only",
        is_flag=True,
        envvar="SCORE_INCLUDE_LOCAL_ONLY",
        show_envvar=True,
        help="Take sessions under localOnlyRoots too.",
    ),
    click.option(
        "--probe",
        is_flag=True,
        envvar="SCORE_PROBE",
        show_envvar=True,
        help="Ask a model that is resumed on each text for its plan, one more call a row.",
    ),
    click.option(
        "--reply-limit",
        type=Minutes(most=7 * 24 * 60),
        default=10.0,
        show_default=True,
        help="Minutes that a model has for a reply; batch: says its own.",
    ),
    click.option("--pi", type=_FILE, help="The pi that arms run in.  [default: the PATH's]"),
    click.option(
        "--out",
        type=click.Path(path_type=FilePath, file_okay=False),
        default=FilePath("score-out"),
        show_default=True,
        help="Folder of the run; a rerun goes on in it.",
    ),
    click.option("--overwrite", is_flag=True, help="Begin the run in --out anew."),
    click.option(
        "--rescore", type=_FILE, metavar="RUN", help="Judge a run's rows again; no replay."
    ),
)
"""In the order of the help."""


def score_options(command: _Command) -> _Command:
    """Return a command that takes the options of `longhaul score`."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command
