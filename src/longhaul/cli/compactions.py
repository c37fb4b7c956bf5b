"""`longhaul compact` and `longhaul show`: what compactions give."""

import sys
import time
from collections.abc import Sequence
from pathlib import Path as FilePath

import click

from longhaul import json_records, terminal
from longhaul.cli.conventions import (
    AGENT_DIR,
    AS_JSON,
    SESSION,
    agent_folder,
    output,
    print_json,
    print_notes,
)
from longhaul.compaction.compact import CompactOptions, render_whole
from longhaul.compaction.cut import CompactionSettings
from longhaul.compaction.history import Step, find_steps
from longhaul.compaction.preview import preview_compaction
from longhaul.config import load_config
from longhaul.pi.sessions import Session, load_session
from longhaul.pi.settings import load_compaction_settings


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
@AS_JSON
def compact(
    *,
    session: FilePath,
    agent_dir: FilePath | None,
    keep_recent_tokens: int | None,
    window: int | None,
    instructions: str,
    as_json: bool,
) -> None:
    """Show what compacting SESSION would give.

    Nothing is written. The state goes to stdout, what there is to say about it to stderr.
    """
    start = time.perf_counter()
    agent_dir = agent_folder(agent_dir)
    loaded = load_session(session)
    config = load_config(agent_dir)
    settings = _settings(agent_dir, keep_recent_tokens)
    options = CompactOptions(
        instructions=instructions,
        window_tokens=window,
        ask_tools=config.ask_tools,
        budget_chars=config.budget_chars,
    )
    preview = preview_compaction(loaded.path, settings, options)
    seconds = time.perf_counter() - start
    with output():
        if preview is None:
            print_notes(loaded, [terminal.nothing_text(loaded, settings)])
            sys.exit(1)
        if as_json:
            notes = []
            print_json(json_records.preview_record(loaded, preview, seconds=seconds))
        else:
            notes = terminal.preview_lines(loaded, preview, seconds=seconds)
            click.echo(preview.compaction.summary)
        print_notes(loaded, [*notes, *config.complaints])


@click.command()
@SESSION
@AGENT_DIR
@AS_JSON
@click.option("--state", is_flag=True, help="Show the state as it stands at the end instead.")
def show(*, session: FilePath, agent_dir: FilePath | None, as_json: bool, state: bool) -> None:
    """List the compactions of SESSION.

    For each its cut, its span, and what the state gained, lost and lifted there, whoever made it.
    """
    config = load_config(agent_folder(agent_dir))
    loaded = load_session(session)
    with output():
        if state:
            options = CompactOptions(ask_tools=config.ask_tools, budget_chars=config.budget_chars)
            _print_state(loaded, render_whole(loaded.path, options).text, as_json=as_json)
        else:
            steps = list(find_steps(loaded.path, ask_tools=config.ask_tools))
            _print_steps(steps, as_json=as_json)
        print_notes(loaded, [*terminal.reading_lines(loaded), *config.complaints])


def _settings(agent_dir: FilePath, keep_recent_tokens: int | None) -> CompactionSettings:
    """Return pi's settings for every project, with the option in their place where it is given."""
    settings = load_compaction_settings(agent_dir)
    if keep_recent_tokens is None:
        return settings
    return CompactionSettings(
        reserve_tokens=settings.reserve_tokens, keep_recent_tokens=keep_recent_tokens
    )


def _print_state(session: Session, text: str, *, as_json: bool) -> None:
    if as_json:
        print_json(json_records.state_record(session, text))
    else:
        click.echo(text)


def _print_steps(steps: Sequence[Step], *, as_json: bool) -> None:
    if as_json:
        print_json([json_records.step_record(number, step) for number, step in enumerate(steps, 1)])
    else:
        terminal.print_steps(terminal.make_console(), steps)
