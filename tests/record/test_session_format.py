"""Whether a file is a session without faults."""

from pathlib import Path

import pytest

from longhaul.pi.scan import Problem
from longhaul.pi.sessions import load_session
from longhaul.record.session_format import find_line_faults, find_tree_faults
from longhaul.record.session_lines import parse_line
from longhaul.transcript.entries import JsonValue
from tests.record.vettable import TIME, entries, header, line_of, save
from tests.records import asked, compacted
from tests.strategies import Record, dump_lines


def faults_of(folder: Path, *records: JsonValue, raw: bytes = b"") -> list[Problem]:
    file = folder / "s.jsonl"
    file.write_bytes(dump_lines([header("s"), *records]) + raw)
    return find_tree_faults(load_session(file))


def test_a_whole_session_has_no_fault(tmp_path: Path) -> None:
    file = save(tmp_path, "s", asked("a"), asked("b"), compacted("e2"), asked("c"))
    assert find_tree_faults(load_session(file)) == []
    lines = file.read_bytes().splitlines(keepends=True)
    assert [find_line_faults(parse_line(line, 1)) for line in lines] == [None] * 5


def test_damaged_lines_are_faults(tmp_path: Path) -> None:
    (root,) = entries(asked("a"))
    faults = faults_of(tmp_path, root, None, raw=b"{\n\x00\n")
    assert [(one.line, one.reason.partition(" (")[0]) for one in faults] == [
        (3, "null is no entry: skipped"),
        (4, "not one JSON value: skipped"),
        (5, "not one JSON value: skipped"),
    ]


def test_a_session_without_entries_has_a_fault(tmp_path: Path) -> None:
    assert faults_of(tmp_path) == [Problem(1, "no entry")]


def test_parents_exist_and_come_first_and_there_is_one_root(tmp_path: Path) -> None:
    def entry(number: str, parent: str | None) -> Record:
        return {**asked("a"), "id": number, "parentId": parent, "timestamp": TIME}

    records = (
        entry("a", None),
        entry("b", "gone"),
        entry("c", "d"),
        entry("d", "a"),
        entry("e", None),
    )
    assert faults_of(tmp_path, *records) == [
        Problem(3, "parent 'gone' does not exist: the path begins here"),
        Problem(4, "its parent comes no earlier, in line 5"),
        Problem(6, "a further root; the first is in line 2"),
    ]


def test_branches_of_one_root_are_no_fault(tmp_path: Path) -> None:
    first, second, third = entries(asked("a"), asked("b"), asked("c"))
    assert isinstance(third, dict)
    assert faults_of(tmp_path, first, second, {**third, "parentId": "e1"}) == []


@pytest.mark.parametrize("kept", ["nowhere", "e3", "e4", "e2", ""])
def test_a_compaction_keeps_from_an_entry_on_that_stands_before_it(
    tmp_path: Path, kept: str
) -> None:
    aside = {**compacted(kept), "parentId": "e1"}
    records = entries(asked("a"), asked("left"), aside, asked("b"))
    assert faults_of(tmp_path, *records) == [
        Problem(4, "the entry that it keeps from on does not stand before it")
    ]
    assert faults_of(tmp_path, *entries(asked("a"), compacted("e1"))) == []


@pytest.mark.parametrize("time", [TIME, "2026-01-01T00:00:00Z", "2026-12-31T23:59:59.123456Z"])
def test_times_are_in_utc(time: str) -> None:
    assert find_line_faults(line_of({"type": "label", "timestamp": time})) is None


@pytest.mark.parametrize(
    "time",
    [
        None,
        5,
        "",
        "2026",
        "2026-01-01T00:00:00",
        "2026-01-01T00:00:00+00:00",
        "2026-13-01T00:00:00Z",
        "2026-01-01 00:00:00Z",
        f"{TIME}\n",
    ],
)
def test_other_times_are_faults(time: JsonValue) -> None:
    found = find_line_faults(line_of({"type": "label", "timestamp": time}))
    assert found is not None
    assert "is no time in UTC that ends in Z" in found


@pytest.mark.parametrize(
    ("version", "told"), [(2, "2"), (None, "null"), ("3", "3"), (4, "4"), (True, "true")]
)
def test_the_format_version_is_the_third(version: JsonValue, told: str) -> None:
    assert find_line_faults(line_of(header("s", version=version))) == (
        f"format version {told}, not 3"
    )


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"\n", "a blank line"),
        (b'{"timestamp": "2026-01-01T00:00:00Z", "a": "\xff"}', "bytes that are not UTF-8"),
    ],
)
def test_bytes_that_pi_never_writes_are_faults(data: bytes, told: str) -> None:
    assert find_line_faults(parse_line(data, 1)) == told
