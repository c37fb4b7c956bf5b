"""`longhaul compact`: what compacting a session now would give."""

import os
import sys
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path as FilePath
from typing import Any

import click
from click.core import ParameterSource

from longhaul.cli import json_records, terminal
from longhaul.cli.conventions import (
    AGENT_DIR,
    AS_JSON,
    SESSION,
    agent_folder,
    output,
    print_json,
    print_notes,
)
from longhaul.compaction.ask import Mode
from longhaul.compaction.compact import CompactOptions, Model
from longhaul.compaction.completion import THINKING_LEVELS, ThinkingLevel
from longhaul.compaction.cut import CompactionSettings
from longhaul.compaction.diff.items import count_items
from longhaul.compaction.diff.record import CallRecord
from longhaul.compaction.preview import Preview, preview_compaction
from longhaul.config import Config, load_config
from longhaul.config.load import ALL_LOCAL_ONLY
from longhaul.errors import ModelError
from longhaul.models.opening import is_on_this_machine, open_model
from longhaul.pi.local_only import is_local_only
from longhaul.pi.session_config import load_session_config
from longhaul.pi.sessions import Session, load_session
from longhaul.pi.settings import load_compaction_settings

_MODES = ("state", "turns")
"""Those that ask a model: without --model, none is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactCommand:
    """What the user asked for."""

    session: FilePath
    agent_dir: FilePath | None
    keep_recent_tokens: int | None
    window: int | None
    instructions: str
    model: str | None
    mode: Mode
    thinking: ThinkingLevel | None
    as_json: bool


@click.command()
@SESSION
@AGENT_DIR
@click.option(
    "--keep-recent-tokens",
    type=click.IntRange(min=0),
    help="Tokens that stay verbatim.  [default: pi's setting]",
)
@click.option("--window", type=click.IntRange(min=1), help="The model's context window, in tokens.")
@click.option("--instructions", default="", help="What `/compact` would be told.")
@click.option(
    "--model",
    metavar="MODEL",
    help="Ask this model: provider/model-id, local:FILE.gguf, local:smollm2 or batch:FOLDER."
    "  [default: none]",
)
@click.option(
    "--mode",
    type=click.Choice(_MODES),
    default="state",
    show_default=True,
    help="With --model: one call, or one for each turn.",
)
@click.option(
    "--thinking",
    type=click.Choice(THINKING_LEVELS),
    help="With --model: how much it thinks.  [default: what the model does by itself]",
)
@AS_JSON
def compact(**given: Any) -> None:
    """Show what compacting SESSION would give.

    Nothing is written, and no model is asked without --model; it has callDeadlineSeconds of
    longhaul.json for each reply. The state goes to stdout, what there is to say about it to stderr.

    Ends with 1 where there is nothing to compact, and where the model that was asked gave nothing
    to go by (no connection, no reply in time, none that can be read): the state is printed all the
    same, made without it. Ends with 3 where a reply in a batch folder is not there yet.
    """
    command = CompactCommand(**given)
    _require_model(command)
    start = time.perf_counter()
    agent_dir = agent_folder(command.agent_dir)
    session = load_session(command.session)
    config = load_config(agent_dir)
    settings = _settings(agent_dir, command.keep_recent_tokens)
    model = _model(command, session, config)
    options = _options(command, config)
    with terminal.waiting(command.model, config.call_deadline_s):
        preview = preview_compaction(session.path, settings, options, model)
    seconds = time.perf_counter() - start
    with output():
        if preview is None:
            print_notes(session, [terminal.nothing_text(session, settings)])
            sys.exit(1)
        notes = _print_preview(session, preview, seconds=seconds, as_json=command.as_json)
        print_notes(session, [*notes, *config.complaints])
    if _gave_nothing(preview.compaction.report.call):
        sys.exit(1)


def _require_model(command: CompactCommand) -> None:
    """Refuse options about a model where none is asked."""
    context = click.get_current_context()
    for name in ("mode", "thinking"):
        is_given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if is_given and command.model is None:
            raise click.UsageError(f"--{name} is about a model; name one with --model", context)


def _gave_nothing(call: CallRecord | None) -> bool:
    """Return whether a model was asked and its reply held nothing, not even to be refused."""
    if call is None or not call.failure:
        return False
    return not call.dropped and not count_items(call.diff)


def _print_preview(
    session: Session, preview: Preview, *, seconds: float, as_json: bool
) -> list[str]:
    """Print a preview, and return what there is to say beside it."""
    if as_json:
        print_json(json_records.preview_record(session, preview, seconds=seconds))
        return []
    click.echo(preview.compaction.summary)
    return terminal.preview_lines(session, preview, seconds=seconds)


def _options(command: CompactCommand, config: Config) -> CompactOptions:
    return CompactOptions(
        instructions=command.instructions,
        window_tokens=command.window,
        budget_chars=config.budget_chars,
        ask_tools=config.ask_tools,
        mode=command.mode,
        model_name=command.model or "",
        thinking=command.thinking,
    )


def _model(command: CompactCommand, session: Session, config: Config) -> Model | None:
    """Return the model that is asked; None where none is named.

    Raises:
        ModelError: it cannot be opened, or is not on this machine and the session stays on it.
    """
    if command.model is None:
        return None
    cwd = session.header.cwd
    found = load_session_config(agent_folder(command.agent_dir), cwd)
    roots = found.local_only_roots
    local_only = is_local_only(cwd=cwd, session_file=session.file, roots=roots)
    if local_only and not is_on_this_machine(command.model, os.environ):
        why = "".join(f"; {one}" for one in found.complaints if one.endswith(ALL_LOCAL_ONLY))
        raise ModelError(
            f"{command.session} is local only (localOnlyRoots), and {command.model} is not on this"
            f" machine: name one that is, or none{why}"
        )
    return open_model(
        command.model,
        timeout_s=config.call_deadline_s,
        environment=os.environ,
        say=partial(terminal.print_aside, terminal.make_console(stderr=True)),
    )


def _settings(agent_dir: FilePath, keep_recent_tokens: int | None) -> CompactionSettings:
    """Return pi's settings for every project, with the option in their place where it is given."""
    settings = load_compaction_settings(agent_dir)
    if keep_recent_tokens is None:
        return settings
    return replace(settings, enabled=True, keep_recent_tokens=keep_recent_tokens)
