"""Plays as tests write them, and a recording of one in the real sandbox."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from longhaul.compaction.completion import CompletionRequest
from longhaul.models.scripted import ScriptedModel
from longhaul.record.driving import Patience, Progress
from longhaul.record.machine import Machine, find_machine
from longhaul.record.play_file import load_play
from longhaul.record.recording import Plan, Recording, note_on, record_session
from longhaul.record.sandbox import Label
from longhaul.record.script import PlayScript
from longhaul.record.sources import summarise_with
from tests.pinned import NODE, PI

SUMMARY = "## Goal\nCount lines.\n"
PATIENCE = Patience(stall_s=60, turn_s=120)
PROBE = ("bwrap", "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true")


def why_no_sandbox() -> str:
    """Return why bubblewrap cannot run here; empty where it can."""
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed"
    done = subprocess.run(PROBE, capture_output=True, text=True, check=False)
    return done.stderr.strip()


needs_sandbox = pytest.mark.skipif(
    bool(why_no_sandbox()), reason=f"no sandbox here: {why_no_sandbox()}"
)


def bash(command: str, **step: Any) -> dict[str, Any]:
    """Return a step that runs a command."""
    return {"tools": [{"bash": {"command": command}}], **step}


def say(text: str, **step: Any) -> dict[str, Any]:
    """Return a step that ends a turn."""
    return {"text": text, **step}


def turn(user: str, *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"user": user, "steps": list(steps), **more}


def play_record(*turns: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a play named `tiny` whose session is compacted at about 4,000 tokens."""
    limits = {"name": "tiny", "window": 10_000, "reserve": 4_000, "keep_recent": 500}
    return {**limits, **more, "turns": list(turns)}


def save_play(folder: Path, record: object, name: str = "tiny.play.yaml") -> Path:
    path = folder / name
    path.write_text(yaml.safe_dump(record, sort_keys=False), encoding="utf-8")
    return path


def machine() -> Machine:
    return find_machine({"PATH": os.pathsep.join((str(NODE.parent), os.defpath))}, pi=PI)


def record(
    path: Path,
    *,
    patience: Patience = PATIENCE,
    on_progress: Callable[[Progress], None] = lambda _: None,
    summary: Callable[[CompletionRequest], str] = lambda _: SUMMARY,
    stops: bool = True,
) -> Recording:
    """Record a play; `summary` is the model of its compactions, a misfit ends it if it `stops`."""
    play = load_play(path)
    plan = Plan(
        play=play,
        label=Label(provider="scripted", model_id="scripted"),
        about=note_on(play, assistant="scripted", summaries="scripted", extensions=()),
        script=PlayScript(),
        summarise=summarise_with(ScriptedModel(summary)),
        extensions=tuple((path.parent / one).resolve() for one in play.extensions),
        patience=patience,
        stops_at_problem=stops,
    )
    return record_session(plan, machine(), on_progress=on_progress)
