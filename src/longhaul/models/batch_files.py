"""The files of `batch:`: requests are written whole, replies are read with care."""

import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from longhaul.compaction.completion import Completion, CompletionRequest
from longhaul.errors import ModelError
from longhaul.models.batch_records import dump_request, hash_request, parse_reply, parse_request
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import ShapeError

MAX_BYTES = 64 * 1024 * 1024
"""Largest file that is read."""

_REQUEST_END = ".request.json"
_REPLY_END = ".reply.json"


class UnfinishedFileError(ModelError):
    """A file is no whole JSON; perhaps it is written at this moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchEntry:
    """A request in a folder."""

    name: str
    """The hash that its file is named by."""
    request_file: Path
    reply_file: Path
    is_answered: bool
    """There is a file for the reply, whatever it holds."""


def request_file(folder: Path, request: CompletionRequest) -> Path:
    """Return the file that holds `request`, or is to hold it."""
    return folder / f"{hash_request(request)}{_REQUEST_END}"


def reply_file(request: Path) -> Path:
    """Return the file that is to hold the reply to the request in the file `request`."""
    return request.with_name(request.name.removesuffix(_REQUEST_END) + _REPLY_END)


def list_requests(folder: Path) -> tuple[BatchEntry, ...]:
    """Return the requests in `folder`, by hash.

    Raises:
        ModelError: it is not there, or cannot be read.
    """
    try:
        names = sorted(entry.name for entry in folder.iterdir() if entry.name[0] != ".")
    except FileNotFoundError as error:
        raise ModelError(
            f"there is no folder {folder};"
            f" `longhaul compact SESSION --model batch:{folder}` makes it"
        ) from error
    except OSError as error:
        raise ModelError(f"{folder} cannot be read: {error.strerror}") from error
    requests = [folder / name for name in names if name.endswith(_REQUEST_END)]
    return tuple(
        BatchEntry(
            name=request.name.removesuffix(_REQUEST_END),
            request_file=request,
            reply_file=reply_file(request),
            is_answered=reply_file(request).name in names,
        )
        for request in requests
    )


def save_request(path: Path, request: CompletionRequest) -> None:
    """Write `request` to `path`, whole or not at all, for its owner alone.

    Raises:
        ModelError: it cannot be written there.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".request.", dir=path.parent) as folder:
            written = Path(folder) / path.name
            written.touch(mode=0o600)
            written.write_text(json.dumps(dump_request(request), indent=1), encoding="ascii")
            written.replace(path)
    except OSError as error:
        raise ModelError(f"{path} cannot be written: {error.strerror}") from error


def load_request(path: Path) -> CompletionRequest:
    """Return the request that a file holds.

    Raises:
        ModelError: it cannot be read or is not as described; the message names file and field.
    """
    try:
        return parse_request(_load(path))
    except ShapeError as error:
        raise _misshapen(path, error) from error


def load_reply(path: Path) -> Completion | None:
    """Return the reply that a file holds; None where there is no file.

    Raises:
        UnfinishedFileError: it is no whole JSON.
        ModelError: it cannot be read or is not as described; the message names file and field.
    """
    if not os.path.lexists(path):
        return None
    try:
        return parse_reply(_load(path))
    except ShapeError as error:
        raise _misshapen(path, error) from error


def _load(path: Path) -> JsonValue:
    # Only a file: opening a pipe would wait for whoever writes to it.
    if not path.is_file():
        raise ModelError(f"{path} is no file; remove it")
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise ModelError(f"{path} is larger than {MAX_BYTES // 1024**2} MB; remove it")
    try:
        value: JsonValue = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UnfinishedFileError(f"{path} is not JSON; mend it or remove it") from error
    return value


def _misshapen(path: Path, error: ShapeError) -> ModelError:
    where = f"{path} " if error.field else str(path)
    return ModelError(f"{where}{error}; mend it or remove it")
