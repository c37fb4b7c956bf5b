"""Session files are read whole or as they grow, never written, and their damage is reported."""

import gc
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from longhaul.errors import SessionError
from longhaul.pi.scan import Header, Problem
from longhaul.pi.sessions import (
    Session,
    SessionReader,
    load_session,
    path_to,
    session_from_records,
)
from longhaul.transcript.entries import CompactionEntry, CustomEntry, JsonValue, OpaqueEntry
from tests.records import HEADER, asked, chained, compacted, replied, said, write_chain
from tests.strategies import Record, damaged_files, dump_lines, session_records

in_one_folder = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def load(folder: Path, data: bytes) -> Session:
    file = folder / "s.jsonl"
    file.write_bytes(data)
    return load_session(file)


def problems(folder: Path, *lines: bytes) -> list[tuple[int, str]]:
    """Return the problems of a file that consists of a header and these lines."""
    session = load(folder, dump_lines([HEADER]) + b"".join(line + b"\n" for line in lines))
    return [(problem.line, problem.reason) for problem in session.problems]


def refusal(file: Path) -> str:
    with pytest.raises(SessionError) as refused:
        load_session(file)
    return str(refused.value)


def line(record: Record, entry_id: JsonValue = "e1", parent: JsonValue = None) -> bytes:
    return dump_lines([{**record, "id": entry_id, "parentId": parent}]).rstrip()


# What a session is


def test_a_session_has_a_header_entries_a_leaf_and_a_path(tmp_path: Path) -> None:
    header = {**HEADER, "timestamp": "2026", "parentSession": "/old.jsonl"}
    session = load(tmp_path, dump_lines([header, *chained([asked("a"), replied("b")])[1:]]))
    assert session.header == Header(
        id="s", cwd="/p", version=3, timestamp="2026", parent_session="/old.jsonl"
    )
    assert [entry.id for entry in session.entries] == ["e1", "e2"]
    assert session.path == session.entries
    assert (session.leaf_id, session.problems) == ("e2", ())
    assert (session.n_lines, session.n_blank, session.n_skipped) == (3, 0, 0)


def test_a_path_leads_to_any_entry(tmp_path: Path) -> None:
    session = load_session(write_chain(tmp_path / "s.jsonl", asked("a"), asked("b")))
    assert path_to(session, "e1") == session.path[:1]
    assert path_to(session, "e2") is session.path
    assert path_to(session, None) == path_to(session, "e9") == ()


def test_a_session_without_a_file_comes_from_its_records(tmp_path: Path) -> None:
    records = chained([asked("a"), replied("b")])
    loaded = load(tmp_path, dump_lines(records))
    assert session_from_records(records, file=loaded.file) == loaded
    with pytest.raises(SessionError, match="no session header"):
        session_from_records(records[1:], file=Path("memory"))
    with pytest.raises(SessionError, match="empty"):
        session_from_records([], file=Path("memory"))


def test_nothing_in_a_session_is_opened_and_the_file_stays_as_it_is(tmp_path: Path) -> None:
    file = write_chain(tmp_path / "s.jsonl", asked("a"))
    file.write_bytes(file.read_bytes().rstrip())
    file.chmod(0o400)
    before = (file.read_bytes(), file.stat().st_mtime_ns, sorted(tmp_path.iterdir()))
    load_session(file)
    assert (file.read_bytes(), file.stat().st_mtime_ns, sorted(tmp_path.iterdir())) == before


# Damage


def test_what_is_skipped_is_counted_and_named_by_its_line(tmp_path: Path) -> None:
    found = problems(
        tmp_path, b"{half", b"", b"\xc2\xa0", b"null", b"{} {}", b"NaN", line(asked("a"))
    )
    assert [number for number, _ in found] == [2, 5, 6, 7]
    assert found[1] == (5, "null is no entry: skipped")
    assert [found[index][1] for index in (0, 2, 3)] == [
        "not one JSON value: skipped "
        "(Expecting property name enclosed in double quotes at column 2)",
        "not one JSON value: skipped (Extra data at column 4)",
        "not one JSON value: skipped (NaN is not JSON)",
    ]
    session = load_session(tmp_path / "s.jsonl")
    assert (session.n_lines, session.n_blank, session.n_skipped) == (8, 2, 4)


def test_an_unfinished_last_line_is_named_as_such(tmp_path: Path) -> None:
    session = load(tmp_path, dump_lines([HEADER]) + b'{"type": "mess')
    assert [problem.line for problem in session.problems] == [2]
    assert "unfinished last line" in session.problems[0].reason


def test_a_damaged_field_costs_the_entry_but_not_its_place(tmp_path: Path) -> None:
    damaged = line(said("assistant", content=[{"type": "toolCall", "name": 5}]), "e2", "e1")
    session = load(
        tmp_path,
        dump_lines([HEADER])
        + b"\n".join([line(asked("a")), damaged, line(asked("b"), "e3", "e2")]),
    )
    assert [entry.id for entry in session.path] == ["e1", "e2", "e3"]
    assert isinstance(session.path[1], OpaqueEntry)
    assert session.problems == (
        Problem(3, "s.jsonl:3 message.content[0].name: expected str, got int"),
    )


def test_a_tree_that_does_not_hold_together_is_reported(tmp_path: Path) -> None:
    assert problems(tmp_path, line(asked("a"), "e1", "gone")) == [
        (2, "parent 'gone' does not exist: the path begins here")
    ]
    assert problems(tmp_path, line(asked("a"), "e1", "e2"), line(asked("b"), "e2", "e1")) == [
        (2, "its parent comes after it: the path begins here")
    ]
    assert problems(tmp_path, line(asked("a")), line(asked("b"))) == [
        (3, "id 'e1' stands in line 2 too: this counts")
    ]
    assert problems(tmp_path, line(asked("a"), None)) == [
        (2, "an entry without id: no path leads to it")
    ]
    assert problems(tmp_path, b"5", dump_lines([HEADER]).rstrip()) == [
        (2, "an entry without id: no path leads to it"),
        (2, "expected an object, got int"),
        (3, "a further session header: left out"),
    ]


def test_a_line_may_hold_a_megabyte(tmp_path: Path) -> None:
    session = load(tmp_path, dump_lines([HEADER, *chained([asked("x" * 2_000_000)])[1:]]))
    assert len(session.path) == 1


def test_a_line_that_is_nested_without_end_keeps_its_place_and_its_shallow_part(
    tmp_path: Path,
) -> None:
    deep = b'[{"]": ' * 50_000 + b"1" + b"}]" * 50_000
    data = b'{"type":"custom","data":{"a":%s,"b":"]}"},"id":"e1"}' % deep
    entry = load(tmp_path, dump_lines([HEADER]) + data).path[0]
    assert isinstance(entry, CustomEntry)
    assert isinstance(entry.data, dict)
    assert entry.data["b"] == "]}"
    assert problems(tmp_path, b"[" * 50_000)[0][0] == 2


def test_numbers_past_every_double_are_taken_as_javascript_takes_them(tmp_path: Path) -> None:
    usage = b'{"totalTokens": 1%s}' % (b"0" * 400)
    data = b'{"type": "custom", "id": "e1", "data": [1e999, %s, 12, 1.5]}' % usage
    entry = load(tmp_path, dump_lines([HEADER]) + data).path[0]
    assert getattr(entry, "data", None) == [float("inf"), {"totalTokens": float("inf")}, 12, 1.5]


@given(damaged=damaged_files())
@in_one_folder
def test_no_bytes_make_reading_fail_other_than_by_a_session_error(
    tmp_path: Path, damaged: bytes
) -> None:
    session = attempt(lambda: load(tmp_path, damaged))
    if isinstance(session, Session):
        assert session.n_lines >= session.n_blank + session.n_skipped + len(session.entries)
        assert all("\n" not in problem.reason for problem in session.problems)
    else:
        assert "\n" not in str(session)


# What is no session


def test_what_cannot_be_read_is_refused_in_a_line(tmp_path: Path) -> None:
    missing, folder = tmp_path / "no\nfile", tmp_path / "folder"
    folder.mkdir()
    assert refusal(missing) == f"{str(missing)!r}: no such file"
    assert refusal(folder) == f"{folder}: a folder; give one of the .jsonl files in it"
    assert refusal(Path("a\0b")) == r"'a\x00b': cannot be opened: embedded null byte"
    looping = tmp_path / "loop"
    looping.symlink_to(looping)
    assert refusal(looping) == f"{looping}: cannot be opened: Too many levels of symbolic links"


def test_a_pipe_or_a_device_is_refused_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for special in (pipe, Path(os.devnull)):
        assert refusal(special) == f"{special}: no regular file; give a .jsonl file of pi's"


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs Linux's /proc")
def test_a_file_that_fails_while_it_is_read_is_refused() -> None:
    assert refusal(Path("/proc/self/mem")) == "/proc/self/mem: cannot be read: Input/output error"


def test_reading_leaves_the_garbage_collector_as_it_was(tmp_path: Path) -> None:
    file = write_chain(tmp_path / "s.jsonl", asked("a"))
    load_session(file)
    assert gc.isenabled()
    gc.disable()
    try:
        load_session(file)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_many_entries_at_once_are_put_out_of_the_collectors_way(tmp_path: Path) -> None:
    before = gc.get_freeze_count()
    load_session(write_chain(tmp_path / "s.jsonl", *[asked("a") for _ in range(10_001)]))
    try:
        assert gc.get_freeze_count() > before + 20_000
    finally:
        gc.unfreeze()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    file = write_chain(tmp_path / "s.jsonl", asked("a"))
    file.chmod(0)
    assert refusal(file) == f"{file}: no permission to read it"


def test_an_empty_file_and_a_file_of_something_else_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    for data, reason in (
        (b"", "empty; pi would begin a new session in it"),
        (b"\n \n", "empty; pi would begin a new session in it"),
        (b"# Notes\n", "not a pi session: no line of it is JSON"),
        (
            b"[1]\n",
            "not a pi session: the first record is no session header; "
            "give a .jsonl file from pi's sessions folder",
        ),
    ):
        file.write_bytes(data)
        assert refusal(file) == f"{file}: {reason}"


# Reading again


@given(records=session_records(), data=st.data())
@in_one_folder
def test_a_file_read_as_it_grows_gives_what_a_file_read_whole_gives(
    tmp_path: Path, records: list[JsonValue], data: st.DataObject
) -> None:
    whole = dump_lines(records)
    if data.draw(st.booleans()):
        whole = data.draw(damaged_files())
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=6)))
    file = tmp_path / "s.jsonl"
    file.unlink(missing_ok=True)
    reader = SessionReader(file)
    for end in [*cuts, len(whole)]:
        file.touch()
        with file.open("ab") as stream:
            stream.write(whole[stream.tell() : end])
        assert attempt(reader.read) == attempt(SessionReader(file).read)


def test_every_split_of_a_session_gives_the_same_session(tmp_path: Path) -> None:
    bodies = [asked("é"), replied("b"), compacted("e2"), {**asked("c"), "parentId": "e1"}]
    whole = dump_lines([*chained(bodies), {**HEADER, "id": "t"}])
    file = tmp_path / "s.jsonl"
    for split in range(len(whole)):
        file.write_bytes(whole[:split])
        reader = SessionReader(file)
        attempt(reader.read)
        with file.open("ab") as stream:
            stream.write(whole[split:])
        assert reader.read() == load_session(file)


def test_a_reader_reads_only_what_was_appended(tmp_path: Path) -> None:
    file = write_chain(tmp_path / "s.jsonl", *[asked("a") for _ in range(200)])
    reader = SessionReader(file)
    first = reader.read()
    with file.open("ab") as stream:
        stream.write(line(asked("b"), "f1", "e200") + b"\n")
    second = reader.read()
    assert all(one is other for one, other in zip(first.entries, second.entries, strict=False))
    assert len(second.path) == 201


@pytest.mark.parametrize("way", ["truncated", "replaced", "rewritten", "emptied"])
def test_a_file_that_was_written_anew_is_read_from_its_beginning(tmp_path: Path, way: str) -> None:
    file = write_chain(tmp_path / "s.jsonl", asked("a"), asked("b"))
    reader = SessionReader(file)
    reader.read()
    other = dump_lines([{**HEADER, "id": "t"}, *chained([asked(f"{n}") for n in range(9)])[1:]])
    if way == "truncated":
        file.write_bytes(dump_lines(chained([asked("a")])))
    elif way == "replaced":
        moved = tmp_path / "other"
        moved.write_bytes(file.read_bytes() + line(asked("c"), "e9", "e2"))
        moved.replace(file)
    elif way == "rewritten":
        file.write_bytes(other)
    else:
        file.write_bytes(b"")
    assert attempt(reader.read) == attempt(SessionReader(file).read)
    file.write_bytes(other)
    assert reader.read().header.id == "t"


def test_an_id_that_comes_again_changes_the_path_that_was_known(tmp_path: Path) -> None:
    file = write_chain(tmp_path / "s.jsonl", asked("a"), asked("b"))
    reader = SessionReader(file)
    reader.read()
    with file.open("ab") as stream:
        stream.write(line(asked("other"), "e1") + b"\n" + line(asked("c"), "e3", "e2") + b"\n")
    assert [entry.line for entry in reader.read().path] == [4, 3, 5]


def test_version_1_goes_on_counting_where_it_stopped(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    file.write_bytes(dump_lines([{**HEADER, "version": 1}, asked("a")]))
    reader = SessionReader(file)
    reader.read()
    with file.open("ab") as stream:
        stream.write(dump_lines([{**compacted(""), "firstKeptEntryIndex": 1}]))
    leaf = reader.read().path[-1]
    assert isinstance(leaf, CompactionEntry)
    assert (leaf.id, leaf.first_kept_entry_id) == ("v1.2", "v1.1")


def attempt(read: Callable[[], Session]) -> Session | str:
    """Return what `read` returns, or the text of the error that it ends with."""
    try:
        return read()
    except SessionError as error:
        return str(error)
