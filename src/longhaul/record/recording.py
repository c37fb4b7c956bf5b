"""A recording from its play to the session file: sandbox, endpoint, pi, turn by turn."""

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from longhaul.compaction.report_text import count
from longhaul.errors import PiError
from longhaul.pi.chat import Answer
from longhaul.pi.process import PiProcess
from longhaul.record.driving import Driver, Patience, Progress, RecordError
from longhaul.record.endpoint import Endpoint
from longhaul.record.machine import LonghaulInside, Machine
from longhaul.record.plays import Play
from longhaul.record.sandbox import Label, RunFolder, prepare, sandbox_command
from longhaul.record.script import PlayProblem, PlayScript
from longhaul.record.sources import Script, Sources
from longhaul.transcript.entries import JsonValue

_MAX_FOLDER_BYTES = 70
"""A socket's path has at most 107 bytes."""
_START_S = 60.0
"""For pi's start, and for its answer to a command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is recorded, and how."""

    play: Play
    label: Label
    about: Mapping[str, JsonValue]
    """What the session says of its own making."""
    script: PlayScript | Script
    summarise: Answer
    extensions: tuple[Path, ...] = ()
    longhaul: LonghaulInside | None = None
    """Longhaul's own extension, where it compacts."""
    patience: Patience
    stops_at_problem: bool = True
    """False goes on, so that all problems of a play are found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What came out."""

    session: bytes
    """The session file as pi wrote it."""
    n_turns: int
    n_compactions: int
    captured: Mapping[str, str]
    problems: tuple[PlayProblem, ...]
    notes: tuple[PlayProblem | str, ...] = ()
    """What is no error and may be a slip: tools that failed, models that gave no summary."""
    aborted: tuple[int, ...]
    """Numbers of the turns that stalled and were aborted."""


def note_on(
    play: Play, *, assistant: str, summaries: str, extensions: Sequence[str]
) -> dict[str, JsonValue]:
    """Return what a session says of its own making: the entry `recording` near its start.

    `assistant` and `summaries` name the models behind them, `extensions` the files loaded. With it
    stand the limits, in tokens: where pi cut depends on them, and pi writes them nowhere.
    """
    return {
        "assistant": assistant,
        "summaries": summaries,
        "extensions": list(extensions),
        "window": play.window_tokens,
        "reserveTokens": play.reserve_tokens,
        "keepRecentTokens": play.keep_recent_tokens,
        "longhaul": metadata.version("pi-longhaul"),
    }


def record_session(
    plan: Plan, machine: Machine, *, on_progress: Callable[[Progress], None] = lambda _: None
) -> Recording:
    """Record a session; when this ends, however it does, no process and no file is left of it.

    Raises:
        RecordError: it cannot go on, or the play does not fit and `plan` stops there.
        OSError: the folder for temporary files cannot be written.
    """
    with ExitStack() as stack:
        root = stack.enter_context(
            tempfile.TemporaryDirectory(prefix="longhaul-", dir=_find_short_folder())
        )
        # Removed twice: what a signal keeps the first from removing, the second one does.
        stack.callback(shutil.rmtree, root, ignore_errors=True)
        folder = RunFolder(root=Path(root))
        prepare(folder, plan.play, plan.label, dict(plan.about), plan.longhaul)
        sources = Sources(plan.script, plan.summarise)
        stack.enter_context(Endpoint(folder.socket, sources.answer))
        pi = stack.enter_context(_start(plan, machine, folder))
        # What a tool call is doing is not waited for where nothing comes of it any more.
        stack.push(lambda kind, *_: pi.kill() if kind else None)
        driver = _drive(plan, pi, sources, on_progress)
        pi.close()
        return Recording(
            session=_read_session(folder),
            n_turns=len(plan.play.turns),
            n_compactions=driver.progress.n_compactions,
            captured=plan.script.captured if isinstance(plan.script, PlayScript) else {},
            problems=_problems(plan, driver),
            notes=(*driver.notes, *_unanswered(sources)),
            aborted=tuple(driver.aborted),
        )


def _find_short_folder() -> str:
    """Return the folder for temporary files, or /tmp where its name leaves a socket no room."""
    usual = tempfile.gettempdir()
    return usual if len(os.fsencode(usual)) <= _MAX_FOLDER_BYTES else "/tmp"


def _start(plan: Plan, machine: Machine, folder: RunFolder) -> PiProcess:
    command = sandbox_command(
        machine, folder, plan.play, plan.label, plan.extensions, plan.longhaul
    )
    return PiProcess(command, cwd=Path("/"), environment={}, timeout_s=_START_S)


def _drive(
    plan: Plan, pi: PiProcess, sources: Sources, on_progress: Callable[[Progress], None]
) -> Driver:
    driver = Driver(
        pi=pi,
        script=plan.script if isinstance(plan.script, PlayScript) else None,
        patience=plan.patience,
        progress=Progress(turn=0, n_turns=len(plan.play.turns)),
        on_progress=on_progress,
    )
    for number, turn in enumerate(plan.play.turns, 1):
        try:
            driver.run(number, turn)
        except (RecordError, PiError) as error:
            # What the model itself said is nearer to the cause than what pi makes of it.
            if sources.failures:
                raise RecordError(f"u{number}: {sources.failures[-1]}") from error
            if isinstance(error, PiError):
                raise RecordError(f"u{number}: {error}") from error
            raise
        problems = _problems(plan, driver)
        if problems and plan.stops_at_problem:
            raise RecordError(f"the play does not fit; {'; '.join(map(str, problems))}")
    return driver


def _problems(plan: Plan, driver: Driver) -> tuple[PlayProblem, ...]:
    script = plan.script.problems if isinstance(plan.script, PlayScript) else []
    return (*script, *driver.problems)


def _unanswered(sources: Sources) -> Iterator[str]:
    """Yield how often a model failed that somebody went on without: an extension may."""
    for text, number in Counter(map(str, sources.failures)).items():
        yield f"{count(number, 'request')} to a model without a reply: {text}"


def _read_session(folder: RunFolder) -> bytes:
    files = list(folder.sessions.rglob("*.jsonl"))
    if len(files) != 1:
        raise RecordError(f"pi has written {len(files)} session files; one was to come")
    return files[0].read_bytes()
