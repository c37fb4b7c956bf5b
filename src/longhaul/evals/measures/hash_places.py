"""Where on a path hashes first stand: read once, and only where one is asked for."""

import re
from collections.abc import Iterator

from longhaul.evals.measures.entry_texts import entry_texts
from longhaul.evals.measures.run_commits import MIN_HASH_CHARS
from longhaul.transcript.entries import Entry, Path

_START = re.compile(rf"(?<![0-9a-f])[0-9a-f]{{{MIN_HASH_CHARS}}}")


class HashPlaces:
    """The first entry that holds each hash; a text may ask for thousands that stand nowhere."""

    def __init__(self, path: Path) -> None:
        """Look into `path`, once one is asked for."""
        self._path = path
        self._first: dict[str, int] | None = None

    def is_before(self, start: str, end: int) -> bool:
        """Return whether a run of digits in any text of `path[:end]` begins with these seven."""
        if self._first is None:
            self._first = _find_first(self._path)
        return self._first.get(start, end) < end


def _find_first(path: Path) -> dict[str, int]:
    first: dict[str, int] = {}
    for index, entry in enumerate(path):
        for text in _texts(entry):
            for start in _START.findall(text):
                first.setdefault(start, index)
    return first


def _texts(entry: Entry) -> Iterator[str]:
    texts = entry_texts(entry)
    yield from (*texts.said, *texts.called, *texts.printed, *texts.told, *texts.thought)
