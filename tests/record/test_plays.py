"""Plays and scenarios as files: what they hold, and what is said of those that do not."""

from pathlib import Path
from typing import Any

import pytest

from longhaul.record.play_file import load_play, stem_of
from longhaul.record.plays import Play, PlayError, Step, ToolCall, Turn
from tests.pinned import ROOT
from tests.record.plays import bash, play_record, save_play, say, turn

HEAD = "name: tiny\nwindow: 10000\nreserve: 4000\nkeep_recent: 500\n"
ONE = "turns:\n- user: Go.\n  steps:\n  - text: Done.\n"


def load(folder: Path, text: str) -> Play:
    path = folder / "p.yaml"
    path.write_text(text, encoding="utf-8")
    return load_play(path)


def error(folder: Path, text: str) -> str:
    with pytest.raises(PlayError) as caught:
        load(folder, text)
    return str(caught.value).removeprefix(str(folder / "p.yaml"))


def test_a_play_is_read_field_by_field(tmp_path: Path) -> None:
    record = play_record(
        turn("Go.", bash("ls"), say(" Done. ", thinking="hm", capture={"n": "(.)"}), answers=["a"]),
        turn("No.", bash("sleep 9", abort=True), back_to="u1"),
        extensions=["x.ts"],
    )
    play = load_play(save_play(tmp_path, record))
    step = play.turns[0].steps[1]
    assert (play.name, play.window_tokens, play.reserve_tokens, play.keep_recent_tokens) == (
        *("tiny", 10_000, 4_000, 500),
    )
    assert play.extensions == ("x.ts",)
    assert play.turns[0].steps[0] == Step(
        tools=(ToolCall(name="bash", arguments={"command": "ls"}),)
    )
    assert (step.text, step.thinking) == ("Done.", "hm")
    assert [(one.name, one.pattern.pattern) for one in step.captures] == [("n", "(.)")]
    assert (play.turns[0].answers, play.turns[0].back_to) == (("a",), None)
    assert (play.turns[1].back_to, play.turns[1].steps[0].aborts) == (1, True)
    assert play.is_scripted
    assert play.complaints == ()


def test_a_scenario_has_user_turns_alone(tmp_path: Path) -> None:
    play = load(tmp_path, HEAD + "turns:\n- user: Go.\n- user: On.\n")
    assert play.turns == (Turn(user="Go."), Turn(user="On."))
    assert not play.is_scripted


def test_keys_that_nobody_knows_are_noted_and_have_no_effect(tmp_path: Path) -> None:
    play = load(tmp_path, HEAD + "author: me\n" + ONE + "    captures: {a: b}\n")
    assert play.complaints == (
        "author is not known and has no effect",
        "turns[0].steps[0].captures is not known and has no effect",
    )


def test_a_clock_time_stays_as_it_is_written(tmp_path: Path) -> None:
    text = HEAD + "turns:\n- user: Go.\n  steps:\n  - tools: [{wait: {until: 12:30}}]\n"
    assert load(tmp_path, text).turns[0].steps[0].tools[0].arguments == {"until": "12:30"}


STEP = "turns[0].steps[0]"
NUMBER = "expected a whole number from 1 to 1,000,000,000"
TEXT = "expected text (in quotes, if it looks like another)"


def step(text: str) -> str:
    """Return a play whose only step, in line 8, holds `text`."""
    return HEAD + ONE.replace("text: Done.", text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", " is empty; a play has a name, limits and turns"),
        ("a: [", ":1 is not YAML: expected the node content, but found '<stream end>'"),
        ("- 1\n", ":1 the file: expected keys and values, got list"),
        (HEAD, ":1 turns: expected a turn or more, got list"),
        (HEAD + ONE + "name: x\n", ":9 name: expected each key once, got it twice"),
        (HEAD.replace("tiny", "../x") + ONE, ":1 name: expected letters, digits, `.`, `_` and"),
        (HEAD.replace("10000", "-5") + ONE, f":2 window: {NUMBER}, got -5"),
        (HEAD.replace("10000", "3000") + ONE, ":2 window: expected more than reserve (4,000)"),
        (HEAD.replace("500", "true") + ONE, f":4 keep_recent: {NUMBER}, got true"),
        (HEAD + "turns: yes\n", ":5 turns: expected a list, got true"),
        (
            HEAD + "turns:\n- user: 2026-01-01\n",
            ":6 turns[0].user: expected text or a number (quote",
        ),
        (HEAD + "turns:\n- user: 5\n", f":6 turns[0].user: {TEXT}, got 5"),
        (HEAD + "turns:\n- user: ' '\n", ":6 turns[0].user: expected what the user says, got an"),
        (HEAD + ONE + "- user: On.\n", ":9 turns[1].steps: expected a step or more, as other"),
        (step("tools: [{a: {}, b: {}}]"), f":8 {STEP}.tools[0]: expected one `tool: arguments`"),
        (step("tools: [{bash: ls}]"), f":8 {STEP}.tools[0].bash: expected the arguments by name"),
        (step("abort: true"), f":8 {STEP}.abort: expected a step with tools, which it stops"),
        (step("capture: {a: b}"), f":8 {STEP}: expected thinking, text or tools, got none"),
        (step("capture: {a-b: b}"), f":8 {STEP}.capture.a-b: expected a name of letters"),
        (HEAD + ONE + "  back_to: u1\n", ":9 turns[0].back_to: expected an earlier turn, got u1"),
        (HEAD + ONE + "  back_to: 1\n", f":9 turns[0].back_to: {TEXT}, got 1"),
        (HEAD + "turns: &a [*a]\n", ":5 turns[0][0]"),
    ],
)
def test_what_is_wrong_is_said_with_line_and_field(
    tmp_path: Path, text: str, expected: str
) -> None:
    assert error(tmp_path, text).startswith(expected)


def test_a_regular_expression_that_is_none_is_refused(tmp_path: Path) -> None:
    text = HEAD + ONE.replace("Done.", "Done.\n    capture: {n: '('}")
    assert error(tmp_path, text).startswith(":9 turns[0].steps[0].capture.n: expected a regular")


def test_aliases_that_grow_without_bound_are_refused(tmp_path: Path) -> None:
    rows = [f"b{n}: &b{n} [{', '.join([f'*b{n - 1}'] * 9)}]" for n in range(1, 9)]
    assert "expected less, and less deep, got too much" in error(
        tmp_path, "\n".join(("b0: &b0 [1]", *rows)) + "\n"
    )


def test_a_file_that_is_not_utf_8_is_refused_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_bytes(b"name: tiny\nwindow: \xff\n")
    with pytest.raises(PlayError, match=r"p\.yaml:2 is not UTF-8; save it as UTF-8"):
        load_play(path)


def test_a_file_that_is_not_there_is_an_error_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(PlayError, match=r"cannot read .*none\.yaml: No such file or directory"):
        load_play(tmp_path / "none.yaml")


@pytest.mark.parametrize("name", ["a.play.yaml", "a.scenario.yaml", "a.yaml", "a.yml", "a"])
def test_a_plays_name_is_its_files_without_the_ending(name: str) -> None:
    assert stem_of(Path("x", name)) == "a"


def test_the_demo_sessions_play_is_one() -> None:
    play = load_play(ROOT / "eval" / "demo" / "tidewatch.play.yaml")
    assert (play.name, len(play.turns), play.is_scripted) == ("tidewatch", 27, True)
    assert play.complaints == ()


def test_the_example_of_the_documentation_is_a_play(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "record.md").read_text(encoding="utf-8")
    example: Any = text.split("```yaml\n")[1].split("```")[0]
    assert load(tmp_path, example).is_scripted
