import json
import os
from pathlib import Path
from typing import Any

import pytest

from longhaul.evals.session_labels import (
    MAX_FILE_BYTES,
    GoalLabel,
    LabelError,
    RuleLabel,
    SessionLabels,
    UnknownField,
    ValueLabel,
    load_labels,
)
from tests.evals.label_files import LABELS, NAME, changed, parsed, save_labels

RULE: dict[str, Any] = {"turn": "u2", "marker": "lower"}
VALUE: dict[str, Any] = {"turn": "u3", "accept": ["37"], "usedAt": ["u6"]}


def fault_of(file: Path) -> str:
    with pytest.raises(LabelError) as raised:
        load_labels(file)
    return str(raised.value).removeprefix(f"{file}: ")


def fault_in(folder: Path, **fields: Any) -> str:
    return fault_of(save_labels(folder, **{NAME: changed(**fields)}))


def written(folder: Path, data: bytes | str) -> Path:
    file = folder / "labels.json"
    file.write_bytes(data if isinstance(data, bytes) else data.encode())
    return file


def test_a_file_gives_the_labels_of_each_session_in_its_order(tmp_path: Path) -> None:
    found = load_labels(save_labels(tmp_path, tide=LABELS, chores={"goal": None}))
    assert list(found.items()) == [
        (
            "tide",
            SessionLabels(
                goal=GoalLabel(1, "tide"),
                rules=(
                    RuleLabel(turn=2, marker="lower case", lifted_at=5),
                    RuleLabel(turn=3, marker="one decimal"),
                ),
                values=(
                    ValueLabel(turn=3, accept=("165.7 ms", "166 ms"), used_at=(6,), history=True),
                ),
                one_offs=(4,),
            ),
        ),
        ("chores", SessionLabels()),
    ]


def test_what_may_be_left_out_may_be_null_too() -> None:
    rule = {**RULE, "liftedAt": None}
    value = {**VALUE, "history": None}
    record = {"rules": [rule], "values": [value], "doubtful": None, "oneOffs": None}
    assert parsed(record) == SessionLabels(
        rules=(RuleLabel(turn=2, marker="lower"),),
        values=(ValueLabel(turn=3, accept=("37",), used_at=(6,)),),
    )
    assert parsed({"rules": None, "values": None, "doubtful": ["u7"]}) == SessionLabels(
        doubtful=(7,)
    )


def test_what_the_format_does_not_know_is_passed_over_and_noted() -> None:
    record = changed(
        goal={"turn": "u1", "marker": "tide", "why": [[]]},
        rules=[{**RULE, "liftedat": "u5"}],
        values=[{**VALUE, "unit": "ms"}],
        author="me",
    )
    assert parsed(record).unknown == (
        UnknownField("tide.author", ("goal", "rules", "values", "doubtful", "oneOffs")),
        UnknownField("tide.goal.why", ("turn", "marker")),
        UnknownField("tide.rules[0].liftedat", ("turn", "marker", "liftedAt")),
        UnknownField("tide.values[0].unit", ("turn", "accept", "usedAt", "history")),
    )


def test_a_byte_order_mark_and_an_odd_but_valid_expression_do_no_harm(tmp_path: Path) -> None:
    record = {NAME: {"rules": [{**RULE, "marker": "(?i)[[a]"}]}}
    file = written(tmp_path, b"\xef\xbb\xbf" + json.dumps(record).encode())
    assert load_labels(file)[NAME].rules == (RuleLabel(turn=2, marker="(?i)[[a]"),)


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"goal": "tide"}, "tide.goal: expected object, got str"),
        ({"goal": {"turn": "u1"}}, "tide.goal.marker: expected str, got null"),
        ({"rules": {}}, "tide.rules: expected list, got dict"),
        ({"rules": [RULE, 7]}, "tide.rules[1]: expected object, got int"),
        (
            {"rules": [{"turn": "u0", "marker": "x"}]},
            'tide.rules[0].turn: expected a user message such as u7, got "u0"',
        ),
        (
            {"rules": [{"turn": "7", "marker": "x"}]},
            'tide.rules[0].turn: expected a user message such as u7, got "7"',
        ),
        (
            {"rules": [{"turn": 7, "marker": "x"}]},
            "tide.rules[0].turn: expected a user message such as u7, got 7",
        ),
        (
            {"rules": [{"marker": "x"}]},
            "tide.rules[0].turn: expected a user message such as u7, got null",
        ),
        (
            {"rules": [RULE, RULE, {**RULE, "marker": "(a"}]},
            "tide.rules[2].marker: expected a regular expression (missing ), unterminated"
            ' subpattern at position 0), got "(a"',
        ),
        (
            {"rules": [{**RULE, "marker": "(" * 5000}]},
            "tide.rules[0].marker: expected a regular expression (nested too deeply),"
            f' got "{"(" * 59}…',
        ),
        (
            {"rules": [{**RULE, "marker": "a{99999999999}"}]},
            "tide.rules[0].marker: expected a regular expression (the repetition number is too"
            ' large), got "a{99999999999}"',
        ),
        (
            {"rules": [{**RULE, "liftedAt": "u1"}]},
            'tide.rules[0].liftedAt: expected a user message after u2, got "u1"',
        ),
        (
            {"rules": [{**RULE, "liftedAt": "u2"}]},
            'tide.rules[0].liftedAt: expected a user message after u2, got "u2"',
        ),
        (
            {"rules": [{**RULE, "liftedAt": ["u3"]}]},
            "tide.rules[0].liftedAt: expected a user message such as u7, got list",
        ),
        (
            {"values": [{**VALUE, "accept": []}]},
            "tide.values[0].accept: expected at least one spelling, got []",
        ),
        (
            {"values": [{**VALUE, "accept": ["37", " "]}]},
            'tide.values[0].accept[1]: expected a spelling of at most 1,000 characters, got " "',
        ),
        (
            {"values": [{**VALUE, "accept": ["7" * 1001]}]},
            "tide.values[0].accept[0]: expected a spelling of at most 1,000 characters, got"
            f' "{"7" * 59}…',
        ),
        (
            {"values": [{**VALUE, "accept": [37]}]},
            "tide.values[0].accept[0]: expected str, got int",
        ),
        ({"values": [{**VALUE, "accept": "37"}]}, "tide.values[0].accept: expected list, got str"),
        (
            {"values": [{**VALUE, "usedAt": ["u3"]}]},
            'tide.values[0].usedAt[0]: expected a user message after u3, got "u3"',
        ),
        (
            {"values": [{**VALUE, "history": "yes"}]},
            "tide.values[0].history: expected true or false, got str",
        ),
        ({"oneOffs": ["u4", "4"]}, 'tide.oneOffs[1]: expected a user message such as u7, got "4"'),
        ({"doubtful": "u4"}, "tide.doubtful: expected list, got str"),
    ],
)
def test_a_wrong_field_is_named_with_file_and_session(
    tmp_path: Path, fields: dict[str, Any], fault: str
) -> None:
    assert fault_in(tmp_path, **fields) == fault


@pytest.mark.parametrize("name", ["", "../tide", "a/b", "a\\b", ".tide", "a\0"])
def test_a_session_is_named_by_a_file_beside_the_labels_and_nowhere_else(
    tmp_path: Path, name: str
) -> None:
    fault = fault_of(save_labels(tmp_path, **{name: LABELS}))
    expected = f"expected a file name without .jsonl, got {json.dumps(name)}"
    assert fault == f"a session's key: {expected}"


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "not JSON: Expecting value: line 1 column 1 (char 0)"),
        (b"[]", "labels: expected object, got list"),
        (b'{"tide": 7}', "tide: expected object, got int"),
        (b'{"t\xff": {}}', "not UTF-8: byte 3 is 0xff"),
        (b'{"tide": NaN}', "not JSON: NaN is no value of it"),
        (b"[" * 100_000, "not a label file: nested too deeply"),
        (
            b'{"tide": {"goal": {"turn": %s}}}' % (b"7" * 5000),
            "tide.goal.turn: expected a user message such as u7, got Infinity",
        ),
        (b'{"tide": {}, "tide": {}}', "tide stands there twice"),
        (
            b'{"tide": {"rules": [{}, {"turn": "u1", "turn": "u2"}]}}',
            "tide.rules[1].turn stands there twice",
        ),
    ],
)
def test_what_is_no_label_file_is_said_in_a_line(tmp_path: Path, data: bytes, fault: str) -> None:
    assert fault_of(written(tmp_path, data)) == fault


def test_a_marker_that_takes_too_long_to_compile_is_named(tmp_path: Path) -> None:
    wide = "".join(f"[{chr(first)}-\uffff]" for first in range(256, 1256))
    expected = "expected a regular expression that compiles within a second, got"
    fault = fault_in(tmp_path, rules=[{**RULE, "marker": wide}])
    assert fault.startswith(f"tide.rules[0].marker: {expected}")


def test_what_is_no_small_plain_file_is_not_read(tmp_path: Path) -> None:
    assert fault_of(tmp_path / "none.json") == "cannot be read: No such file or directory"
    assert fault_of(tmp_path) == "cannot be read: Is a directory"
    os.mkfifo(tmp_path / "pipe.json")
    assert fault_of(tmp_path / "pipe.json") == "no plain file"
    huge = tmp_path / "huge.json"
    with huge.open("wb") as stream:
        stream.truncate(MAX_FILE_BYTES + 1)
    assert fault_of(huge) == "larger than 16,777,216 bytes"
