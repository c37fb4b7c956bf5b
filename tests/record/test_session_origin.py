"""Where a session was recorded, the models it names, and how its answers end."""

import pytest
from hypothesis import given

from longhaul.record.session_origin import find_aborted_turn, find_cut_answer, find_cwd, find_models
from longhaul.transcript.entries import JsonValue
from tests.record.vettable import LABEL, answer, header, line_of
from tests.records import asked
from tests.strategies import Record, json_values


def test_a_session_is_recorded_in_the_folder_of_its_name() -> None:
    assert find_cwd(line_of(header("ts-kv")), "ts-kv") is None
    assert find_cwd(line_of(asked("hello")), "ts-kv") is None


@pytest.mark.parametrize(
    ("cwd", "told"),
    [
        *((folder, folder) for folder in ("/work/other", "/work/ts-kv/", "/home/x/ts-kv")),
        (None, "null"),
        (5, "5"),
        (["/work/ts-kv"], "a list"),
    ],
)
def test_every_other_folder_is_found(cwd: JsonValue, told: str) -> None:
    assert find_cwd(line_of(header("ts-kv", cwd=cwd)), "ts-kv") == (
        f"recorded in {told}, not /work/ts-kv; record it in the sandbox, or name the file after its"
        " project"
    )


CHANGED: Record = {"type": "model_change", "provider": "scripted", "modelId": "scripted"}
USED: Record = {"type": "usage", "provider": "scripted", "model": "scripted"}


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (answer("Yes."), None),
        (answer("Yes.", model="other"), "scripted/other"),
        (answer("Yes.", provider=None), "null/scripted"),
        (answer("Yes.", responseModel="scripted"), None),
        (answer("Yes.", responseModel="real-7b"), "scripted/real-7b"),
        (CHANGED, None),
        ({**CHANGED, "modelId": "gpt"}, "scripted/gpt"),
        (USED, None),
        ({**USED, "provider": "there"}, "there/scripted"),
        ({"type": "usage"}, None),
        (asked("a model of another/name"), None),
    ],
)
def test_only_expected_models_are_named(record: Record, told: str | None) -> None:
    found = find_models(line_of(record), (LABEL,))
    assert found == (
        told and f"names {told}, not {LABEL}; record it under a label, or name it with --model"
    )


def test_any_of_several_labels_may_be_named() -> None:
    assert find_models(line_of(answer("Yes.")), ("example/local-27b", LABEL)) is None
    assert find_models(line_of(answer("Yes.")), ("example/local-27b",)) is not None


@pytest.mark.parametrize(
    ("stop", "kind"),
    [
        ("stop", None),
        ("toolUse", None),
        ("length", "an answer cut at the output limit"),
        ("aborted", "an aborted turn"),
        ("error", "a turn that ended in an error"),
    ],
)
def test_an_answer_ends_by_itself(stop: str, kind: str | None) -> None:
    line = line_of(answer("Yes.", stop=stop))
    told = [
        one.partition(";")[0] for one in (find_cut_answer(line), find_aborted_turn(line)) if one
    ]
    assert told == ([kind] if kind else [])


@given(json_values)
def test_nothing_that_a_line_can_hold_is_an_error(value: JsonValue) -> None:
    for record in (value, {"message": value}, {"type": "model_change", "modelId": value}):
        line = line_of(record)
        find_models(line, (LABEL,))
        assert find_cut_answer(line) is None
        assert find_aborted_turn(line) is None


@pytest.mark.parametrize("reason", [["aborted"], {"error": 1}, 7, None])
def test_a_reason_that_is_no_word_is_none_of_these(reason: JsonValue) -> None:
    line = line_of({"message": {"role": "assistant", "stopReason": reason}})
    assert (find_cut_answer(line), find_aborted_turn(line)) == (None, None)
