"""The sessions of a folder: which files are replayed, and which are left out, and why."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from longhaul.errors import LonghaulError, SessionError
from longhaul.evals.cases import NotScored
from longhaul.pi.scan import show_file
from longhaul.pi.sessions import Session, load_session

SUFFIX = ".jsonl"
Refuse: TypeAlias = Callable[[Session], str]
"""Says why a session is left out; empty where it is not."""


class StoreError(LonghaulError):
    """A session that is asked for is not there; the message says which there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSession:
    """One session file of a store."""

    name: str
    """Its path within the store without `.jsonl`, as labels and rows name it."""
    file: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """What a folder holds."""

    sessions: tuple[StoredSession, ...]
    left_out: tuple[NotScored, ...]


def find_sessions(folder: Path, *, excluded: Sequence[Path] = ()) -> Store:
    """Return the session files in a folder and below it, by name.

    Links are not followed, neither to files nor to folders, and said to be left out; nothing in the
    folders of `excluded` is looked at.
    """
    sessions: list[StoredSession] = []
    links: list[str] = []
    outside = {path.resolve() for path in excluded}
    for path in _walk(folder, outside):
        name = path.relative_to(folder).as_posix().removesuffix(SUFFIX)
        if path.is_symlink():
            links.append(name)
        elif path.is_file():
            sessions.append(StoredSession(name=name, file=path))
    return Store(
        sessions=tuple(sorted(sessions, key=_name)),
        left_out=tuple(
            leave_out(name, "a link; copy the session into the folder") for name in sorted(links)
        ),
    )


def keep_only(store: Store, names: Sequence[str]) -> Store:
    """Return a store with the sessions of these names alone.

    Raises:
        StoreError: there is no session of a name.
    """
    known = {session.name for session in store.sessions}
    for name in names:
        if name not in known:
            raise StoreError(f"no session {name!r} there; there are {', '.join(sorted(known))}")
    sessions = tuple(session for session in store.sessions if session.name in names)
    return Store(sessions=sessions, left_out=())


def leave_out(name: str, reason: str) -> NotScored:
    """Return that a whole session is not scored."""
    return NotScored(session=name, compaction=0, arm="", reason=reason)


def load_unless_refused(stored: StoredSession, refuse: Refuse | None) -> Session | NotScored:
    """Return a session, or why it is left out: it cannot be read, or is refused."""
    try:
        session = load_session(stored.file)
    except SessionError as error:
        return leave_out(stored.name, str(error).removeprefix(f"{show_file(stored.file)}: "))
    reason = refuse(session) if refuse else ""
    return leave_out(stored.name, reason) if reason else session


def _walk(folder: Path, outside: set[Path]) -> Iterator[Path]:
    """Yield what may be a session, links to files and to folders included."""
    for place, folders, files in os.walk(folder):
        here = Path(place)
        links = [name for name in folders if (here / name).is_symlink()]
        yield from (here / name for name in links)
        folders[:] = [
            name for name in folders if name not in links and (here / name).resolve() not in outside
        ]
        yield from (here / name for name in files if name.endswith(SUFFIX))


def _name(session: StoredSession) -> str:
    return session.name
