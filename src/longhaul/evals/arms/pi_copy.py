"""A copy of a recorded session as it stood before a compaction, for a real pi to open."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from longhaul.errors import SessionError
from longhaul.evals.arms.arm import Handed, Made
from longhaul.evals.json_lines import encode_line
from longhaul.pi.json_text import parse_json
from longhaul.pi.scan import show_file
from longhaul.transcript.entries import JsonValue

VERSION = 3
"""The format of session files that pi opens without rewriting them."""


def write_copy(handed: Handed, file: Path, *, cwd: Path) -> None:
    """Write the path that an arm is handed into `file`, its newest entry last.

    Each entry stands as pi wrote it. In a chained replay the compactions on it are the arm's own: a
    recorded one keeps its id, system message and cut, and gets the arm's text and details.

    Raises:
        SessionError: the recorded file has changed, or is of an older format.
    """
    file.write_bytes(b"".join(encode_line(dict(record)) for record in _records(handed, cwd)))


def _records(handed: Handed, cwd: Path) -> Iterator[Mapping[str, JsonValue]]:
    source = handed.session.file
    header, *lines = _read(source)
    if header.get("version") != VERSION:
        raise SessionError(f"{show_file(source)}: of an older format; open it once with pi")
    yield {**header, "cwd": str(cwd)}
    by_id = {line.get("id"): line for line in lines}
    for entry in handed.path:
        record = by_id.get(entry.id)
        if record is None:
            raise SessionError(f"{show_file(source)}: entry {entry.id} is no longer in it")
        made = handed.made.get(entry.id)
        yield record if made is None else _replaced(record, made)


def _replaced(record: Mapping[str, JsonValue], made: Made) -> dict[str, JsonValue]:
    """Return a compaction entry with an arm's text in the place of the recorded one."""
    dropped = ("summary", "details", "fromHook", "usage")
    replaced = {name: value for name, value in record.items() if name not in dropped}
    replaced["summary"] = made.text
    if made.details is not None:
        replaced["details"] = dict(made.details)
    if made.from_hook:
        replaced["fromHook"] = True
    return replaced


def _read(file: Path) -> Iterator[dict[str, JsonValue]]:
    try:
        with file.open("rb") as stream:
            for line in stream:
                record = _decode(line)
                if isinstance(record, dict):
                    yield record
    except OSError as error:
        raise SessionError(f"{show_file(file)}: cannot be read: {error.strerror}") from None


def _decode(line: bytes) -> JsonValue:
    """Return what a line holds; None for one that pi passes over too."""
    try:
        return parse_json(line)
    except ValueError:
        return None
