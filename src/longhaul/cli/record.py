"""`longhaul record`: a play, or a live model, through real pi in a sandbox."""

import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path as FilePath
from types import FrameType
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from longhaul.cli import terminal
from longhaul.cli.conventions import AS_JSON, output, print_json
from longhaul.compaction.render.quoting import plain
from longhaul.models.installing import pip_command
from longhaul.models.opening import open_model
from longhaul.models.specs import BatchSpec, LocalSpec, parse_spec
from longhaul.record.driving import Patience, Progress, RecordError
from longhaul.record.live import LiveModel
from longhaul.record.machine import find_longhaul, find_machine
from longhaul.record.plays import Play
from longhaul.record.recording import Plan, Recording, note_on, record_session
from longhaul.record.sandbox import Label
from longhaul.record.script import PlayScript
from longhaul.record.sources import Answer, refuse_summary, stand_in_summary, summarise_with

LONGHAUL = "longhaul"
"""Instead of a file of an extension: Longhaul's own."""
_SCRIPTED = "scripted/scripted"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordCommand:
    """What the user asked for."""

    play: FilePath
    out: FilePath | None
    model: str | None
    summary_model: str | None
    label: str | None
    summary_label: str | None
    extension: tuple[str, ...]
    check: bool
    overwrite: bool
    reply_limit: float
    stall: float
    turn_limit: float
    pi: FilePath | None
    as_json: bool


_MINUTES = click.FloatRange(min=0, min_open=True)


@click.command()
@click.argument("play", type=click.Path(path_type=FilePath))
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
    "--pi", type=click.Path(path_type=FilePath), help="The pi to run.  [default: the PATH's]"
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
    terminal.print_texts(console, [plain(f"note: {one}") for one in play.complaints])
    plan = _plan(command, play)
    target = _target(command, play)
    machine = find_machine(os.environ, pi=command.pi or _local_pi())
    with _ended_by_signals(), _progress(console) as on_progress:
        recording = record_session(plan, machine, on_progress=on_progress)
    if not command.check:
        _save(target, recording)
    with output():
        _print(command, recording, target)
    if recording.problems:
        sys.exit(1)


def _load(path: FilePath) -> Play:
    try:
        from longhaul.record.play_file import load_play  # noqa: PLC0415 - yaml is an extra's
    except ModuleNotFoundError as error:
        raise RecordError(
            f"recording needs an extra: {pip_command('pi-longhaul[eval]')}"
        ) from error
    return load_play(path)


def _plan(command: RecordCommand, play: Play) -> Plan:
    if command.model is None and not play.is_scripted:
        raise RecordError(
            f"{command.play} is a scenario, user turns alone; name who does the work with --model"
        )
    if command.check and command.model:
        raise click.UsageError("--check is about a play's own steps; leave --model out")
    label, summaries = _labels(command)
    provider, _, model_id = label.partition("/")
    files = [one for one in command.extension if one != LONGHAUL]
    return Plan(
        play=play,
        label=Label(provider=provider, model_id=model_id),
        about=note_on(
            play,
            assistant=label,
            summaries=summaries,
            extensions=[FilePath(one).name for one in (*play.extensions, *command.extension)],
        ),
        script=LiveModel(_open(command.model, command)) if command.model else PlayScript(),
        summarise=_summarise(command),
        extensions=tuple(
            _existing(path)
            for path in (
                *(command.play.parent / one for one in play.extensions),
                *map(FilePath, files),
            )
        ),
        longhaul=find_longhaul() if LONGHAUL in command.extension else None,
        patience=Patience(stall_s=command.stall * 60, turn_s=command.turn_limit * 60),
        stops_at_problem=not command.check,
    )


def _existing(path: FilePath) -> FilePath:
    if not path.is_file():
        raise RecordError(f"{path} is no file; --extension and a play's extensions name files")
    return path.resolve()


def _labels(command: RecordCommand) -> tuple[str, str]:
    label = command.label or (_label_of(command.model) if command.model else _SCRIPTED)
    provider, _, model_id = label.partition("/")
    if not provider or not model_id:
        raise click.UsageError("--label takes a provider and a model: example/model-27b")
    spec = command.summary_model or command.model
    summaries = command.summary_label or (_label_of(spec) if spec else "none")
    return label, "a stand-in" if command.check else summaries


def _label_of(spec: str) -> str:
    """Return a model's name as it may stand in a session: without paths of this machine."""
    match parse_spec(spec):
        case LocalSpec(path=path):
            return f"local/{path.stem if path else 'smollm2'}"
        case BatchSpec(folder=folder):
            return f"batch/{folder.name}"
    return spec


def _summarise(command: RecordCommand) -> Answer:
    if command.check:
        return stand_in_summary
    spec = command.summary_model or command.model
    return summarise_with(_open(spec, command)) if spec else refuse_summary


def _open(spec: str, command: RecordCommand) -> Any:
    found = parse_spec(spec)
    if isinstance(found, BatchSpec) and not found.wait_s:
        raise RecordError(
            f"{spec}: a recording cannot be gone on with later, so it has to wait for its replies:"
            " batch:FOLDER?wait=SECONDS"
        )
    return open_model(spec, timeout_s=command.reply_limit * 60, environment=os.environ)


def _target(command: RecordCommand, play: Play) -> FilePath:
    target = (command.out or FilePath()) / f"{play.name}.jsonl"
    if not command.check and not target.parent.is_dir():
        raise RecordError(f"{target.parent} is no folder; make it, or name another with --out")
    if not command.check and target.exists() and not command.overwrite:
        raise RecordError(f"{target} is there already; replace it with --overwrite")
    if not command.check:
        _require_writable(target.parent)
    return target


def _require_writable(folder: FilePath) -> None:
    """Refuse a folder that cannot be written before hours of recording, not after them."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return
    except OSError as error:
        raise RecordError(
            f"cannot write to {folder}: {error.strerror}; name another folder with --out"
        ) from error


def _local_pi() -> FilePath | None:
    """Return the pi of the current folder's node_modules, which a clone has, or None."""
    local = FilePath("node_modules", ".bin", "pi")
    return local if local.exists() else None


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """End as Ctrl-C does where the terminal goes or another process says so."""

    def end(number: int, _: FrameType | None) -> None:
        raise SystemExit(128 + number)

    # A job in the background ignores Ctrl-C's signal; sent to it all the same, it is meant.
    handlers = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: end, signal.SIGHUP: end}
    before = {kind: signal.signal(kind, handler) for kind, handler in handlers.items()}
    try:
        yield
    finally:
        for kind, handler in before.items():
            signal.signal(kind, handler)


@contextmanager
def _progress(console: Console) -> Iterator[Any]:
    """Show how far the recording is: on a terminal in one line, elsewhere one for each turn."""
    if not console.is_terminal:
        yield lambda progress: _print_turn(console, progress)
        return
    with console.status("starting pi in the sandbox; Ctrl-C ends it") as status:
        yield lambda progress: status.update(progress_text(progress))


def _print_turn(console: Console, progress: Progress) -> None:
    if progress.step == 0 and not progress.is_compacting:
        terminal.print_texts(console, [progress_text(progress)])


def progress_text(progress: Progress) -> str:
    """Return how far a recording is, in a line."""
    doing = ", compacting" if progress.is_compacting else ""
    return (
        f"turn {progress.turn} of {progress.n_turns}, step {progress.step + 1},"
        f" {progress.tokens:,} tokens, {progress.n_compactions} compactions{doing}"
    )


def _save(target: FilePath, recording: Recording) -> None:
    """Write the session in one step: a file of that name is always a whole one."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    temporary = FilePath(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(recording.session)
        temporary.chmod(0o644)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _print(command: RecordCommand, recording: Recording, target: FilePath) -> None:
    problems = [plain(str(one)) for one in recording.problems]
    if command.as_json:
        print_json(
            {
                "session": None if command.check else str(target),
                "turns": recording.n_turns,
                "compactions": recording.n_compactions,
                "abortedTurns": list(recording.aborted),
                "captured": dict(recording.captured),
                "problems": list(problems),
            }
        )
        return
    console = terminal.make_console()
    table = Table(show_header=False)
    table.add_row("session", "not written (--check)" if command.check else plain(str(target)))
    table.add_row("turns", str(recording.n_turns))
    table.add_row("compactions", str(recording.n_compactions))
    stalled = ", ".join(f"u{number}" for number in recording.aborted)
    table.add_row("aborted after a stall", stalled or "none")
    for name, value in recording.captured.items():
        table.add_row(f"captured {name}", plain(value))
    console.print(table)
    terminal.print_texts(
        console, problems or ["the play fits: every step was used"] * command.check
    )
