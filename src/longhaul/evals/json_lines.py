"""Files of one JSON object a line: appended to as things are made, and read back whole."""

import fcntl
import json
import math
import os
from collections.abc import Callable, Iterator
from io import FileIO
from pathlib import Path
from typing import TypeVar

from longhaul.errors import LonghaulError
from longhaul.evals.fields import Fields, parse_object
from longhaul.pi.json_text import parse_json
from longhaul.pi.scan import show_file
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import ShapeError

_T = TypeVar("_T")

OWNER_ONLY = 0o600


class RunError(LonghaulError):
    """A run directory is not what it should be; the message names file, line and field."""


def append_line(file: Path, record: JsonValue) -> None:
    """Append an object as one line, at once and whole; the file is made for its owner alone.

    Raises:
        OSError: it cannot be written.
    """
    line = encode_line(record)
    handle = os.open(
        file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, OWNER_ONLY
    )
    with open(handle, "ab", buffering=0) as stream:  # noqa: PTH123 - a descriptor, no path
        fcntl.flock(stream, fcntl.LOCK_EX)
        end = stream.seek(0, os.SEEK_END)
        try:
            _write_all(stream, line)
        except OSError:
            stream.truncate(end)
            raise


def _write_all(stream: FileIO, data: bytes) -> None:
    """Write all, though a disk that is nearly full takes a part first and says so after."""
    left = memoryview(data)
    while left:
        left = left[stream.write(left) :]


def encode_line(record: JsonValue) -> bytes:
    """Return an object as one line of JSON, in ASCII; a number that JSON cannot hold is null."""
    try:
        text = json.dumps(record, separators=(",", ":"), allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(record), separators=(",", ":"))
    return text.encode() + b"\n"


def _finite(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def require_file(file: Path) -> None:
    """Refuse what stands where a file is read and is none: a folder, or a pipe that never ends.

    Raises:
        RunError: there is something else.
    """
    if file.exists() and not file.is_file():
        raise RunError(f"{show_file(file)}: no regular file; remove it and run again")


def read_lines(file: Path, parse: Callable[[Fields], _T]) -> Iterator[_T]:
    """Yield what each line of a file holds, one at a time; nothing where there is no file.

    A last line without its end, which a killed process leaves, is passed over.

    Raises:
        RunError: a line is no JSON object, or not what `parse`, which raises ShapeError, expects.
    """
    return (found for found, _ in read_sized_lines(file, parse))


def read_sized_lines(
    file: Path, parse: Callable[[Fields], _T], *, hint: str = ""
) -> Iterator[tuple[_T, int]]:
    """Yield the same, each with the bytes that its line takes; `hint` ends an error's message."""
    require_file(file)
    if not file.exists():
        return
    with file.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            if not line.endswith(b"\n"):
                return
            try:
                yield parse(parse_object(parse_json(line), "")), len(line)
            except ValueError as error:
                raise RunError(f"{show_file(file)}:{number}: no JSON: {error}{hint}") from None
            except ShapeError as error:
                raise RunError(f"{show_file(file)}:{number}: {error}{hint}") from None


def drop_unfinished(file: Path) -> None:
    """Cut off what a killed process has left of a last line; do nothing where there is no file.

    Raises:
        RunError: it is a link, whose target is not the run's to change, or no file.
        OSError: it cannot be written.
    """
    if file.is_symlink():
        raise RunError(f"{show_file(file)}: a link; a run keeps its rows in a file of its own")
    require_file(file)
    if not file.exists():
        return
    with file.open("r+b") as stream:
        kept = 0
        for line in stream:
            if line.endswith(b"\n"):
                kept += len(line)
        stream.truncate(kept)
