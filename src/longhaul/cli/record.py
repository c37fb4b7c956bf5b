"""`longhaul record`: a play, or a live model, through real pi in a sandbox."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path as FilePath
from types import FrameType
from typing import Any

import click
from rich.console import Console

from longhaul.cli import record_lines, terminal
from longhaul.cli.conventions import AS_JSON, Minutes, local_pi, output, print_json
from longhaul.cli.record_command import LONGHAUL, RecordCommand, build_plan
from longhaul.models.installing import pip_command
from longhaul.pi.locate import find_own_programs
from longhaul.record.driving import RecordError
from longhaul.record.machine import Machine, find_machine
from longhaul.record.play_notes import find_unfilled
from longhaul.record.plays import Play
from longhaul.record.recording import Plan, Recording, record_session
from longhaul.record.saving import require_target, save_session

_MINUTES = Minutes(most=7 * 24 * 60)
_ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@click.command()
@click.argument("play", type=click.Path(exists=True, path_type=FilePath))
@click.option(
    "--out",
    type=click.Path(path_type=FilePath, file_okay=False),
    help="Folder that NAME.jsonl is written to.  [default: this one]",
)
@click.option("--model", metavar="MODEL", help="Let this model do the work instead of the play.")
@click.option(
    "--summary-model",
    metavar="MODEL",
    help="Who writes the summaries of compactions.  [default: --model]",
)
@click.option("--label", metavar="NAME/ID", help="What the session calls the model of its answers.")
@click.option("--summary-label", metavar="NAME", help="What it calls the model of the summaries.")
@click.option(
    "--extension",
    multiple=True,
    metavar="FILE",
    help=f"A pi extension to load, one that compacts say; `{LONGHAUL}` is Longhaul's own.",
)
@click.option("--check", is_flag=True, help="Say whether the play still runs; write nothing.")
@click.option("--overwrite", is_flag=True, help="Replace a session file that is there.")
@click.option(
    "--reply-limit",
    type=_MINUTES,
    default=10.0,
    show_default=True,
    help="Minutes that a model has for a reply; batch: says its own.",
)
@click.option(
    "--stall",
    type=_MINUTES,
    default=10.0,
    show_default=True,
    help="Minutes without an event after which a turn is aborted.",
)
@click.option(
    "--turn-limit",
    type=_MINUTES,
    default=90.0,
    show_default=True,
    help="Minutes after which a turn fails the recording.",
)
@click.option(
    "--pi",
    type=click.Path(path_type=FilePath),
    help="The pi to run.  [default: that of this folder's node_modules, else the PATH's]",
)
@AS_JSON
def record(**given: Any) -> None:
    """Record a session of real pi with PLAY, a play or a scenario.

    pi runs in a sandbox without a network, every tool call for real. A play says what the user and
    the model say; with --model, only its user turns count and that model does the work. MODEL is
    provider/model-id, local:FILE.gguf, local:smollm2 or batch:FOLDER?wait=SECONDS.

    Ends with 1 where the play does not fit what pi did, or the recording failed; then no session is
    written.
    """
    command = RecordCommand(**given)
    play = _load(command.play)
    console = terminal.make_console(stderr=True)
    terminal.print_texts(console, record_lines.note_lines(play.complaints))
    plan = build_plan(command, play, say=partial(terminal.print_aside, console))
    unfilled = find_unfilled(play) if command.model is None else ()
    terminal.print_texts(console, record_lines.note_lines(unfilled))
    target = (command.out or FilePath()) / f"{play.name}.jsonl"
    if not command.check:
        require_target(target, overwrite=command.overwrite)
    machine = find_machine(os.environ, pi=command.pi or local_pi(), beside=find_own_programs())
    with _ended_by_signals():
        recording = _record(plan, machine, console)
        if not command.check:
            save_session(target, recording.session)
    terminal.print_texts(console, record_lines.note_lines(recording.notes))
    recording = replace(recording, notes=(*unfilled, *recording.notes))
    with output():
        _print(recording, None if command.check else target, as_json=command.as_json)
    if recording.problems:
        sys.exit(1)


def _record(plan: Plan, machine: Machine, console: Console) -> Recording:
    try:
        with record_lines.progress(console) as on_progress:
            return record_session(plan, machine, on_progress=on_progress)
    except (KeyboardInterrupt, SystemExit):
        terminal.print_aside(console, "stopped; no session was written")
        raise


def _load(path: FilePath) -> Play:
    try:
        from longhaul.record.play_file import load_play  # noqa: PLC0415 - yaml is an extra's
    except ModuleNotFoundError as error:
        raise RecordError(
            f"recording needs an extra: {pip_command('pi-longhaul[eval]')}"
        ) from error
    return load_play(path)


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """End as Ctrl-C does where the terminal goes or another process says so."""

    def end(number: int, _: FrameType | None) -> None:
        # Nothing may cut short what is done from now on, a second Ctrl-C say: that is cleaning up.
        for kind in _ENDINGS:
            signal.signal(kind, signal.SIG_IGN)
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)

    # A job in the background ignores Ctrl-C's signal; sent to it all the same, it is meant.
    before = {kind: signal.signal(kind, end) for kind in _ENDINGS}
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is end:
            for kind, handler in before.items():
                signal.signal(kind, handler)


def _print(recording: Recording, target: FilePath | None, *, as_json: bool) -> None:
    if as_json:
        print_json(record_lines.recording_record(recording, target))
        return
    console = terminal.make_console()
    console.print(record_lines.recording_table(recording, target))
    terminal.print_texts(console, record_lines.problem_lines(recording, target))
