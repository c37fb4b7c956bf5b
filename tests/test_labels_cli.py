"""`longhaul labels` as a person types it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from longhaul.cli.main import main
from tests.evals.label_files import BODIES, LABELS, NAME, changed, save_labels, save_session
from tests.records import asked, compacted, replied


def run(*arguments: str | Path) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, ["labels", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    save_session(tmp_path)
    return save_labels(tmp_path, tide=LABELS)


TABLE = """\
┏━━━━━━━━━┳━━━━━┳━━━━━┳━━━━━━┳━━━━━┳━━━━━━━━┳━━━━━━┳━━━━━━━┳━━━━━━━━┓
┃ session ┃cuts ┃goal ┃rules ┃span ┃earlier ┃lifts ┃values ┃history ┃
┡━━━━━━━━━╇━━━━━╇━━━━━╇━━━━━━╇━━━━━╇━━━━━━━━╇━━━━━━╇━━━━━━━╇━━━━━━━━┩
│ tide    │   3 │   3 │    3 │   2 │      1 │    1 │     1 │      1 │
├─────────┼─────┼─────┼──────┼─────┼────────┼──────┼───────┼────────┤
│ all     │   3 │   3 │    3 │   2 │      1 │    1 │     1 │      1 │
└─────────┴─────┴─────┴──────┴─────┴────────┴──────┴───────┴────────┘
judgements at all compactions (cuts); rules: span and earlier, values: history included
1 session: 0 errors, 0 notes
"""


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


def test_labels_that_hold_are_counted(labels: Path) -> None:
    code, stdout, stderr = run("check", labels)
    assert (code, lines(stdout), stderr) == (0, lines(TABLE), "")


def test_the_folder_stands_for_the_labels_in_it(labels: Path) -> None:
    assert run("check", labels.parent) == run("check", labels)
    assert run("check", labels, "--session", NAME) == run("check", labels)
    assert run("check", labels, "--session", f"{NAME}.jsonl") == run("check", labels)


def test_an_error_ends_with_1_and_names_the_label_and_the_line(tmp_path: Path) -> None:
    save_session(tmp_path)
    rules = [{"turn": "u2", "marker": "upper\x1b[31]\ncase"}]
    file = save_labels(tmp_path, tide=changed(rules=rules))
    code, stdout, stderr = run("check", file)
    found = "tide.rules[0].marker: /upper case/ does not match its own message, u2 (tide.jsonl:4)"
    assert (code, stderr) == (1, "")
    assert stdout.splitlines()[0] == f"error {file}: {found}"
    assert stdout.splitlines()[-1] == "1 session: 1 error, 0 notes"


def test_notes_end_with_0(tmp_path: Path) -> None:
    for name in (NAME, "other"):
        save_session(tmp_path, name=name)
    file = save_labels(tmp_path, tide=changed(author="me"))
    code, stdout, _ = run("check", file)
    known = "goal, rules, values, doubtful, oneOffs"
    assert code == 0
    assert stdout.splitlines()[:2] == [
        f"note {file}: tide.author: not read; known here: {known}",
        f"note {file}: other: has no labels",
    ]
    assert stdout.splitlines()[-1] == "1 session: 0 errors, 2 notes"
    assert "has no labels" not in run("check", file, "--session", NAME)[1]


def test_sessions_without_labels_are_counted_where_no_other_has_any(tmp_path: Path) -> None:
    save_session(tmp_path)
    code, stdout, _ = run("check", save_labels(tmp_path))
    assert (code, stdout.splitlines()[-1]) == (0, "0 sessions: 0 errors, 1 note")


def test_the_table_fits_a_narrow_terminal_with_names_whole(tmp_path: Path) -> None:
    save_session(tmp_path, name="a-name-of-18-chars")
    file = save_labels(tmp_path, **{"a-name-of-18-chars": LABELS})
    done = CliRunner().invoke(main, ["labels", "check", str(file)], env={"COLUMNS": "80"})
    *table, _, _ = done.stdout.splitlines()
    assert max(map(len, table)) <= 80
    assert "│ a-name-of-18-chars │" in done.stdout
    assert "┃earlier ┃" in done.stdout


def test_a_key_with_the_files_ending_is_refused(tmp_path: Path) -> None:
    save_session(tmp_path)
    code, _, stderr = run("check", save_labels(tmp_path, **{f"{NAME}.jsonl": LABELS}))
    assert code == 1
    assert 'a session\'s key: expected a file name without .jsonl, got "tide.jsonl"' in stderr


def test_json_holds_findings_and_what_is_due_at_each_compaction(labels: Path) -> None:
    code, stdout, _ = run("check", labels, "--json")
    record = json.loads(stdout)
    (session,) = record["sessions"]
    last = session["compactions"][-1]
    judgements = {
        "goal": 3,
        "rules": 3,
        "span": 2,
        "earlier": 1,
        "lifts": 1,
        "values": 1,
        "history": 1,
    }
    assert code == 0
    assert (record["compactions"], record["judgements"]) == (3, judgements)
    assert (record["unlabelled"], session["findings"]) == ([], [])
    assert last == {
        "compaction": 3,
        "line": 20,
        "firstKeptEntryId": "e18",
        "closedMessages": 6,
        "isSplitTurn": True,
        "goal": 1,
        "span": [],
        "earlier": [3],
        "lifted": [2],
        "notJudged": [],
        "values": [],
    }
    assert session["compactions"][1]["values"] == [{"turn": 3, "usedAt": [6], "history": True}]


def test_json_names_an_error_and_ends_with_1(tmp_path: Path) -> None:
    file = save_labels(tmp_path, gone={})
    code, stdout, _ = run("check", file, "--json")
    (finding,) = json.loads(stdout)["sessions"][0]["findings"]
    text = f"{tmp_path / 'gone.jsonl'}: no such file"
    assert (code, finding) == (1, {"level": "error", "place": "gone", "text": text, "line": None})


def test_a_bad_label_file_is_said_in_a_line(tmp_path: Path) -> None:
    file = save_labels(tmp_path, tide=changed(goal=7))
    code, stdout, stderr = run("check", file)
    fault = f"Error: {file}: tide.goal: expected object, got int\n"
    assert (code, stdout, stderr) == (1, "", fault)


def test_misuse_ends_with_2(labels: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    asked_for = [
        run("check", tmp_path / "none.json"),
        run("check", empty),
        run("check", labels, "--session", "\x1bx"),
        run("show", labels, "nowhere"),
        run("show", empty, "nowhere"),
        run("show", empty, f"../{NAME}"),
    ]
    assert [(code, stdout) for code, stdout, _ in asked_for] == [(2, "")] * 6
    assert [stderr.splitlines()[-1].partition(": ")[2] for _, _, stderr in asked_for][1:] == [
        "Invalid value for LABELS: there is no labels.json in this folder",
        "Invalid value for --session: no labels of '\\x1bx'; there are labels of 'tide'",
        "Invalid value for NAME: no session 'nowhere' here; there are labels of 'tide'",
        "Invalid value for NAME: no session 'nowhere' here; there are no labels",
        "Invalid value for NAME: no session '../tide' here; there are no labels",
    ]


def test_a_labeller_sees_messages_labels_and_cuts(labels: Path) -> None:
    code, stdout, stderr = run("show", labels, f"{NAME}.jsonl")
    assert (code, stderr) == (0, "")
    assert stdout.splitlines() == [
        'u1  "Build tidewatch, a tide table reader."  line 2',
        "      goal /tide/",
        "-- compaction 1 cuts after u1 (line 6, made after u2)",
        'u2  "Commit subjects in lower case."  line 4',
        "      rules[0] /lower case/ until u5",
        'u3  "How long does it take? Always round to" (+1 line)  line 7',
        "      rules[1] /one decimal/",
        "      values[0] made: 165.7 ms or 166 ms, history",
        "-- compaction 2 cuts after u3 (line 13, made after u4)",
        'u4  "Never mind the docs for now."  line 11',
        "      one-off",
        'u5  "Capitals are fine again in subjects."  line 14',
        "      lifts rules[0] /lower case/ of u2",
        'u6  "Put the time that you measured first into the README."  line 16',
        "      values[0] used: 165.7 ms or 166 ms",
        "-- compaction 3 cuts inside u6 (line 20, made after u6)",
    ]


def test_a_session_without_labels_is_shown_and_harms_no_terminal(tmp_path: Path) -> None:
    bodies = (
        *(replied("Hi."), compacted("e1")),
        *(asked("\n\x1b[2J\u202eone\nand two"), compacted("e3"), replied("x" * 200)),
        asked("y " * 100),
    )
    save_session(tmp_path, *bodies)
    assert run("show", tmp_path, NAME)[1].splitlines() == [
        "-- compaction 1 cuts before u1 (line 3)",
        "-- compaction 2 cuts before u1 (line 5, made in u1)",
        'u1  "one" (+1 line)  line 4',
        f'u2  "{"y " * 59}y…"  line 7',
    ]
    save_session(tmp_path, replied("Hi."))
    assert run("show", tmp_path, NAME)[1] == "no user message\n"


def test_messages_are_shown_whole_where_asked(labels: Path) -> None:
    _, stdout, _ = run("show", labels, NAME, "--whole")
    assert stdout.splitlines()[7:12] == [
        "u3  line 7",
        "  > How long does it take? Always round to",
        "  > one decimal.",
        "      rules[1] /one decimal/",
        "      values[0] made: 165.7 ms or 166 ms, history",
    ]


def test_without_a_name_the_sessions_are_listed(labels: Path) -> None:
    save_session(labels.parent, name="other")
    code, stdout, _ = run("show", labels)
    assert (code, stdout) == (0, "other  (no labels)\ntide\n")
    assert json.loads(run("show", labels.parent, "--json")[1]) == [
        {"session": "other", "labels": False},
        {"session": NAME, "labels": True},
    ]


def test_a_folder_without_sessions_has_none_to_list(tmp_path: Path) -> None:
    assert run("show", tmp_path) == (0, "no session here\n", "")


def test_programs_get_whole_messages(tmp_path: Path) -> None:
    save_session(tmp_path, *BODIES[5:9], compacted("e1"))
    save_labels(tmp_path, tide={"doubtful": ["u1"]})
    record = json.loads(run("show", tmp_path, NAME, "--json")[1])
    text = "How long does it take? Always round to\none decimal."
    said = [{"message": "u1", "line": 2, "text": text, "labels": ["doubtful"]}]
    cut = {
        "compaction": 1,
        "line": 6,
        "firstKeptEntryId": "e1",
        "closedMessages": 0,
        "isSplitTurn": False,
    }
    assert record == {"session": NAME, "messages": said, "compactions": [cut]}


def test_a_session_that_cannot_be_read_is_said_in_a_line(tmp_path: Path) -> None:
    save_labels(tmp_path, tide=LABELS)
    code, stdout, stderr = run("show", tmp_path, NAME)
    assert (code, stdout) == (1, "")
    assert stderr == f"Error: {tmp_path / 'tide.jsonl'}: no such file\n"


def test_measure_counts_what_the_recorded_compactions_keep(labels: Path) -> None:
    code, out, _ = run("measure", labels, "--json")
    record = json.loads(out)
    assert code == 0
    assert record["all"] == record["sessions"]["tide"]
    assert record["all"]["due"]["rules"] == 3
    assert 0 <= record["all"]["kept"]["rules"] <= 3


def test_measure_prints_a_row_for_each_session_and_their_sum(labels: Path) -> None:
    code, out, _ = run("measure", labels)
    rows = [line.split("│")[1].strip() for line in out.splitlines() if line.startswith("│")]
    assert (code, rows) == (0, ["tide", "all"])


def test_measure_lists_what_was_lost_and_the_line_that_broke_a_lift(tmp_path: Path) -> None:
    state = "## Goal\ntide\n## Rules\n- u2: lower case\n- u3: one decimal\n## Values\n166 ms"
    save_session(tmp_path, *BODIES[:11], compacted("e10"), *BODIES[12:18], compacted("e18", state))
    file = save_labels(tmp_path, tide=LABELS)
    code, stdout, _ = run("measure", file, "--lost")
    assert code == 0
    assert [line for line in stdout.splitlines() if line.startswith("tide.jsonl")] == [
        "tide.jsonl:6: compaction 1: goal: u1 is lost",
        "tide.jsonl:13: compaction 2: goal: u1 is lost",
        "tide.jsonl:13: compaction 2: span: u2 /lower case/ is lost",
        "tide.jsonl:13: compaction 2: span: u3 /one decimal/ is lost",
        "tide.jsonl:13: compaction 2: values: u3 165.7 ms is lost",
        'tide.jsonl:20: compaction 3: lifts: u2 /lower case/ stands in force: "- u2: lower case"',
    ]
    last = json.loads(run("measure", file, "--lost", "--json")[1])["lost"][-1]
    assert last == {
        "session": NAME,
        "compaction": 3,
        "line": 20,
        "measure": "lifts",
        "label": "u2 /lower case/",
        "text": "- u2: lower case",
    }
    assert "lost" not in json.loads(run("measure", file, "--json")[1])


def test_measure_says_what_to_run_where_labels_do_not_hold(tmp_path: Path) -> None:
    save_session(tmp_path)
    file = save_labels(tmp_path, tide=changed(oneOffs=["u99"]))
    hint = f"`longhaul labels check {file}` lists what is wrong\n"
    code, _, stderr = run("measure", file)
    assert (code, stderr) == (
        0,
        f"tide.oneOffs[0]: u99 does not exist: the path has 6 user messages; it is not counted;"
        f" {hint}",
    )
    gone = save_labels(tmp_path, gone=LABELS)
    code, _, stderr = run("measure", gone)
    assert code == 1
    assert stderr == (
        f"Error: {tmp_path / 'gone.jsonl'}: no such file, which {gone} has labels of; {hint}"
    )


def test_measure_tells_what_is_damaged_in_a_session(labels: Path) -> None:
    file = labels.parent / f"{NAME}.jsonl"
    file.write_bytes(file.read_bytes() + b"{\n")
    code, _, stderr = run("measure", labels)
    assert code == 0
    assert stderr.startswith(f"{file}:21: not one JSON value: skipped")


def test_measure_names_a_marker_that_takes_too_long(tmp_path: Path) -> None:
    save_session(tmp_path, *BODIES[:4], compacted("e3", "x" * 60))
    file = save_labels(tmp_path, tide={"goal": {"turn": "u1", "marker": "(x+x+)+y"}})
    code, stdout, stderr = run("measure", file)
    assert (code, stdout) == (1, "")
    assert stderr.startswith(
        f"Error: {file}: tide: /(x+x+)+y/ takes longer than a second on a line"
    )
