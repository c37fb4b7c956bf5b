"""The folder of a run: what was asked for, the rows, their scores, the summary."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from longhaul.evals import rows, scores
from longhaul.evals.fields import Fields, parse_object
from longhaul.evals.json_lines import OWNER_ONLY, RunError, append_line, drop_unfinished, read_lines
from longhaul.evals.rows import Row, RowKey, dump_row, parse_row
from longhaul.evals.scores import Score, dump_score, parse_score
from longhaul.pi.scan import show_file
from longhaul.pi.whole_file import write_whole
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import ShapeError

RUN = "run.json"
SUMMARY = "summary.json"
_OWNER_FOLDER = 0o700


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Where a run is kept; its owner alone may read it, for rows quote sessions."""

    folder: Path

    def make(self) -> None:
        """Make the folder where it is missing, with a note that keeps it out of git.

        A row that a killed run left unfinished is dropped.

        Raises:
            OSError: it cannot be made.
        """
        self.folder.mkdir(mode=_OWNER_FOLDER, parents=True, exist_ok=True)
        ignore = self.folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
        drop_unfinished(self.folder / rows.FILE_NAME)

    def load_json(self, name: str) -> Fields | None:
        """Return the object in one of the folder's files; None where there is no such file.

        Raises:
            RunError: it is no JSON object.
        """
        file = self.folder / name
        if not file.exists():
            return None
        try:
            return parse_object(orjson.loads(file.read_bytes()), name)
        except (ValueError, ShapeError) as error:
            raise RunError(f"{show_file(file)}: not of a run: {error}") from None

    def save_json(self, name: str, value: Mapping[str, JsonValue]) -> None:
        """Write one of the folder's files whole."""
        text = json.dumps(value, indent=2) + "\n"
        write_whole(self.folder / name, text.encode(), mode=OWNER_ONLY)

    def append_row(self, row: Row) -> None:
        """Keep a row, at once."""
        append_line(self.folder / rows.FILE_NAME, dump_row(row))

    def index_rows(self) -> "RowIndex":
        """Return where each row stands.

        Raises:
            RunError: a line is no row.
        """
        return RowIndex(self.folder / rows.FILE_NAME)

    def save_scores(self, found: Iterable[Score]) -> None:
        """Write the scores anew, and only all of them."""
        file = self.folder / scores.FILE_NAME
        beside = file.with_suffix(".new")
        beside.unlink(missing_ok=True)
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
        with open(handle, "wb") as stream:  # noqa: PTH123 - a descriptor, no path
            for score in found:
                stream.write(orjson.dumps(dump_score(score)) + b"\n")
        beside.replace(file)

    def load_scores(self) -> Iterator[Score]:
        """Yield the scores, one at a time.

        Raises:
            RunError: a line is no score.
        """
        return read_lines(self.folder / scores.FILE_NAME, parse_score)


class RowIndex:
    """The rows of a file, found by what they are about; only places are held in memory."""

    def __init__(self, file: Path) -> None:
        """Look through the file once."""
        self._file = file
        self._places = dict[RowKey, tuple[int, int]]()
        self._made = set[RowKey]()
        start = 0
        for row, length in self._lines():
            self._places[row.key] = (start, length)
            start += length
            if row.made is not None:
                self._made.add(row.key)

    def find(self, key: RowKey) -> Row | None:
        """Return the newest row of a key, or None."""
        place = self._places.get(key)
        if place is None:
            return None
        with self._file.open("rb") as stream:
            stream.seek(place[0])
            return parse_row(orjson.loads(stream.read(place[1])))

    def has_made(self, key: RowKey) -> bool:
        """Return whether there is a row of a key that is no failure."""
        return key in self._made

    def keys(self) -> tuple[RowKey, ...]:
        """Return what there are rows of, in the order of the file."""
        return tuple(self._places)

    def _lines(self) -> Iterator[tuple[Row, int]]:
        if not self._file.exists():
            return
        with self._file.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                if not line.endswith(b"\n"):
                    return
                yield self._parse(number, line), len(line)

    def _parse(self, number: int, line: bytes) -> Row:
        where = f"{show_file(self._file)}:{number}"
        try:
            return parse_row(parse_object(orjson.loads(line), ""))
        except ValueError as error:
            raise RunError(f"{where}: no JSON: {error}; remove the line and run again") from None
        except ShapeError as error:
            raise RunError(f"{where}: {error}; remove the line and run again") from None
