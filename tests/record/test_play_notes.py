"""What is noted about a play and is no error."""

from typing import Any

import pytest

from longhaul.record.play_notes import failure_text, find_unfilled
from longhaul.record.plays import parse_play
from longhaul.transcript.entries import JsonValue
from tests.record.plays import bash, play_record, say, turn


def unfilled(*turns: dict[str, Any]) -> list[str]:
    return [str(one) for one in find_unfilled(parse_play(play_record(*turns)))]


def ended(text: str, *, is_error: bool = True) -> dict[str, JsonValue]:
    result: JsonValue = {"content": [{"type": "text", "text": text}]}
    return {"toolName": "bash", "isError": is_error, "result": result}


def test_a_name_that_is_captured_before_it_stands_is_not_noted() -> None:
    first = turn("Go.", bash("true"), say("At {{hash}}.", capture={"hash": "x"}))
    assert unfilled(first, turn("On.", say("Still {{hash}}."))) == []


def test_a_name_that_no_capture_or_only_a_later_one_finds_is_noted_once() -> None:
    write = {"tools": [{"write": {"path": "a", "edits": [{"new": "{{later}} {{title}}"}]}}]}
    later = say("{{later}} {{title}}", capture={"later": "x"})
    assert unfilled(turn("Go.", write, later)) == [
        "u1 step 1: {{later}} stays as it stands: no capture has found it",
        "u1 step 1: {{title}} stays as it stands: no capture has found it",
    ]


def test_a_tool_that_did_not_fail_gives_no_text() -> None:
    assert failure_text(ended("fine", is_error=False)) is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Tool Bash\nnot found", "Tool Bash not found"),
        ("", "without a word"),
        ("ab " * 60 + "\n\nexited with code 3\n", f"{'ab ' * 19}ab… exited with code 3"),
    ],
)
def test_a_failure_is_told_on_one_line_with_its_exit(text: str, shown: str) -> None:
    assert failure_text(ended(text)) == f"bash failed: {shown}"


def test_a_result_of_another_shape_is_told_too() -> None:
    assert failure_text({"isError": True, "result": "?"}) == "a tool failed: without a word"
