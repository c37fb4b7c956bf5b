"""Sessions held against what may be published, as files."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from longhaul.errors import CheckError, SessionError
from longhaul.record.deny_list import build_deny_list
from longhaul.record.session_check import Vetting, vet_sessions
from longhaul.record.session_rules import Expected
from longhaul.transcript.entries import JsonValue
from tests.pinned import DEMO
from tests.record.vettable import TIME, TOKEN, answer, expected, save
from tests.records import answered, asked, called, compacted
from tests.strategies import Record

CUT = answer("Half of", stop="length")


def vetted(
    *files: Path, held_to: Expected | None = None, exceptions: Path | None = None
) -> Vetting:
    return vet_sessions(files, held_to or expected(), exceptions=exceptions)


def told(vetting: Vetting) -> list[tuple[str, int, str]]:
    return [(one.file.name, one.line, one.kind) for one in vetting.findings]


def write(file: Path, *rows: str) -> Path:
    file.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return file


def test_a_session_that_may_be_published_gives_no_finding(tmp_path: Path) -> None:
    bodies = (
        asked("Build it in /work/a and measure /usr/bin/env."),
        answer("I look.", called("bash", command="cd /work/a && ls >/dev/null")),
        answered("commit 3f786850e387550fdab836ed7e6dc881de23001b at 127.0.0.1"),
        answer("Done."),
        compacted("e3"),
    )
    assert vetted(save(tmp_path, "a", *bodies)) == Vetting(
        findings=(), n_sessions=1, n_lines=6, n_reviewed=0
    )


EVERYWHERE: Sequence[tuple[str, Record]] = (
    ("user", asked("THIS")),
    ("text", answer("THIS")),
    ("thinking", answer("", {"type": "thinking", "thinking": "THIS"})),
    ("argument", answer("", called("bash", command="THIS"))),
    ("nested argument", answer("", called("edit", edits=[{"oldText": "THIS"}]))),
    ("output", answered("THIS")),
    ("details", answered("", details={"fullOutputPath": "THIS"})),
    ("key", answered("", details={"THIS": 1})),
    ("summary", compacted("e1", "THIS")),
    ("summary's details", compacted("e1", details={"readFiles": ["THIS"]})),
    ("custom entry", {"type": "custom", "customType": "x", "data": [["THIS"]]}),
    ("name", {"type": "session_info", "name": "THIS"}),
    ("unknown entry", {"type": "new", "some": {"field": "THIS"}}),
)


def put(value: JsonValue, text: str) -> JsonValue:
    """Return a value with `text` in the place of THIS."""
    match value:
        case str():
            return value.replace("THIS", text)
        case list():
            return [put(one, text) for one in value]
        case dict():
            return {key.replace("THIS", text): put(one, text) for key, one in value.items()}
    return value


@pytest.mark.parametrize("place", [pytest.param(body, id=name) for name, body in EVERYWHERE])
def test_what_must_not_be_published_is_found_in_every_string(tmp_path: Path, place: Record) -> None:
    text = f"see /home/x/y at 10.1.2.3 as alice with {TOKEN}"
    hidden = put(place, text)
    assert isinstance(hidden, dict)
    file = save(tmp_path, "a", asked("hello"), hidden)
    vetting = vetted(file, held_to=expected(deny=build_deny_list([(1, "alice")])))
    assert told(vetting) == [("a.jsonl", 3, kind) for kind in ("path", "network", "deny", "secret")]


def test_no_finding_tells_a_denied_word_or_a_secret(tmp_path: Path) -> None:
    text = f"/home/Alice/x alice.lan file:///{TOKEN} /srv/bob"
    session = asked(text)
    model = answer("", provider="alice", model=TOKEN)
    file = save(
        tmp_path, "a", session, model, {"type": "custom", "parentId": "alice"}, cwd="/home/bob"
    )
    deny = build_deny_list([(1, "alice"), (2, "bob")])
    vetting = vetted(file, held_to=expected(deny=deny))
    said = "\n".join(one.text for one in vetting.findings).lower()
    hidden = ("alice", "bob", TOKEN.lower(), TOKEN[4:12].lower())
    assert {one.kind for one in vetting.findings} == {
        *("format", "cwd", "model", "path", "network", "deny", "secret")
    }
    assert [word for word in hidden if word in said] == []


def test_no_finding_tells_the_beginning_of_a_denied_word_or_a_secret(tmp_path: Path) -> None:
    long, key = f"/srv/{'x' * 44}", f"AKIA{'Q7RT' * 4}"
    file = save(
        tmp_path, "a", asked(f"{long}/aliceinwonderland"), asked(f"{long} = {key}"), asked(long * 2)
    )
    deny = build_deny_list([(1, "aliceinwonderland")])
    found = {one.line: one.text for one in vetted(file, held_to=expected(deny=deny)).findings[::2]}
    assert found == {
        2: "not shown, for it may quote what is denied or secret",
        3: f"{long}: outside the sandbox; record without it, or review it",
        4: f"{(long * 2)[:59]}…: outside the sandbox; record without it, or review it",
    }


@pytest.mark.parametrize("depth", [100, 1_000, 1_020, 10_000])
def test_values_of_any_depth_are_told_by_their_kind(tmp_path: Path, depth: int) -> None:
    deep = b"[" * depth + b"]" * depth
    file = save(tmp_path, "a", asked("hello"), {"type": "model_change", "modelId": "DEEP"})
    data = file.read_bytes().replace(b'"DEEP"', deep).replace(b'"/work/a"', deep)
    file.write_bytes(data.replace(b'"version": 3', b'"version": ' + deep))
    assert [one.text.partition(";")[0].partition(":")[0] for one in vetted(file).findings] == [
        "format version a list, not 3",
        "recorded in a list, not /work/a",
        "names null/a list, not scripted/scripted",
    ]


def test_what_is_wrong_with_the_format_says_what_to_do(tmp_path: Path) -> None:
    (finding,) = vetted(save(tmp_path, "a")).findings
    assert finding.text == "no entry: record again, or restore the file"


def test_nothing_in_a_finding_acts_on_a_terminal(tmp_path: Path) -> None:
    texts = "\x1b[2J\x1b]0;x\x07/srv/\x1b[31ma\u202e\n"
    file = save(tmp_path, "a", answer("", provider=texts), cwd=texts)
    found = vetted(file).findings
    assert [(one.line, one.kind) for one in found] == [
        (1, "cwd"),
        (1, "path"),
        (2, "model"),
        (2, "path"),
    ]
    assert all(one.text.isprintable() for one in found)


def test_of_one_kind_a_line_has_one_finding(tmp_path: Path) -> None:
    file = save(
        tmp_path, "a", asked("/srv/a /srv/b"), {**asked("x"), "timestamp": "now", "parentId": "y"}
    )
    found = vetted(file).findings
    assert [(one.line, one.kind) for one in found] == [(2, "path"), (3, "format")]
    assert found[1].text == (
        "parent 'y' does not exist: the path begins here; timestamp now is no time in UTC that ends"
        " in Z: record again, or restore the file"
    )


def test_a_reviewed_finding_stands(tmp_path: Path) -> None:
    file = save(tmp_path, "a", CUT, asked("/srv/x"), CUT)
    write(tmp_path / "reviewed.txt", "length a:2 a draft", "# and", "path a:3 an example")
    vetting = vetted(file)
    assert told(vetting) == [("a.jsonl", 4, "length")]
    assert vetting.n_reviewed == 2


def test_an_exception_that_matches_nothing_is_a_finding_of_its_own(tmp_path: Path) -> None:
    save(tmp_path, "b", asked("hello"))
    file = save(tmp_path, "a", asked("hello"), CUT)
    rows = (
        "path a:3 was an example",
        "length a:2 moved",
        "length a:3 fits",
        "length b:3 not checked",
    )
    write(tmp_path / "reviewed.txt", *rows)
    vetting = vetted(file)
    assert told(vetting) == [("reviewed.txt", 1, "reviewed"), ("reviewed.txt", 2, "reviewed")]
    assert vetting.findings[0].text == (
        "nothing of kind path is found in line 3 of a any more; remove this line"
    )


def test_a_named_file_of_exceptions_takes_the_place_of_the_usual(tmp_path: Path) -> None:
    file = save(tmp_path, "a", CUT)
    write(tmp_path / "reviewed.txt", "path a:9 stale")
    named = write(tmp_path / "other.txt", "length a:2 fine")
    assert told(vetted(file, exceptions=named)) == []


def test_each_folder_has_exceptions_of_its_own(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        save(tmp_path / name, name, CUT)
        write(tmp_path / name / "reviewed.txt", f"length {name}:2 fine")
    vetting = vetted(tmp_path / "a", tmp_path / "b" / "b.jsonl")
    assert (told(vetting), vetting.n_sessions, vetting.n_reviewed) == ([], 2, 2)


def test_a_folder_stands_for_its_sessions_and_each_counts_once(tmp_path: Path) -> None:
    for name in ("b", "a"):
        save(tmp_path, name, CUT)
    write(tmp_path / "notes.txt", "no session")
    vetting = vetted(tmp_path, tmp_path / "a.jsonl")
    assert told(vetting) == [("a.jsonl", 2, "length"), ("b.jsonl", 2, "length")]


@pytest.mark.parametrize("name", ["none.jsonl", "folder", "notes.txt", ".jsonl", "link.jsonl"])
def test_what_is_no_session_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    write(tmp_path / "notes.txt", "{}")
    write(tmp_path / ".jsonl", "{}")
    (tmp_path / "link.jsonl").symlink_to(save(tmp_path, "a", asked("hello")))
    with pytest.raises((CheckError, SessionError)):
        vetted(tmp_path / name)


def test_a_link_in_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.jsonl").symlink_to(save(tmp_path, "a", asked("hello")))
    with pytest.raises(CheckError, match="a link; give the file that it leads to"):
        vetted(tmp_path / "in")


def test_two_sessions_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    files = [save(folder, "a", asked("hello")) for folder in (tmp_path, tmp_path / "in")]
    with pytest.raises(CheckError, match="are of one name; check them one by one"):
        vetted(*files)


HUGE: Sequence[tuple[str, bytes]] = (
    ("slashes", b"/" * 300_000),
    ("folders", b"/home" * 20_000),
    ("escapes", b"\\\\" * 50_000),
    ("spelled breaks", b"\\\\n/" * 20_000),
    ("numbers", b"1." * 50_000),
    ("names", b".lan" * 20_000),
    ("groups", b"fd00:" * 20_000),
    ("open colours", b"\\u001b[" * 5_000),
)


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in HUGE])
def test_a_huge_line_ends_and_what_follows_it_is_found(tmp_path: Path, text: bytes) -> None:
    file = save(tmp_path, "a", asked("HERE"), CUT)
    file.write_bytes(file.read_bytes().replace(b"HERE", text))
    assert ("a.jsonl", 3, "length") in told(vetted(file))


@pytest.mark.parametrize(
    "damage",
    [
        b"\x00" * 1_000,
        b'{"type": "message", "id": "\xff\xfe", "parentId": "e1", "timestamp": "x"}',
        b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
        b"[" * 100_000,
        b'"' * 10_000,
        b"null",
    ],
)
def test_a_damaged_line_is_found_and_stops_nothing(tmp_path: Path, damage: bytes) -> None:
    file = save(tmp_path, "a", asked("hello"), CUT)
    head, root, cut = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(head + root + damage + b"\n" + cut)
    found = told(vetted(file))
    assert found[0] == ("a.jsonl", 3, "format")
    assert found[-1] == ("a.jsonl", 4, "length")


def test_what_is_hidden_in_depth_or_behind_a_second_key_is_found(tmp_path: Path) -> None:
    file = save(tmp_path, "a", asked("hello"))
    entry = b'{"type": "custom", "id": "e2", "parentId": "e1", "timestamp": "%s", ' % TIME.encode()
    deep = b'"data": ' + b'{"a":' * 5_000 + b'"/srv/deep"' + b"}" * 5_000 + b"}\n"
    twice = entry.replace(b"e1", b"e2").replace(b"e2", b"e3", 1) + b'"data": "/srv/x", "data": 1}\n'
    file.write_bytes(file.read_bytes() + entry + deep + twice)
    assert told(vetted(file)) == [("a.jsonl", 3, "path"), ("a.jsonl", 4, "path")]


def test_the_demo_session_quotes_two_paths_of_the_machine_that_its_user_tells_of() -> None:
    (finding,) = vetted(DEMO).findings
    assert (finding.line, finding.kind, finding.text) == (
        64,
        "path",
        "/var/lib/gauge/2026-11.csv, /opt/report/report.py: outside the sandbox; record without it,"
        " or review it",
    )


def test_an_exception_for_a_session_that_is_nowhere_is_a_finding(tmp_path: Path) -> None:
    for name in ("a", "b"):
        save(tmp_path, name, asked("hello"))
    write(tmp_path / "reviewed.txt", "path a.jsonl:2 fine", "path bee:2 fine", "path b:2 not asked")
    vetting = vet_sessions([tmp_path / "a.jsonl"], expected())
    assert [(one.kind, one.line, one.text) for one in vetting.findings] == [
        ("reviewed", 1, "no session is called a.jsonl; write a"),
        ("reviewed", 2, "no session is called bee; mend the name, or remove this line"),
    ]
