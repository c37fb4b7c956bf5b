"""Findings that somebody has looked at and lets stand: one a line of a file, each with a reason."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import NamedTuple

from longhaul.config.small_files import read_small_file
from longhaul.errors import CheckError
from longhaul.pi.scan import show_file
from longhaul.record.session_rules import KINDS

FILE_NAME = "reviewed.txt"
"""The file that is read where it stands beside the sessions."""

_FORM = re.compile(r"(?P<kind>\S+)\s+(?P<session>\S+):(?P<line>[1-9][0-9]{0,9})\s+(?P<reason>\S.*)")


class Place(NamedTuple):
    """What a finding and its exception agree in."""

    kind: str
    session: str
    """A session's file name without `.jsonl`."""
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """One exception: the finding that stands, and why."""

    place: Place
    reason: str
    file: FilePath
    number: int
    """Its own line in `file`, counted from 1."""


def load_reviewed(file: FilePath) -> tuple[Reviewed, ...]:
    """Return the exceptions that a file lists, in its order.

    Raises:
        CheckError: it cannot be read, or a line of it is no exception.
    """
    try:
        text = read_small_file(file).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CheckError(f"{show_file(file)}: cannot be read: {reason}") from None
    return tuple(parse_reviewed(text, file=file))


def parse_reviewed(text: str, *, file: FilePath) -> Iterator[Reviewed]:
    """Yield the exceptions in a text: `<kind> <session>:<line> <reason>` a line.

    Blank lines and those that begin with `#` are none. `file` is what errors name.

    Raises:
        CheckError: a line is of another form, names no kind of finding, or stands twice.
    """
    seen: dict[Place, int] = {}
    for number, row in enumerate(map(str.strip, text.split("\n")), 1):
        if not row or row.startswith("#"):
            continue
        reviewed = _parse_row(row, file, number)
        if reviewed.place in seen:
            first = seen[reviewed.place]
            raise CheckError(f"{show_file(file)}:{number}: stands in line {first} already")
        seen[reviewed.place] = number
        yield reviewed


def _parse_row(row: str, file: FilePath, number: int) -> Reviewed:
    match = _FORM.fullmatch(row)
    where = f"{show_file(file)}:{number}"
    if match is None:
        raise CheckError(f"{where}: expected <kind> <session>:<line> <reason>")
    if match["kind"] not in KINDS:
        raise CheckError(f"{where}: {match['kind']} is no kind of finding ({', '.join(KINDS)})")
    place = Place(match["kind"], match["session"], int(match["line"]))
    return Reviewed(place=place, reason=match["reason"], file=file, number=number)
