"""The folder of the user's cache that holds recall's indexes, for its owner alone."""

import hashlib
import os
import stat
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from longhaul.errors import CacheError
from longhaul.pi.scan import show_file

_PRIVATE_FOLDER, _PRIVATE_FILE = 0o700, 0o600
_SUFFIX = ".recall.sqlite3"
_BESIDE = ("", "-journal", "-wal", "-shm")
"""What SQLite puts beside a database, by what it adds to the name."""


def find_cache_dir(environment: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Return the folder of Longhaul's caches; it need not exist.

    Source: XDG base directory specification; on macOS `~/Library/Caches`.
    """
    home = Path(environment.get("HOME") or Path.home())
    if platform == "darwin":
        return home / "Library" / "Caches" / "longhaul"
    named = environment.get("XDG_CACHE_HOME", "")
    return (Path(named) if named.startswith("/") else home / ".cache") / "longhaul"


def open_index_file(folder: Path, session_file: Path) -> Path:
    """Return the index file of a session, empty or as it was left, which only its owner can read.

    Raises:
        CacheError: the folder or the file is a link, another user's, or cannot be made.
    """
    try:
        _make_private(folder)
        file = folder / index_name(session_file)
        _make_file(file)
    except OSError as error:
        raise CacheError(f"{show_file(folder)}: {error.strerror or error}") from error
    return file


def index_name(session_file: Path) -> str:
    """Return the name of a session's index, which tells nothing of the session's own name."""
    whole = os.path.realpath(session_file)
    return hashlib.sha256(os.fsencode(whole)).hexdigest()[:32] + _SUFFIX


def remove_index(file: Path) -> None:
    """Remove one index, and what SQLite left beside it.

    Raises:
        CacheError: something of it cannot be removed.
    """
    try:
        for ending in _BESIDE:
            file.with_name(file.name + ending).unlink(missing_ok=True)
    except OSError as error:
        raise CacheError(f"{show_file(file)}: {error.strerror or error}") from error


def clear_cache(folder: Path) -> int:
    """Remove all indexes, and the folder where nothing else is in it; return how many there were.

    Raises:
        CacheError: the folder is a link, another user's, or something in it cannot be removed.
    """
    if not os.path.lexists(folder):
        return 0
    try:
        _refuse_foreign(folder, os.lstat(folder), stat.S_ISDIR)
        names = [file.name for file in folder.iterdir()]
        found = [name for name in names if any(name.endswith(_SUFFIX + end) for end in _BESIDE)]
        for name in found:
            (folder / name).unlink(missing_ok=True)
        if len(found) == len(names):
            folder.rmdir()
    except OSError as error:
        raise CacheError(f"{show_file(folder)}: {error.strerror or error}") from error
    return sum(name.endswith(_SUFFIX) for name in found)


def _make_private(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        folder.mkdir(mode=_PRIVATE_FOLDER)
    except FileExistsError:
        status = os.lstat(folder)
        _refuse_foreign(folder, status, stat.S_ISDIR)
        if stat.S_IMODE(status.st_mode) != _PRIVATE_FOLDER:
            folder.chmod(_PRIVATE_FOLDER)


def _make_file(file: Path) -> None:
    try:
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC
        os.close(os.open(file, flags, _PRIVATE_FILE))
    except FileExistsError:
        status = os.lstat(file)
        _refuse_foreign(file, status, stat.S_ISREG)
        if stat.S_IMODE(status.st_mode) != _PRIVATE_FILE:
            file.chmod(_PRIVATE_FILE)


def _refuse_foreign(file: Path, status: os.stat_result, is_expected: Callable[[int], bool]) -> None:
    if not is_expected(status.st_mode):
        raise CacheError(f"{show_file(file)}: a link or no plain file or folder; remove it")
    if status.st_uid != os.geteuid():
        raise CacheError(f"{show_file(file)}: belongs to another user; remove it")
