"""The folder of a run: what was asked for, the rows, their scores, the summary."""

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from longhaul.evals import rows, scores
from longhaul.evals.fields import Fields, parse_object
from longhaul.evals.json_lines import (
    OWNER_ONLY,
    RunError,
    append_line,
    drop_unfinished,
    encode_line,
    read_lines,
    read_sized_lines,
    require_file,
)
from longhaul.evals.rows import Row, RowKey, dump_row, parse_row
from longhaul.evals.scores import Score, dump_score, parse_score
from longhaul.pi.json_text import parse_json
from longhaul.pi.scan import show_file
from longhaul.pi.whole_file import write_whole
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import ShapeError

RUN = "run.json"
SUMMARY = "summary.json"
_IGNORE = ".gitignore"
_OWNER_FOLDER = 0o700
_MEND = "; remove the line and run again"
_BEFORE_ALL = (_IGNORE, f".{RUN}.")
"""How the files begin that a run makes before it has said that the folder is a run's."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Where a run is kept; its owner alone may read it, for rows quote sessions."""

    folder: Path

    def make(self) -> None:
        """Make the folder where it is missing, with a note that keeps it out of git.

        Raises:
            RunError: something else than a run is kept there.
            OSError: it cannot be made.
        """
        self.folder.mkdir(mode=_OWNER_FOLDER, parents=True, exist_ok=True)
        self._require_own()
        ignore = self.folder / _IGNORE
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")

    def drop_unfinished_row(self) -> None:
        """Drop a row that a killed run left unfinished.

        Raises:
            RunError: the rows are a link, or no file.
            OSError: they cannot be written.
        """
        drop_unfinished(self.folder / rows.FILE_NAME)

    def _require_own(self) -> None:
        """Refuse a folder of the user's: git would ignore all of it from then on."""
        if self.is_run():
            return
        if any(not path.name.startswith(_BEFORE_ALL) for path in self.folder.iterdir()):
            raise RunError(
                f"{show_file(self.folder)} holds other files and no run; give an empty or new"
                " folder with --out"
            )

    def is_run(self) -> bool:
        """Return whether a run has been begun there."""
        return (self.folder / RUN).exists()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep every other process from running in the folder, which is there, inside the block.

        Raises:
            RunError: another one does.
            OSError: the folder cannot be opened.
        """
        handle = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            self._lock(handle)
            yield
        finally:
            os.close(handle)

    def _lock(self, handle: int) -> None:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RunError(
                f"{show_file(self.folder)}: another run goes on there; wait for its end, or give"
                " another folder with --out"
            ) from None

    def clear(self) -> None:
        """Remove a run, and nothing else that lies beside it; any other may begin there then.

        Raises:
            OSError: a file cannot be removed.
        """
        for name in (rows.FILE_NAME, scores.FILE_NAME, SUMMARY):
            (self.folder / name).unlink(missing_ok=True)
        self.save_json(RUN, {})

    def load_json(self, name: str) -> Fields | None:
        """Return the object in one of the folder's files; None where there is no such file.

        Raises:
            RunError: it is no JSON object.
        """
        file = self.folder / name
        require_file(file)
        if not file.exists():
            return None
        try:
            return parse_object(parse_json(file.read_bytes()), name)
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
                stream.write(encode_line(dump_score(score)))
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
        start = 0
        for row, length in read_sized_lines(file, parse_row, hint=_MEND):
            self._places[row.key] = (start, length)
            start += length

    def find(self, key: RowKey) -> Row | None:
        """Return the newest row of a key, or None."""
        place = self._places.get(key)
        if place is None:
            return None
        with self._file.open("rb") as stream:
            stream.seek(place[0])
            return parse_row(parse_object(parse_json(stream.read(place[1])), ""))

    def keys(self) -> tuple[RowKey, ...]:
        """Return what there are rows of, in the order of the file."""
        return tuple(self._places)
