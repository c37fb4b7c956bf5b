"""How far a run of the harness is: on a terminal a bar with the time left, elsewhere lines."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from longhaul.cli import terminal
from longhaul.compaction.render.quoting import plain
from longhaul.compaction.report_text import count
from longhaul.evals.cases import NotScored
from longhaul.evals.rows import Row
from longhaul.evals.score_run import Event, SessionBegun, SessionEnded

_QUIET_S = 60.0
"""So long nothing is said where no bar shows how far a session is."""


class ScoreProgress:
    """Takes the events of a run, and shows how many sessions of how many are done."""

    def __init__(
        self, console: Console, n_sessions: int, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Show nothing before the first event; `clock` gives seconds."""
        self._clock = clock
        self._said_at = clock()
        self._console = console
        self._n_sessions = n_sessions
        self._n_steps = dict[str, int]()
        self._n_left = dict[str, int]()
        self._n_rows = self._n_ended = 0
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("reading sessions", total=n_sessions)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the bar inside the block."""
        with self._bar:
            yield

    def take(self, event: Event) -> None:
        """Show an event."""
        if isinstance(event, SessionBegun):
            self._n_steps[event.name] = self._n_left[event.name] = event.n_steps
        elif isinstance(event, SessionEnded):
            self._end(event.name)
        else:
            self._n_rows += isinstance(event, Row)
            key = event if isinstance(event, NotScored) else event.key
            self._step(key.session, 1)
        self._bar.update(self._task, description=self._text())
        self._say_now_and_then()

    def take_scoring(self, name: str) -> None:
        """Show that the rows of a session are judged."""
        self._bar.update(self._task, description=f"judging {plain(name)}")

    def _step(self, name: str, n: int) -> None:
        """Count steps of a session; one that was never begun has none."""
        if self._n_left.get(name):
            self._n_left[name] -= n
            self._bar.advance(self._task, n / self._n_steps[name])

    def _end(self, name: str) -> None:
        self._n_ended += 1
        if name in self._n_left:
            self._step(name, self._n_left[name])
        if not self._n_steps.get(name):
            self._bar.advance(self._task, 1)
        self._say(f"{self._n_ended:,} of {count(self._n_sessions, 'session')}: {name}")

    def _say_now_and_then(self) -> None:
        if self._clock() - self._said_at < _QUIET_S:
            return
        steps = (
            f"{name} {total - self._n_left[name]:,} of {count(total, 'step')}"
            for name, total in self._n_steps.items()
            if self._n_left[name] < total and self._n_left[name]
        )
        self._say(", ".join((count(self._n_rows, "row"), *steps)))

    def _say(self, text: str) -> None:
        self._said_at = self._clock()
        if not self._console.is_terminal:
            terminal.print_texts(self._console, [plain(text)])

    def _text(self) -> str:
        sessions = f"{self._n_ended:,} of {count(self._n_sessions, 'session')}"
        return f"{sessions}, {count(self._n_rows, 'row')}; Ctrl-C stops, a rerun goes on"
