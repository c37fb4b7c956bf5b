"""What `longhaul record` was asked for, and the recording that this plans."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path as FilePath

import click

from longhaul.compaction.compact import Model
from longhaul.errors import ModelError
from longhaul.models.opening import open_model
from longhaul.models.specs import BatchSpec, LocalSpec, ModelSpec, parse_spec
from longhaul.pi.chat import Answer
from longhaul.record.driving import Patience
from longhaul.record.fields import show
from longhaul.record.live import LiveModel
from longhaul.record.machine import find_longhaul
from longhaul.record.plays import Play
from longhaul.record.recording import Plan, note_on
from longhaul.record.sandbox import Label
from longhaul.record.script import LABEL, PlayScript
from longhaul.record.sources import refuse_summary, stand_in_summary, summarise_with

LONGHAUL = "longhaul"
"""Instead of a file of an extension: Longhaul's own."""
_MAX_LABEL_CHARS = 200
_AFTER_WAIT_S = 30.0
"""What a stall leaves a model of files beyond its own time, so that this ends it and says why."""


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


def build_plan(command: RecordCommand, play: Play, *, say: Callable[[str], None]) -> Plan:
    """Return how `play` is recorded; models are opened, and none is asked yet.

    `say` is told what a model that is answered in files waits for.

    Raises:
        ModelError: a model cannot be opened.
        click.UsageError: a file is missing, a name is of no model, a model cannot answer while pi
            waits, or two options contradict each other.
    """
    if command.model is None and not play.is_scripted:
        raise click.UsageError(
            f"no turn of {show(str(command.play))} has `steps`, so it is a scenario; name who does"
            " the work with --model, or give the turns their steps"
        )
    if command.check and command.model:
        raise click.UsageError("--check is about a play's own steps; leave --model out")
    _require_summaries(command)
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
        script=LiveModel(_open(command.model, command, say)) if command.model else PlayScript(),
        summarise=_summarise(command, say),
        extensions=tuple(
            _existing(path)
            for path in (
                *(command.play.parent / one for one in play.extensions),
                *map(FilePath, files),
            )
        ),
        longhaul=find_longhaul() if LONGHAUL in command.extension else None,
        patience=Patience(stall_s=_stall_s(command), turn_s=command.turn_limit * 60),
        stops_at_problem=not command.check,
    )


def _require_summaries(command: RecordCommand) -> None:
    """Refuse to let Longhaul compact without a model: each of its calls would fail, one by one."""
    if LONGHAUL in command.extension and not (
        command.check or command.model or command.summary_model
    ):
        raise click.UsageError(
            f"--extension {LONGHAUL} asks a model at each compaction; name it with --summary-model"
        )


def _stall_s(command: RecordCommand) -> float:
    """Return how many seconds without an event are a stall; waiting for files is none."""
    specs = (command.model, command.summary_model)
    found = [_parse(spec) for spec in specs if spec]
    waits = [one.wait_s + _AFTER_WAIT_S for one in found if isinstance(one, BatchSpec)]
    return max([command.stall * 60, *waits])


def _existing(path: FilePath) -> FilePath:
    if not path.is_file():
        raise click.UsageError(
            f"{show(str(path))} is no file; --extension and a play's extensions name files"
        )
    return path.resolve()


def _labels(command: RecordCommand) -> tuple[str, str]:
    label = command.label or (_label_of(command.model) if command.model else LABEL)
    provider, _, model_id = label.partition("/")
    if not (provider.strip() and model_id.strip() and _is_a_name(label)):
        raise click.UsageError("--label takes a provider and a model: example/model-27b")
    spec = command.summary_model or command.model
    summaries = command.summary_label or (_label_of(spec) if spec else "none")
    if not _is_a_name(summaries):
        raise click.UsageError("--summary-label takes a name of a model: example/model-27b")
    return label, "a stand-in" if command.check else summaries


def _is_a_name(text: str) -> bool:
    """Return whether `text` may stand in a session as a model's name: on one line, not too long."""
    return text.isprintable() and len(text) <= _MAX_LABEL_CHARS


def _label_of(spec: str) -> str:
    """Return a model's name as it may stand in a session: without paths of this machine."""
    match _parse(spec):
        case LocalSpec(path=path):
            return f"local/{path.stem if path else 'smollm2'}"
        case BatchSpec(folder=folder):
            return f"batch/{folder.name}"
    return spec


def _summarise(command: RecordCommand, say: Callable[[str], None]) -> Answer:
    if command.check:
        return stand_in_summary
    spec = command.summary_model or command.model
    return summarise_with(_open(spec, command, say)) if spec else refuse_summary


def _parse(spec: str) -> ModelSpec:
    try:
        return parse_spec(spec)
    except ModelError as error:
        raise click.UsageError(str(error)) from error


def _open(spec: str, command: RecordCommand, say: Callable[[str], None]) -> Model:
    found = _parse(spec)
    if isinstance(found, BatchSpec) and not found.wait_s:
        raise click.UsageError(
            f"{show(spec)}: a recording cannot be gone on with later, so it has to wait for its"
            " replies: batch:FOLDER?wait=SECONDS"
        )
    return open_model(spec, timeout_s=command.reply_limit * 60, environment=os.environ, say=say)
