"""Which compactions a takeover replays, where not all are asked for."""

import heapq
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from longhaul.errors import LonghaulError
from longhaul.evals.due import find_cuts
from longhaul.evals.json_lines import read_lines
from longhaul.evals.rows import parse_key
from longhaul.evals.store import StoredSession
from longhaul.pi.sessions import load_session

_PLACE = re.compile(r"(?P<session>.+):(?P<number>[1-9]\d*)")


class SelectionError(LonghaulError):
    """What picks compactions names none; the message says how to."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Session and number of the compactions that are replayed."""

    places: frozenset[tuple[str, int]]

    @property
    def names(self) -> frozenset[str]:
        """The sessions that they are in."""
        return frozenset(name for name, _ in self.places)


def parse_places(text: str) -> Chosen:
    """Return the compactions that a text such as `csv-toolkit:3,ts-kv:5` names.

    Raises:
        SelectionError: a part is not of that form.
    """
    places = set()
    for part in text.split(","):
        match = _PLACE.fullmatch(part.strip())
        if match is None:
            raise SelectionError(f"{part.strip()!r} names no compaction; write SESSION:NUMBER")
        places.add((match["session"].removesuffix(".jsonl"), int(match["number"])))
    return Chosen(frozenset(places))


def load_candidates(file: Path) -> Chosen:
    """Return the compactions that the rows of an earlier run are about.

    Raises:
        SelectionError: there is no such file, or it holds no row.
        RunError: a line is no row.
    """
    keys = read_lines(file, parse_key)
    places = frozenset((key.session, key.compaction) for key in keys)
    if not places:
        raise SelectionError(f"{file}: no rows there; name the rows.jsonl of an earlier run")
    return Chosen(places)


def find_newest(sessions: Iterable[StoredSession], n: int) -> Chosen:
    """Return the newest compactions of all sessions, by the time that pi wrote with each.

    Raises:
        SessionError: a session cannot be read.
    """
    dated = (
        (cut.entry.timestamp, session.name, cut.number)
        for session in sessions
        for cut in find_cuts(load_session(session.file).path)
    )
    return Chosen(frozenset((name, number) for _, name, number in heapq.nlargest(n, dated)))
