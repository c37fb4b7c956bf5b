"""Whether a session must not leave this machine: by where it works, or by where its file is."""

import os
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_MAX_CHARS = 8_192
"""Of a path; longer than any system takes, and short enough to be compared at once."""


class _Identity(NamedTuple):
    """What a path names, whichever way it is written."""

    device: int
    inode: int
    """Of the nearest folder on the path that exists."""
    missing: tuple[str, ...]
    """The names below that folder, which may come to exist; the last one first."""


_NOWHERE = _Identity(0, 0, ())


def is_local_only(*, cwd: str, session_file: Path | None, roots: Iterable[Path]) -> bool:
    """Return whether a session lies in one of `roots` or anywhere below one.

    `cwd` is the folder of the session's header, empty where it names none; `session_file` is None
    for a session without one. `roots` are absolute, as `Config.local_only_roots` holds them; what
    is relative counts from the process's own folder. A session that names no place at all is under
    every root.

    Paths are compared by what the file system finds there, so that symbolic links, upper and lower
    case, and several mounts of one folder are what they are on this machine. A place counts both as
    it is written and as it resolves. What does not exist yet is compared by name, without case.
    """
    protected = {_identify(path) for root in roots if _is_short(root) for path in _readings(root)}
    places = [Path(cwd)] if cwd else []
    places += [session_file] if session_file is not None else []
    if not places or not all(map(_is_short, places)):
        return bool(protected)
    readings = [path for place in places for path in _readings(place)]
    return any(found in protected for place in readings for found in _identities(place))


def _is_short(path: Path) -> bool:
    """Return whether there can be such a folder at all."""
    return len(str(path)) <= _MAX_CHARS


def _readings(path: Path) -> Iterator[Path]:
    """Yield a path as it is written and as its symbolic links lead, both absolute."""
    yield Path(os.path.abspath(path))  # noqa: PTH100 - resolves `..` by name, as it is written
    try:
        yield Path(os.path.realpath(path))
    except ValueError:  # no file system takes such a name
        return


def _identify(path: Path) -> _Identity:
    """Return the identity of an absolute path: its own, or that of its nearest parent there is."""
    return deque(_identities(path), maxlen=1).pop()


def _identities(path: Path) -> Iterator[_Identity]:
    """Yield the identities of an absolute path and of all above it, its own last."""
    found = _NOWHERE
    for folder in (*reversed(path.parents), path):
        try:
            status = folder.stat()
        except (OSError, ValueError):
            name = unicodedata.normalize("NFC", folder.name.casefold())
            found = found._replace(missing=(name, *found.missing))
        else:
            found = _Identity(status.st_dev, status.st_ino, ())
        yield found
