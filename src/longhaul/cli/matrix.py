"""`longhaul matrix`: whether a compaction goes through with a model, which then goes on."""

import os
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path as FilePath
from typing import Any

import click

from longhaul.cli import matrix_lines, terminal
from longhaul.cli.conventions import AS_JSON, Minutes, local_pi, output, print_json
from longhaul.compaction.completion import THINKING_LEVELS, ThinkingLevel
from longhaul.compaction.render.quoting import plain
from longhaul.config.keys import MAX_DEADLINE_S
from longhaul.errors import ModelError
from longhaul.evals.matrix import Cell, Row, run_cell
from longhaul.evals.matrix_session import Setup
from longhaul.evals.matrix_task import Task
from longhaul.models.opening import open_model
from longhaul.models.reasoning import Reasoning, find_reasoning
from longhaul.models.specs import BatchSpec, ProviderSpec, parse_spec
from longhaul.pi.installed_pi import InstalledPi, find_installed_pi

_MINUTE_S = 60.0
_N_BYTES = 4
"""Of chance in each name that has to be recalled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixCommand:
    """What the user asked for."""

    specs: tuple[str, ...]
    thinking: tuple[ThinkingLevel, ...]
    window: int
    reply_limit: float
    pi: FilePath | None
    as_json: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Trial:
    """What one row runs with."""

    cell: Cell
    setup: Setup
    reasoning: Reasoning


@click.command()
@click.option(
    "--model",
    "specs",
    metavar="MODEL",
    required=True,
    multiple=True,
    help="Who is tested: provider/model-id[:thinking], local:FILE.gguf, local:smollm2 or"
    " batch:FOLDER?wait=SECONDS; as often as wanted.",
)
@click.option(
    "--thinking",
    type=click.Choice(THINKING_LEVELS),
    multiple=True,
    help="A row at this level for each model that names none; as often as wanted."
    "  [default: the model's own]",
)
@click.option(
    "--window",
    type=click.IntRange(min=4_096),
    default=32_768,
    show_default=True,
    help="The models' context window, in tokens.",
)
@click.option(
    "--reply-limit",
    type=Minutes(most=MAX_DEADLINE_S / _MINUTE_S),
    default=5.0,
    show_default=True,
    help="Minutes that a model has for a reply; batch: says its own.",
)
@click.option(
    "--pi", type=click.Path(path_type=FilePath), help="The pi to run.  [default: the PATH's]"
)
@AS_JSON
def matrix(**given: Any) -> None:
    """Test models on a short session of real pi with Longhaul in it.

    Scripted turns run a command that prints a value, and give a rule. Then pi compacts, and a pi
    that resumes the session asks for both. The compaction and that answer are the model's own. A
    row passes where the compaction is Longhaul's, the model's word was used, and value and rule
    are in the answer.

    pi runs with folders of its own that are removed again; keys never reach it, and the model runs
    nothing on this machine.

    Ends with 1 where a row does not pass.
    """
    command = MatrixCommand(**given)
    pi = find_installed_pi(os.environ, pi=command.pi or local_pi())
    rows = _run([_trial(command, cell, pi) for cell in _cells(command)])
    with output():
        _print(rows, pi, as_json=command.as_json)
    if not all(row.passed for row in rows):
        sys.exit(1)


def _cells(command: MatrixCommand) -> Iterator[Cell]:
    """Yield the rows to make; a model's own level counts before --thinking."""
    for spec in command.specs:
        named = parse_spec(spec)
        if isinstance(named, BatchSpec) and not named.wait_s:
            raise ModelError(
                f"{spec}: pi waits for no reply of tomorrow; name it batch:FOLDER?wait=SECONDS"
            )
        own = named.thinking if isinstance(named, ProviderSpec) else None
        for level in (own,) if own else command.thinking or (None,):
            yield Cell(spec=spec, thinking=level)


def _trial(command: MatrixCommand, cell: Cell, pi: InstalledPi) -> _Trial:
    """Return what a row runs with; the model is opened, and not asked yet."""
    reply_limit_s = command.reply_limit * _MINUTE_S
    setup = Setup(
        pi=pi,
        model=open_model(cell.spec, timeout_s=reply_limit_s, environment=os.environ),
        window_tokens=command.window,
        reply_limit_s=reply_limit_s,
    )
    return _Trial(cell=cell, setup=setup, reasoning=find_reasoning(cell.spec, os.environ))


def _run(trials: Sequence[_Trial]) -> tuple[Row, ...]:
    rows: list[Row] = []
    with _progress(len(trials)) as say:
        for number, trial in enumerate(trials, 1):
            row = run_cell(
                trial.cell,
                trial.reasoning,
                trial.setup,
                _task(),
                on_step=partial(say, number, trial.cell),
            )
            say(number, trial.cell, "pass" if row.passed else "fail")
            rows.append(row)
    return tuple(rows)


def _task() -> Task:
    """Return a task whose names are chance: what a model says rightly, it has from the session."""
    return Task(
        value=f"bld-{secrets.token_hex(_N_BYTES)}",
        file=f"settings-{secrets.token_hex(_N_BYTES)}.toml",
    )


@contextmanager
def _progress(n_rows: int) -> Iterator[Callable[[int, Cell, str], None]]:
    """Show what is done: on a terminal in one line, elsewhere a line for each step."""
    console = terminal.make_console(stderr=True)

    def text(number: int, cell: Cell, doing: str) -> str:
        return f"{number} of {n_rows}, {plain(str(cell))}: {doing}"

    if not console.is_terminal:
        yield lambda *now: terminal.print_texts(console, [text(*now)])
        return
    with console.status("starting; Ctrl-C ends it") as status:
        yield lambda *now: status.update(f"{text(*now)}; Ctrl-C ends it")


def _print(rows: Sequence[Row], pi: InstalledPi, *, as_json: bool) -> None:
    if as_json:
        print_json(matrix_lines.matrix_record(rows, pi))
        return
    console = terminal.make_console()
    console.print(matrix_lines.matrix_table(rows))
    terminal.print_texts(console, matrix_lines.failure_lines(rows))
