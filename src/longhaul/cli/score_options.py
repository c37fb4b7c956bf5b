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


def _option(*names: str, variable: str, **more: Any) -> Callable[[_Command], _Command]:
    return click.option(*names, envvar=variable, show_envvar=True, **more)


OPTIONS = (
    click.argument("folder", metavar="[DIR]", required=False, type=_FILE, envvar="SCORE_SESSIONS"),
    _option(
        "--labels",
        type=_FILE,
        variable="SCORE_LABELS",
        help="The label file.  [default: labels.json in DIR, if there]",
    ),
    _option(
        "--model",
        metavar="MODEL",
        variable="SCORE_MODEL",
        help="Who is asked: provider/model-id[:thinking], local:FILE.gguf, local:smollm2 or"
        " batch:FOLDER.  [default: none]",
    ),
    _option(
        "--thinking",
        type=click.Choice(THINKING_LEVELS),
        variable="SCORE_THINKING",
        help="With --model: how much it thinks.",
    ),
    _option(
        "--arms",
        metavar="ARM,…",
        default="",
        variable="SCORE_ARMS",
        help="What is compared.  [default: state-offline,recent-user; with --model:"
        " state,pi-default]",
    ),
    _option(
        "--keep-recent-tokens",
        type=click.IntRange(min=0),
        variable="SCORE_KEEP_RECENT_TOKENS",
        help="pi's setting when the sessions were recorded.  [default: what they say, else pi's]",
    ),
    _option(
        "--window",
        type=click.IntRange(min=1),
        variable="SCORE_WINDOW",
        help="The model's context window, in tokens.  [default: what the sessions say]",
    ),
    _option(
        "--max-output-tokens",
        type=click.IntRange(min=1),
        variable="SCORE_MAX_OUTPUT_TOKENS",
        help="Most tokens of a reply, thinking included.  [default: what each arm asks for]",
    ),
    _option(
        "--chain/--takeover",
        "is_chained",
        default=True,
        variable="SCORE_CHAIN",
        help="Go on from an arm's own compactions, or from the recorded ones.  [default: --chain]",
    ),
    _option(
        "--repeats",
        type=click.IntRange(min=1, max=_MAX_REPEATS),
        default=1,
        variable="SCORE_REPEATS",
        help="How often each arm runs.  [default: 1]",
    ),
    _option(
        "--jobs",
        type=click.IntRange(min=1, max=_MAX_JOBS),
        variable="SCORE_JOBS",
        help="Sessions replayed side by side.  [default: one a core, 1 for local:]",
    ),
    _option(
        "--only",
        metavar="SESSION,…",
        default="",
        variable="SCORE_ONLY",
        help="Only these sessions, by name.",
    ),
    _option(
        "--newest",
        type=click.IntRange(min=1),
        variable="SCORE_N",
        help="With --takeover: only so many compactions, the newest ones.",
    ),
    _option(
        "--at",
        metavar="SESSION:NUMBER,…",
        default="",
        variable="SCORE_AT",
        help="With --takeover: only these compactions.",
    ),
    _option(
        "--candidates-from",
        type=_FILE,
        metavar="ROWS",
        variable="SCORE_CANDIDATES_FROM",
        help="With --takeover: only the compactions of an earlier run's rows.jsonl.",
    ),
    _option(
        "--include-local-only",
        is_flag=True,
        variable="SCORE_INCLUDE_LOCAL_ONLY",
        help="Take sessions under localOnlyRoots too.",
    ),
    _option(
        "--probe",
        is_flag=True,
        variable="SCORE_PROBE",
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
