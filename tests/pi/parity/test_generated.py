"""Generated sessions give the same tree, projection and cut here as in the pinned pi."""

from pathlib import Path

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from longhaul.errors import SessionError
from longhaul.pi.sessions import Session, load_session
from longhaul.transcript.entries import JsonValue, OpaqueEntry
from longhaul.transcript.tree import find_cycle, find_path
from tests.pi.parity.canonical import describe_session, has_roots
from tests.pi.parity.oracle import Oracle, PiError
from tests.strategies import damaged_files, dump_lines, session_records

KEEP = (0, 1, 10, 40, 1200, 100_000)
"""Kept windows in tokens: everything goes, something stays, an image fits, all stays."""

FIELDS_COUNT = frozenset(("message", "custom_message", "branch_summary", "context_edit"))
"""Types of which an entry is left with nothing but its place where a field is damaged."""

sent = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@settings(sent, max_examples=300)
@given(records=session_records())
def test_a_generated_session_is_read_projected_and_cut_as_by_pi(
    oracle: Oracle, tmp_path: Path, records: list[JsonValue]
) -> None:
    session = load_session(write(tmp_path, dump_lines(records)))
    assume(find_cycle(session.index, session.path) is None)  # pi would go round for ever
    assert describe_session(session, KEEP) == ask(oracle, session)


@settings(sent, max_examples=60)
@given(records=session_records(), data=st.data())
def test_any_branch_of_a_generated_session_is_cut_as_by_pi(
    oracle: Oracle, tmp_path: Path, records: list[JsonValue], data: st.DataObject
) -> None:
    session = load_session(write(tmp_path, dump_lines(records)))
    assume(session.index and session.header.version >= 2)  # ids of version 1 are pi's own making
    leaf = data.draw(st.sampled_from([key for key in session.index if "\0" not in key] or ["e1"]))
    assume(find_cycle(session.index, find_path(session.index, leaf)) is None)
    assert describe_session(session, KEEP, leaf) == ask(oracle, session, leaf)


@settings(sent, max_examples=200)
@given(damaged=damaged_files())
def test_a_damaged_file_is_read_as_by_pi(oracle: Oracle, tmp_path: Path, damaged: bytes) -> None:
    file = write(tmp_path, damaged)
    try:
        session = load_session(file)
    except SessionError:
        assert pi_refuses(oracle, file)
        return
    assume(find_cycle(session.index, session.path) is None)
    # A bare value in a file of version 1 is what only pi fails on.
    assume(session.header.version >= 2 or not pi_refuses(oracle, file))
    ours, theirs = describe_session(session, KEEP), ask(oracle, session)
    assert isinstance(theirs, dict)
    readable = ("id", "entries", "leaf", "path", "roots")
    assert [ours[part] for part in readable] == [theirs[part] for part in readable]
    if not any(isinstance(e, OpaqueEntry) and e.type in FIELDS_COUNT for e in session.entries):
        assert ours == theirs


def write(folder: Path, data: bytes) -> Path:
    file = folder / "session.jsonl"
    file.write_bytes(data)
    return file


def ask(oracle: Oracle, session: Session, leaf: str | None = None) -> JsonValue:
    file, roots = str(session.file), has_roots(session)
    return oracle.ask("session", file=file, keep=KEEP, roots=roots, leaf=leaf)


def pi_refuses(oracle: Oracle, file: Path) -> bool:
    """Return whether pi cannot open a file either; an empty one it makes a session of."""
    try:
        oracle.ask("session", file=str(file), keep=[], roots=False, leaf=None)
    except PiError:
        return True
    return not file.stat().st_size
