"""pi's session files -> sessions. Files are only ever read: never written, locked or repaired."""

import gc
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import BinaryIO

from longhaul.errors import SessionError
from longhaul.pi.collector import collector_paused
from longhaul.pi.scan import Header, Problem, Scan, show_file
from longhaul.transcript.entries import Entry, JsonValue, Path
from longhaul.transcript.tree import find_cycle, find_path

READ_BYTES = 1 << 20
NEW_LINE = ord("\n")
FROZEN_ENTRIES = 10_000
"""From as many entries at once on, the garbage collector is told never to look at them: they form
no cycles, and walking them costs as much as decoding them."""
MARK_BYTES = 4096
"""How much is compared at either end of what was read, to see that a file was written anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What a session file holds: the tree, the path that pi goes on from, and what is damaged."""

    file: FilePath
    header: Header
    entries: tuple[Entry, ...]
    """All entries in file order, as format version 3 has them."""
    index: Mapping[str, Entry]
    """Entries by id; of several with one id, the last."""
    leaf_id: str | None
    """The last entry's id; None in a session without entries, and where it has none."""
    path: Path
    """From the root to the leaf."""
    problems: tuple[Problem, ...]
    """By line."""
    n_lines: int
    n_blank: int
    n_skipped: int
    """Lines that hold nothing which pi takes for an entry, blank ones not counted."""


def load_session(file: FilePath) -> Session:
    """Return the session that a file holds, read as pi reads it.

    Raises:
        SessionError: the file cannot be read, or is no pi session; the message says what to do.
    """
    return SessionReader(file).read()


def session_from_records(records: Iterable[JsonValue], *, file: FilePath) -> Session:
    """Return the session that decoded records hold, the header first: one that has no file.

    `file` only serves messages.

    Raises:
        SessionError: the first record is no session header.
    """
    scan = Scan(file)
    for record in records:
        scan.add_value(record)
    return _snapshot(scan, ())


def path_to(session: Session, leaf_id: str | None) -> Path:
    """Return the path to any entry of a session; empty for None and for an unknown id."""
    return session.path if leaf_id == session.leaf_id else find_path(session.index, leaf_id)


class SessionReader:
    """Reads one session file again and again, each time only what was appended to it."""

    def __init__(self, file: FilePath) -> None:
        """Name the file; nothing is opened before `read`."""
        self._file = file
        self._start_over()

    def read(self) -> Session:
        """Return the session as its file holds it now.

        A last line without its end counts as pi would count it, and is read again next time. A file
        that was replaced, truncated or rewritten is read from its beginning.

        Raises:
            SessionError: the file cannot be read, or is no pi session.
        """
        try:
            with _open_regular(self._file) as stream, collector_paused():
                n_before = len(self._scan.entries)
                session = self._read_from(stream)
                if len(session.entries) - n_before > FROZEN_ENTRIES:
                    gc.freeze()
                return session
        except SessionError:
            self._start_over()
            raise

    def _start_over(self) -> None:
        self._scan = Scan(self._file)
        self._identity: tuple[int, int] | None = None
        self._offset = 0
        self._head = b""
        self._tail = b""
        self._path: Path = ()
        self._n_replaced = 0

    def _read_from(self, stream: BinaryIO) -> Session:
        if not self._is_continued(stream):
            self._start_over()
            self._identity = _identity(stream)
        stream.seek(self._offset)
        unfinished = self._add_lines(stream)
        scan = self._scan
        if not self._head:
            stream.seek(0)
            self._head = stream.read(min(MARK_BYTES, self._offset))
        if unfinished:
            scan = scan.fork()
            scan.add_line(unfinished)
        session = _snapshot(scan, self._path if scan.n_replaced == self._n_replaced else ())
        if not unfinished:
            self._path, self._n_replaced = session.path, scan.n_replaced
        return session

    def _add_lines(self, stream: BinaryIO) -> bytes:
        """Take the finished lines; return what follows the last of them."""
        add_line, offset, last, unfinished = self._scan.add_line, self._offset, self._tail, b""
        for line in stream:
            if line[-1] != NEW_LINE:
                unfinished = line
                break
            add_line(line)
            offset += len(line)
            last = line
        self._offset, self._tail = offset, last[-MARK_BYTES:]
        return unfinished

    def _is_continued(self, stream: BinaryIO) -> bool:
        """Return whether the file still begins with what was read of it, as far as marks tell."""
        if _identity(stream) != self._identity:
            return False
        stream.seek(self._offset - len(self._tail))
        tail = stream.read(len(self._tail))
        stream.seek(0)
        return tail == self._tail and stream.read(MARK_BYTES).startswith(self._head)


def _snapshot(scan: Scan, known: Path) -> Session:
    if scan.header is None:
        raise SessionError(_no_header(scan))
    path = find_path(scan.index, scan.leaf_id, known)
    cycle = find_cycle(scan.index, path)
    problems = [*scan.problems, *scan.missing_parents()]
    if cycle is not None:
        problems.append(Problem(cycle.line, "its parent comes after it: the path begins here"))
    return Session(
        file=scan.file,
        header=scan.header,
        entries=tuple(scan.entries),
        index={**scan.index},
        leaf_id=scan.leaf_id,
        path=path,
        problems=tuple(sorted(problems)),
        n_lines=scan.n_lines,
        n_blank=scan.n_blank,
        n_skipped=scan.n_skipped,
    )


def _no_header(scan: Scan) -> str:
    if scan.n_lines == scan.n_blank:
        return f"{show_file(scan.file)}: empty; pi would begin a new session in it"
    return f"{show_file(scan.file)}: not a pi session: no line of it is JSON"


def _identity(stream: BinaryIO) -> tuple[int, int]:
    status = os.fstat(stream.fileno())
    return status.st_dev, status.st_ino


@contextmanager
def _open_regular(file: FilePath) -> Iterator[BinaryIO]:
    """Open a file to read; a pipe or a device is refused and never waited for."""
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise SessionError(f"{show_file(file)}: no such file") from None
    except PermissionError:
        raise SessionError(f"{show_file(file)}: no permission to read it") from None
    except (OSError, ValueError) as error:
        raise SessionError(f"{show_file(file)}: cannot be opened: {_reason(error)}") from None
    try:
        _refuse_special(file, handle)
    except SessionError:
        os.close(handle)
        raise
    with open(handle, "rb", buffering=READ_BYTES) as stream:  # noqa: PTH123 - a descriptor, no path
        try:
            yield stream
        except OSError as error:
            raise SessionError(f"{show_file(file)}: cannot be read: {_reason(error)}") from None


def _refuse_special(file: FilePath, handle: int) -> None:
    mode = os.fstat(handle).st_mode
    if stat.S_ISDIR(mode):
        raise SessionError(f"{show_file(file)}: a folder; give one of the .jsonl files in it")
    if not stat.S_ISREG(mode):
        raise SessionError(f"{show_file(file)}: no regular file; give a .jsonl file of pi's")


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
