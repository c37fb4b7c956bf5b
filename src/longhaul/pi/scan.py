"""The lines of one session file, in order -> entries, and what is wrong with the lines."""

from collections.abc import Mapping
from dataclasses import dataclass
from json import JSONDecodeError
from pathlib import Path as FilePath

from longhaul.errors import SessionError, TranscriptError
from longhaul.pi.json_text import is_blank, parse_json
from longhaul.pi.migration import Migration, parse_version
from longhaul.transcript.entries import Entry, JsonValue
from longhaul.transcript.parse import parse_entry, parse_opaque_entry
from longhaul.transcript.shapes import is_truthy, name_type, text_or_empty


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What a session file says about itself; not part of the tree."""

    id: str
    cwd: str
    version: float
    """Format version of the file; what is read from it is always version 3."""
    timestamp: str = ""
    parent_session: str | None = None
    """File of the session that this one was forked from, as written; not opened."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something wrong with one line of a session file, counted from 1."""

    line: int
    reason: str


class Scan:
    """What the lines so far hold. Lines are added one by one; nothing is ever taken back."""

    def __init__(self, file: FilePath) -> None:
        """Start before the first line; `file` only serves messages."""
        self.file = file
        self._where = show_file(FilePath(file.name))
        self.header: Header | None = None
        self.entries: list[Entry] = []
        self.index: dict[str, Entry] = {}
        self.leaf_id: str | None = None
        self.problems: list[Problem] = []
        self.orphans: list[Entry] = []
        """Entries whose parent was not there when they came; it may have come since."""
        self.n_lines = 0
        self.n_blank = 0
        self.n_skipped = 0
        self.n_replaced = 0
        self._migration = Migration(0)

    def fork(self) -> "Scan":
        """Return a copy that lines can be added to without changing this one."""
        copy = Scan(self.file)
        vars(copy).update(vars(self))
        copy.entries = [*self.entries]
        copy.index = {**self.index}
        copy.problems = [*self.problems]
        copy.orphans = [*self.orphans]
        copy._migration = self._migration.fork()
        return copy

    def add_line(self, line: bytes) -> None:
        """Take the next line of the file.

        Raises:
            SessionError: it is the first that holds a value, and no session header.
        """
        try:
            value = parse_json(line)
        except ValueError as error:
            self._skip_line(line, error)
        else:
            self.add_value(value)

    def add_value(self, value: JsonValue) -> None:
        """Take a decoded value as the next line.

        Raises:
            SessionError: it is the first value, and no session header.
        """
        self.n_lines += 1
        if isinstance(value, dict) and self.header is not None:
            self._add_record(value)
        elif is_truthy(value):
            self._add_odd(value)
        else:
            self._skip(f"{name_type(value)} is no entry: skipped")

    def missing_parents(self) -> list[Problem]:
        """Return a problem for each entry whose parent is in no line so far."""
        return [
            Problem(entry.line, f"parent {entry.parent_id!r} does not exist: the path begins here")
            for entry in self.orphans
            if entry.parent_id not in self.index
        ]

    def _skip_line(self, line: bytes, error: ValueError) -> None:
        self.n_lines += 1
        if is_blank(line):
            self.n_blank += 1
        else:
            ended = "" if line.endswith(b"\n") else ", unfinished last line"
            self._skip(f"not one JSON value{ended}: skipped ({_render_fault(error)})")

    def _skip(self, reason: str) -> None:
        self.n_skipped += 1
        self.problems.append(Problem(self.n_lines, reason))

    def _add_odd(self, value: JsonValue) -> None:
        """Take the header, or a value that pi keeps as an entry though it is no object."""
        record = value if isinstance(value, dict) else {}
        if self.header is None:
            self.header = parse_header(record, self.file)
            self._migration = Migration(self.header.version)
            return
        self._report(f"expected an object, got {name_type(value)}")
        self._add_record(record)

    def _add_record(self, record: dict[str, JsonValue]) -> None:
        if record.get("type") == "session":
            self._migration.skip_header()
            self._report("a further session header: left out")
            return
        if self._migration.is_needed:
            record = self._migration.apply(record)
        try:
            entry = parse_entry(record, where=self._where, line=self.n_lines)
        except TranscriptError as error:
            self._report(str(error))
            entry = parse_opaque_entry(record, self.n_lines)
        self._append(entry)

    def _append(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.leaf_id = entry.id or None
        if not entry.id:
            self._report("an entry without id: no path leads to it")
            return
        if entry.id in self.index:
            self.n_replaced += 1
            self._report(
                f"id {entry.id!r} stands in line {self.index[entry.id].line} too: this counts"
            )
        self.index[entry.id] = entry
        if entry.parent_id and entry.parent_id not in self.index:
            self.orphans.append(entry)

    def _report(self, reason: str) -> None:
        self.problems.append(Problem(self.n_lines, reason))


def _render_fault(error: ValueError) -> str:
    """Return what is wrong with a line, without the parser's own count of lines."""
    if isinstance(error, JSONDecodeError):
        return f"{error.msg} at column {error.colno}"
    return str(error)


def show_file(file: FilePath) -> str:
    """Return a file's name as it stands in a message of one line, whatever the name holds."""
    return str(file) if str(file).isprintable() else repr(str(file))


def parse_header(record: Mapping[str, JsonValue], file: FilePath) -> Header:
    """Return the header of a session file from its first record.

    Raises:
        SessionError: it is another record, so that pi would not open the file either.
    """
    session_id = record.get("id")
    if record.get("type") != "session" or not isinstance(session_id, str):
        raise SessionError(
            f"{show_file(file)}: not a pi session: the first record is no session header; "
            "give a .jsonl file from pi's sessions folder"
        )
    parent = record.get("parentSession")
    return Header(
        id=session_id,
        cwd=text_or_empty(record.get("cwd")),
        version=parse_version(record.get("version")),
        timestamp=text_or_empty(record.get("timestamp")),
        parent_session=parent if isinstance(parent, str) else None,
    )
