"""Whether a session file is what pi and Longhaul's reader take without repair."""

import re
from collections.abc import Collection, Iterator
from datetime import datetime

from longhaul.pi.scan import Problem
from longhaul.pi.sessions import Session
from longhaul.record.session_lines import Line
from longhaul.record.session_wording import name_some, value_text
from longhaul.transcript.entries import CompactionEntry, Entry, JsonValue

FORMAT_VERSION = 3
_UTC_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z")


def find_line_faults(line: Line) -> str | None:
    """Return what of a line pi would not have written so, or None."""
    return "; ".join((*_byte_faults(line), *_record_faults(line.record))) or None


def find_tree_faults(session: Session) -> list[Problem]:
    """Return what is wrong with the lines of a session and how its entries hang together.

    All that the reader reports counts: damaged lines, lines that are no entries, ids that stand
    twice, parents that are missing. So do parents that come later, a second root, and a compaction
    that keeps from an entry on that does not stand before it.
    """
    on_path = {entry.id for entry in session.path}
    roots = [entry for entry in session.entries if not entry.parent_id]
    problems = [*session.problems]
    if not session.entries:
        problems.append(Problem(session.n_lines, "no entry"))
    for entry in session.entries:
        faults = _entry_faults(entry, session, on_path)
        problems += (Problem(entry.line, reason) for reason in faults)
    for root in roots[1:]:
        first = roots[0].line
        problems.append(Problem(root.line, f"a further root; the first is in line {first}"))
    return problems


def _byte_faults(line: Line) -> Iterator[str]:
    if line.is_blank:
        yield "a blank line"
    if not line.is_utf8:
        yield "bytes that are not UTF-8"


def _record_faults(record: dict[str, JsonValue] | None) -> Iterator[str]:
    if record is None:
        return
    version = record.get("version")
    if record.get("type") == "session" and version != FORMAT_VERSION:
        yield f"format version {name_some([value_text(version)])}, not {FORMAT_VERSION}"
    time = record.get("timestamp")
    if not _is_utc_time(time):
        yield f"timestamp {name_some([value_text(time)])} is no time in UTC that ends in Z"


def _is_utc_time(value: JsonValue) -> bool:
    if not isinstance(value, str) or not _UTC_TIME.fullmatch(value):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _entry_faults(entry: Entry, session: Session, on_path: Collection[str]) -> Iterator[str]:
    parent = session.index.get(entry.parent_id or "")
    if parent is not None and parent.line >= entry.line:
        yield f"its parent comes no earlier, in line {parent.line}"
    if isinstance(entry, CompactionEntry) and not _keeps_what_is_before(entry, session, on_path):
        yield "the entry that it keeps from on does not stand before it"


def _keeps_what_is_before(
    entry: CompactionEntry, session: Session, on_path: Collection[str]
) -> bool:
    kept = session.index.get(entry.first_kept_entry_id)
    if kept is None or kept.line >= entry.line:
        return False
    return kept.id in on_path or entry.id not in on_path
