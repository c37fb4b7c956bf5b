"""`longhaul show`: what the compactions of a session gave, and what models said for them."""

import sys
from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import Literal, TypeAlias

import click

from longhaul.cli import call_lines, json_records, step_lines, terminal
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
from longhaul.compaction.history import Step, find_steps
from longhaul.config import load_config
from longhaul.pi.sessions import Session, load_session

View: TypeAlias = Literal["state", "diffs", "rebuild"] | None
"""What is shown instead of the list."""


@click.command()
@SESSION
@AGENT_DIR
@AS_JSON
@click.option("--state", "view", flag_value="state", help="Show the state at its end instead.")
@click.option("--diffs", "view", flag_value="diffs", help="Show what models said, and the cost.")
@click.option(
    "--rebuild",
    "view",
    flag_value="rebuild",
    help="Build each state from the entries and diffs; ends with 1 where a carried one differs.",
)
def show(*, session: FilePath, agent_dir: FilePath | None, as_json: bool, view: View) -> None:
    """List the compactions of SESSION.

    For each its cut, its span, and what the state gained, lost and lifted there, whoever made it.
    """
    config = load_config(agent_folder(agent_dir))
    loaded = load_session(session)
    with output():
        if view == "state":
            options = CompactOptions(ask_tools=config.ask_tools, budget_chars=config.budget_chars)
            _print_state(loaded, render_whole(loaded.path, options).text, as_json=as_json)
        else:
            steps = list(find_steps(loaded.path, ask_tools=config.ask_tools))
            _print_steps(steps, view, as_json=as_json)
            if view == "rebuild" and any(step.differences for step in steps):
                sys.exit(1)
        print_notes(loaded, [*terminal.reading_lines(loaded), *config.complaints])


def _print_state(session: Session, text: str, *, as_json: bool) -> None:
    if as_json:
        print_json(json_records.state_record(session, text))
    else:
        click.echo(text)


def _print_steps(steps: Sequence[Step], view: View, *, as_json: bool) -> None:
    if as_json:
        print_json([json_records.step_record(number, step) for number, step in enumerate(steps, 1)])
    elif view == "diffs":
        call_lines.print_calls(terminal.make_console(), steps)
    elif view == "rebuild":
        call_lines.print_rebuilt(terminal.make_console(), steps)
    else:
        step_lines.print_steps(terminal.make_console(), steps)
