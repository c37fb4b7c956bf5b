"""One run of the harness: sessions replayed side by side, rows kept as they are made."""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from longhaul.evals.arms.listing import OpenArm
from longhaul.evals.cases import NotScored
from longhaul.evals.chains import Outcome
from longhaul.evals.replay import ReplayOptions, prepare_replay, replay
from longhaul.evals.rows import Row, RowKey
from longhaul.evals.run_folder import RunFolder
from longhaul.evals.store import Refuse, Store, StoredSession, load_unless_refused
from longhaul.pi.sessions import Session

_POLL_S = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionBegun:
    """A session was read."""

    name: str
    n_steps: int
    """Rows and lines about what is not scored that it will give, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEnded:
    """All of a session was replayed."""

    name: str


Event: TypeAlias = SessionBegun | SessionEnded | Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is replayed, and how."""

    store: Store
    """All that is there."""
    sessions: tuple[StoredSession, ...]
    """Those of it that are replayed."""
    options: ReplayOptions
    open_arms: Callable[[], Sequence[OpenArm]]
    """Called once for each worker, so that no two share a connection."""
    n_jobs: int
    refuse: Refuse | None
    """None where all are taken."""


class Replaying:
    """Workers that take one session after the other; their events come in the order of their time.

    Once nobody reads events any more they end after what they do just now, which is not kept.
    """

    def __init__(self, plan: Plan, folder: RunFolder) -> None:
        """Prepare; rows that `folder` holds are not made again, new ones are appended to it."""
        self._plan = plan
        self._folder = folder
        self._rows = folder.index_rows()
        self._left = queue.SimpleQueue[StoredSession]()
        self._events = queue.SimpleQueue[Event | Exception]()
        self._stopped = threading.Event()
        self._keeping = threading.Lock()
        """Held while a row is written, which the end of a run waits for: none is left half."""

    def run(self) -> Iterator[Event]:
        """Yield what happens, until every session is replayed.

        Raises:
            Exception: whatever a worker could not go on with, an arm that cannot be opened say.
        """
        for session in self._plan.sessions:
            self._left.put(session)
        n_workers = max(1, min(self._plan.n_jobs, len(self._plan.sessions)))
        for _ in range(n_workers):
            threading.Thread(target=self._work, daemon=True).start()
        try:
            yield from self._until_ended()
        finally:
            with self._keeping:
                self._stopped.set()

    def _until_ended(self) -> Iterator[Event]:
        n_open = len(self._plan.sessions)
        while n_open:
            try:
                event = self._events.get(timeout=_POLL_S)  # in slices, so that Ctrl-C is heard
            except queue.Empty:
                continue
            if isinstance(event, Exception):
                raise event
            n_open -= isinstance(event, SessionEnded)
            yield event

    def _work(self) -> None:
        try:
            arms = self._plan.open_arms()
            while not self._stopped.is_set():
                try:
                    session = self._left.get_nowait()
                except queue.Empty:
                    return
                self._replay(session, arms)
        except Exception as error:  # noqa: BLE001 - raised again where the events are read
            self._events.put(error)

    def _replay(self, stored: StoredSession, arms: Sequence[OpenArm]) -> None:
        session = load_unless_refused(stored, self._plan.refuse)
        if isinstance(session, NotScored):
            self._events.put(session)
        else:
            self._run_arms(stored.name, session, arms)
        self._events.put(SessionEnded(name=stored.name))

    def _run_arms(self, name: str, session: Session, arms: Sequence[OpenArm]) -> None:
        options = self._plan.options
        prepared = prepare_replay(name, session, options)
        n_steps = len(prepared.cases) * len(arms) * options.n_repeats + len(prepared.left_out)
        self._events.put(SessionBegun(name=name, n_steps=n_steps))
        known: dict[RowKey, Row | None] = {}

        def find(key: RowKey) -> Row | None:
            known[key] = self._rows.find(key)
            return known[key]

        for outcome in replay(prepared, arms, options, find):
            with self._keeping:
                if self._stopped.is_set():
                    return
                if isinstance(outcome, Row) and outcome is not known.pop(outcome.key, None):
                    self._folder.append_row(outcome)
            self._events.put(outcome)
