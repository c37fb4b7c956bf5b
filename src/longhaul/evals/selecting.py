"""Which compactions a takeover replays, where not all are asked for."""

import heapq
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from longhaul.errors import LonghaulError
from longhaul.evals.cases import NotScored
from longhaul.evals.due import find_cuts
from longhaul.evals.json_lines import read_lines
from longhaul.evals.rows import parse_key
from longhaul.evals.store import Refuse, Store, StoredSession, leave_out, load_unless_refused

_PLACE = re.compile(r"(?P<session>.+):(?P<number>[1-9]\d*)")


class SelectionError(LonghaulError):
    """What picks compactions names none; the message says how to."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Session and number of the compactions that are replayed."""

    places: frozenset[tuple[str, int]]
    left_out: tuple[NotScored, ...] = ()
    """Sessions that were looked at and could not be chosen from."""

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


def find_newest(sessions: Iterable[StoredSession], n: int, refuse: Refuse | None = None) -> Chosen:
    """Return the newest compactions of all sessions, by the time that pi wrote with each.

    A session that cannot be read, or that `refuse` gives a reason against, is left out.
    """
    left_out: list[NotScored] = []

    def dated() -> Iterator[tuple[str, str, int]]:
        for stored in sessions:
            read = load_unless_refused(stored, refuse)
            if isinstance(read, NotScored):
                left_out.append(read)
                continue
            for cut in find_cuts(read.path):
                yield cut.entry.timestamp, stored.name, cut.number

    newest = heapq.nlargest(n, dated())
    return Chosen(frozenset((name, number) for _, name, number in newest), tuple(left_out))


def without_missing(chosen: Chosen, store: Store) -> Chosen:
    """Return what is chosen of the sessions that are there; of the others it is said."""
    missing = chosen.names - {session.name for session in store.sessions}
    lines = (leave_out(name, "asked for, and there is no such session") for name in sorted(missing))
    there = frozenset(place for place in chosen.places if place[0] not in missing)
    return Chosen(there, (*chosen.left_out, *lines))
