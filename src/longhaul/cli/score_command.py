"""What `longhaul score` was asked for, and the replay that this plans."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path as FilePath

import click
from click.core import ParameterSource

from longhaul.cli.conventions import local_pi
from longhaul.compaction.completion import ThinkingLevel
from longhaul.compaction.render.escape import escape_text
from longhaul.errors import LonghaulError
from longhaul.evals.arms.listing import ArmSetup, OpenArm, open_arms
from longhaul.evals.probe import with_probe
from longhaul.evals.replay import ReplayOptions
from longhaul.evals.score_options import ScoreOptions
from longhaul.evals.score_run import Plan
from longhaul.evals.selecting import Chosen
from longhaul.evals.store import SUFFIX, Refuse, Store
from longhaul.models.opening import open_model
from longhaul.models.specs import LocalSpec, parse_spec
from longhaul.pi.agent_dir import find_agent_dir
from longhaul.pi.installed_pi import find_installed_pi
from longhaul.pi.local_only import is_local_only
from longhaul.pi.session_config import load_session_config
from longhaul.pi.sessions import Session

OFFLINE_ARMS = ("state-offline", "recent-user")
"""What runs where neither arms nor a model are named."""
MODEL_ARMS = ("state", "pi-default")
"""What runs where a model is named and no arms."""
_MINUTE_S = 60.0
_RESCORING = frozenset(("folder", "labels", "rescore", "as_json"))
"""The options that `--rescore` heeds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCommand:
    """What the user asked for."""

    folder: FilePath | None
    labels: FilePath | None
    model: str | None
    thinking: ThinkingLevel | None
    arms: str
    keep_recent_tokens: int | None
    window: int | None
    max_output_tokens: int | None
    is_chained: bool
    repeats: int
    jobs: int | None
    only: str
    newest: int | None
    at: str
    candidates_from: FilePath | None
    include_local_only: bool
    probe: bool
    reply_limit: float
    pi: FilePath | None
    out: FilePath
    overwrite: bool
    rescore: FilePath | None
    as_json: bool

    @property
    def arm_names(self) -> tuple[str, ...]:
        """The arms to run; by default those that need no model, or Longhaul's beside pi's own."""
        named = tuple(name.strip() for name in self.arms.split(",") if name.strip())
        if named:
            return named
        if self.model:
            return MODEL_ARMS
        return OFFLINE_ARMS if self.is_chained else (*OFFLINE_ARMS, "recorded")

    @property
    def only_names(self) -> tuple[str, ...]:
        """The sessions that are named; empty where all are taken."""
        names = (name.strip().removesuffix(SUFFIX) for name in self.only.split(","))
        return tuple(name for name in names if name)

    @property
    def sessions(self) -> FilePath:
        """The folder of the sessions; by default pi's own."""
        return self.folder or find_agent_dir(os.environ) / "sessions"


def require_fitting(command: ScoreCommand) -> None:
    """Refuse options that contradict each other.

    Raises:
        click.UsageError: they do.
    """
    picking = {
        "--newest (SCORE_N)": command.newest,
        "--at (SCORE_AT)": command.at,
        "--candidates-from (SCORE_CANDIDATES_FROM)": command.candidates_from,
    }
    given = [name for name, value in picking.items() if value]
    if given and command.is_chained:
        raise click.UsageError(
            f"{given[0]} picks single compactions, which no chain can do: it needs --takeover"
            " (SCORE_CHAIN=0)"
        )
    if command.probe and command.model is None:
        raise click.UsageError("--probe (SCORE_PROBE) asks a model; name one with --model")
    if len(given) > 1:
        raise click.UsageError(f"{' and '.join(given)} exclude each other")


def require_rescorable(context: click.Context) -> None:
    """Refuse what only a replay heeds: rows that are judged again stay as they are.

    Variables may stand: a script sets them for all its commands.

    Raises:
        click.UsageError: such an option was typed.
    """
    typed = [
        "/".join((*option.opts, *option.secondary_opts))
        for option in context.command.params
        if option.name not in _RESCORING
        and context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
    ]
    if typed:
        raise click.UsageError(
            f"--rescore judges the rows that a run holds; {', '.join(typed)} would need a replay"
        )


@contextmanager
def named_in_errors(option: str, variable: str) -> Iterator[None]:
    """Name an option, and the variable behind it, in the error about its value.

    Raises:
        click.UsageError: inside the block something was wrong with it.
    """
    try:
        yield
    except LonghaulError as error:
        raise click.UsageError(f"{option} ({variable}): {escape_text(str(error))}") from error


def build_options(command: ScoreCommand) -> ScoreOptions:
    """Return what the run's folder keeps of the command."""
    return ScoreOptions(
        sessions=str(command.sessions),
        arms=command.arm_names,
        model=command.model,
        thinking=command.thinking,
        window=command.window,
        max_output_tokens=command.max_output_tokens,
        keep_recent_tokens=command.keep_recent_tokens,
        is_chained=command.is_chained,
        n_repeats=command.repeats,
        with_local_only=command.include_local_only,
        with_probe=command.probe,
    )


def build_plan(
    command: ScoreCommand, store: Store, chosen: Chosen | None, *, say: Callable[[str], None]
) -> Plan:
    """Return what is replayed, having seen that every arm can be opened.

    `say` is told what a model waits for.

    Raises:
        click.UsageError: there is no such arm, it lacks something, or the model cannot be opened.
    """

    def open_all() -> Sequence[OpenArm]:
        setup = _setup(command, say)
        arms = open_arms(command.arm_names, setup, is_chained=command.is_chained)
        if not command.probe or setup.model is None:
            return arms
        return [with_probe(arm, setup.model, thinking=command.thinking) for arm in arms]

    with named_in_errors("--arms, --model", "SCORE_ARMS, SCORE_MODEL"):
        open_all()
    return Plan(
        store=store,
        sessions=tuple(
            session for session in store.sessions if chosen is None or session.name in chosen.names
        ),
        options=ReplayOptions(
            is_chained=command.is_chained,
            n_repeats=command.repeats,
            keep_recent_tokens=command.keep_recent_tokens,
            only=chosen.places if chosen else None,
        ),
        open_arms=open_all,
        n_jobs=command.jobs or _default_jobs(command),
        refuse=find_refuse(command),
    )


def find_refuse(command: ScoreCommand) -> Refuse | None:
    """Return what keeps sessions out; None where nothing does."""
    return None if command.include_local_only else refuse_local_only


def refuse_local_only(session: Session) -> str:
    """Return why a session is left out; empty where nothing keeps it on this machine."""
    cwd = session.header.cwd or ""
    config = load_session_config(find_agent_dir(os.environ), cwd)
    if not is_local_only(cwd=cwd, session_file=session.file, roots=config.local_only_roots):
        return ""
    return "under localOnlyRoots; --include-local-only (SCORE_INCLUDE_LOCAL_ONLY=1) scores it"


def _setup(command: ScoreCommand, say: Callable[[str], None]) -> ArmSetup:
    timeout_s = command.reply_limit * _MINUTE_S
    model = None
    if command.model is not None:
        model = open_model(command.model, timeout_s=timeout_s, environment=os.environ, say=say)
    return ArmSetup(
        model=model,
        model_name=command.model or "",
        thinking=command.thinking,
        window_tokens=command.window,
        max_output_tokens=command.max_output_tokens,
        reply_limit_s=timeout_s,
        find_pi=lambda: find_installed_pi(os.environ, pi=command.pi or local_pi()),
    )


def _default_jobs(command: ScoreCommand) -> int:
    """Return how many sessions are replayed at once: a model in process takes all cores itself."""
    if command.model is not None and isinstance(parse_spec(command.model), LocalSpec):
        return 1
    return os.cpu_count() or 1
