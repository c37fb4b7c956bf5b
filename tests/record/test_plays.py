"""Plays and scenarios as files: what they hold, and what is said of those that do not."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.record.play_file import MAX_BYTES, load_play, stem_of
from longhaul.record.plays import Play, PlayError, Step, ToolCall, Turn, parse_play
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import ShapeError
from tests.pinned import ROOT
from tests.record.plays import bash, play_record, save_play, say, turn

HEAD = "name: tiny\nwindow: 10000\nreserve: 4000\nkeep_recent: 500\n"
KEYS = st.sampled_from(["name", "window", "turns", "user", "steps", "tools", "capture", "back_to"])
SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.just("u1")
JSON: st.SearchStrategy[JsonValue] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5)
)
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
QUOTE = "expected text or a number (quote it to keep it text)"
NAME = "expected letters, digits, `.`, `_` and `-`"
TOO_MUCH = "expected less, and less deep, got too much"
MISSING = {"name": "text", "window": "number", "reserve": "number", "keep_recent": "number"}


def step(text: str) -> str:
    """Return a play whose only step, in line 8, holds `text`."""
    return HEAD + ONE.replace("text: Done.", text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", " is empty; a play has a name, limits and turns"),
        ("# nothing\n", " is empty; a play has a name, limits and turns"),
        ("null\n", ":1 the file: expected keys and values, got null"),
        ("- 1\n", ":1 the file: expected keys and values, got list"),
        ("? [a]\n: b\n", ":1 the file: expected keys that are text, got a list or an object"),
        (HEAD, ":1 turns: expected a turn or more, got none"),
        (
            HEAD + ONE.replace("turns:", "turnz:"),
            ":1 turns: expected a turn or more (turnz is not known and has no effect), got none",
        ),
        (HEAD + ONE + "name: x\n", ":9 name: expected each key once, got it twice"),
        (
            HEAD + "turns:\n- user: a\n  user: b\n",
            ":7 turns[0].user: expected each key once, got it twice",
        ),
        (HEAD.replace("tiny", "../x") + ONE, f":1 name: {NAME}, got ../x"),
        (HEAD.replace("tiny", "5") + ONE, f":1 name: {TEXT}, got 5"),
        (HEAD.replace("10000", "-5") + ONE, f":2 window: {NUMBER}, got -5"),
        (HEAD.replace("10000", "1e4") + ONE, f":2 window: {NUMBER}, got 1e4"),
        (HEAD.replace("10000", "10000000000") + ONE, f":2 window: {NUMBER}, got 10000000000"),
        (
            HEAD.replace("10000", "3000") + ONE,
            ":2 window: expected more than reserve (4,000), got less",
        ),
        (HEAD.replace("4000", "0.5") + ONE, f":3 reserve: {NUMBER}, got 0.5"),
        (HEAD.replace("500", "true") + ONE, f":4 keep_recent: {NUMBER}, got true"),
        (HEAD + "extensions: x.ts\n" + ONE, ":5 extensions: expected a list, got x.ts"),
        (HEAD + "extensions: [1]\n" + ONE, f":5 extensions[0]: {TEXT}, got 1"),
        (HEAD + "turns: yes\n", ":5 turns: expected a list, got true"),
        (HEAD + "turns:\n- Go.\n", ":6 turns[0]: expected keys and values, got Go."),
        (HEAD + "turns:\n- steps: []\n", f":6 turns[0].user: {TEXT}, got null"),
        (HEAD + "turns:\n- user: 2026-01-01\n", f":6 turns[0].user: {QUOTE}, got a timestamp"),
        (HEAD + "turns:\n- user: 5\n", f":6 turns[0].user: {TEXT}, got 5"),
        (
            HEAD + "turns:\n- user: ' '\n",
            ":6 turns[0].user: expected what the user says, got an empty text",
        ),
        (
            HEAD + ONE + "- user: On.\n",
            ":9 turns[1].steps: expected a step or more, as other turns have, got list",
        ),
        (HEAD + ONE + "  answers: yes\n", ":9 turns[0].answers: expected a list, got true"),
        (HEAD + ONE + "  answers: [yes]\n", f":9 turns[0].answers[0]: {TEXT}, got true"),
        (HEAD + ONE + "  back_to: u1\n", ":9 turns[0].back_to: expected an earlier turn, got u1"),
        (
            HEAD + ONE + "  back_to: u0\n",
            ":9 turns[0].back_to: expected a turn such as u7, got u0",
        ),
        (HEAD + ONE + "  back_to: 1\n", f":9 turns[0].back_to: {TEXT}, got 1"),
        (
            HEAD + "turns:\n- user: Go.\n  steps: [a]\n",
            f":7 {STEP}: expected keys and values, got a",
        ),
        (step("text: 5"), f":8 {STEP}.text: {TEXT}, got 5"),
        (step("thinking: [a]"), f":8 {STEP}.thinking: {TEXT}, got list"),
        (step("text: ' '"), f":8 {STEP}: expected thinking, text or tools, got none of them"),
        (step("tools: {bash: {}}"), f":8 {STEP}.tools: expected a list, got dict"),
        (
            step("tools: [bash]"),
            f":8 {STEP}.tools[0]: expected one `tool: arguments` pair, got bash",
        ),
        (
            step("tools: [{a: {}, b: {}}]"),
            f":8 {STEP}.tools[0]: expected one `tool: arguments` pair, got dict",
        ),
        (
            step("tools: [{bash: ls}]"),
            f":8 {STEP}.tools[0].bash: expected the arguments by name, got ls",
        ),
        (
            step("tools: [{a: {b: 2026-01-01}}]"),
            f":8 {STEP}.tools[0].a.b: {QUOTE}, got a timestamp",
        ),
        (step("abort: 1"), f":8 {STEP}.abort: expected true or false, got 1"),
        (
            step("abort: true"),
            f":8 {STEP}.abort: expected a step with tools, which it stops, got true",
        ),
        (
            step("tools: [{a: {}}]\n    abort: true\n  - text: x"),
            f":9 {STEP}.abort: expected to be in the turn's last step, got true",
        ),
        (step("capture: [a]"), f":8 {STEP}.capture: expected keys and values, got list"),
        (step("capture: {a: 5}"), f":8 {STEP}.capture.a: expected a regular expression, got 5"),
        (
            step("capture: {a-b: b}"),
            f":8 {STEP}.capture.a-b: expected a name of letters, digits and `_`, got a-b",
        ),
        (
            step("text: x\n    capture: {n: '('}"),
            f":9 {STEP}.capture.n: expected a regular expression (missing ), unterminated"
            " subpattern at position 0), got (",
        ),
        (
            step("text: x\n    capture: {n: '[[:digit:]]'}"),
            f":9 {STEP}.capture.n: expected a regular expression (Possible nested set at position"
            " 1), got [[:digit:]]",
        ),
    ],
)
def test_what_is_wrong_is_said_with_line_and_field(
    tmp_path: Path, text: str, expected: str
) -> None:
    assert error(tmp_path, text) == expected


@pytest.mark.parametrize(("line", "field"), [*enumerate(MISSING, 1)])
def test_a_limit_or_a_name_has_to_be_there(tmp_path: Path, line: int, field: str) -> None:
    lines = HEAD.splitlines(keepends=True)
    text = "".join(one for one in lines if not one.startswith(f"{field}:")) + ONE
    expected = TEXT if MISSING[field] == "text" else NUMBER
    assert error(tmp_path, text) == f":1 {field}: {expected}, got null"
    empty = HEAD.replace(lines[line - 1], f"{field}:\n") + ONE
    assert error(tmp_path, empty) == f":{line} {field}: {expected}, got null"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: [", ":1 is not YAML: expected the node content, but found '<stream end>'"),
        ("a: *b", ":1 is not YAML: found undefined alias 'b'"),
        (HEAD + "---\n" + HEAD, ":5 is not YAML: but found another document"),
        (HEAD + "\t- a", ":5 is not YAML: found character '\\t' that cannot start any token"),
        (
            HEAD + "a: \x01",
            ":5 is not YAML: unacceptable character #x0001: special characters are not…",
        ),
        ("a: " + "[" * 5_000, " is nested too deep; no play is"),
    ],
)
def test_what_is_no_yaml_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    assert error(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (".nan", ".nan"),
        ("-.inf", "-.inf"),
        ("!!int one", "one"),
        ("!!float one", "one"),
        ("!!bool maybe", "maybe"),
        ("0x_", "0x_"),
        ("9" * 5_000, "9" * 59 + "…"),
    ],
)
def test_a_number_that_no_json_holds_is_refused(tmp_path: Path, value: str, shown: str) -> None:
    expected = f":8 {STEP}.tools[0].a.b: expected a value that JSON holds, got {shown}"
    assert error(tmp_path, step(f"tools: [{{a: {{b: {value}}}}}]")) == expected


@pytest.mark.parametrize("tag", ["!!python/name:os.system", "!!binary", "!mine", "!!set"])
def test_values_that_only_yaml_has_are_refused(tmp_path: Path, tag: str) -> None:
    kind = tag.replace("!!", "").rpartition(":")[2] if tag != "!!set" else "set"
    expected = f":8 {STEP}.text: {QUOTE}, got a {kind}"
    assert error(tmp_path, step(f"text: {tag} x")) == expected


@pytest.mark.parametrize("text", ['text: "\\ud83d"', 'tools: [{a: {"\\ud83d": 1}}]'])
def test_half_a_character_is_refused(tmp_path: Path, text: str) -> None:
    assert error(tmp_path, step(text)).endswith("expected whole characters, got \ufffd")


def test_the_same_node_may_stand_in_two_places(tmp_path: Path) -> None:
    play = load(tmp_path, HEAD + "turns:\n- user: Go.\n  steps: [&a {text: Hm.}, *a]\n")
    assert play.turns[0].steps == (Step(text="Hm."), Step(text="Hm."))


@pytest.mark.parametrize("text", ["turns: &a [*a]\n", "turns: &a {b: *a}\n"])
def test_a_node_within_itself_is_refused(tmp_path: Path, text: str) -> None:
    found = error(tmp_path, HEAD + text)
    assert found.startswith(":5 turns")
    assert found.endswith(f": {TOO_MUCH}")
    assert len(found) < 200


def test_aliases_that_grow_without_bound_are_refused(tmp_path: Path) -> None:
    rows = [f"b{n}: &b{n} [{', '.join([f'*b{n - 1}'] * 9)}]" for n in range(1, 9)]
    found = error(tmp_path, "\n".join(("b0: &b0 [1]", *rows)) + "\n")
    assert found.endswith(f": {TOO_MUCH}")


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "p.yaml").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(PlayError, match=r"p\.yaml is larger than 20,000,000 bytes; a play is"):
        load_play(tmp_path / "p.yaml")


def test_nodes_without_end_are_refused_before_all_are_read(tmp_path: Path) -> None:
    assert error(tmp_path, "[" + "1," * 110_000).endswith(f":1 the file: {TOO_MUCH}")


def test_what_never_ends_is_not_read() -> None:
    with pytest.raises(
        PlayError, match=r"^/dev/zero is no plain file; a play is a small text file"
    ):
        load_play(Path("/dev/zero"))


@pytest.mark.parametrize("change", [("\n", "\r\n"), ("name", "\ufeffname")])
def test_what_editors_do_to_files_changes_nothing(tmp_path: Path, change: tuple[str, str]) -> None:
    old, new = change
    assert load(tmp_path, (HEAD + ONE).replace(old, new)) == load(tmp_path, HEAD + ONE)


WHOLE = play_record(
    turn("Go.", bash("ls", thinking="hm", capture={"n": "(.)"}), say("Done."), answers=["a"]),
    turn("No.", bash("sleep 9", abort=True), back_to="u1"),
    extensions=["x.ts"],
)


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where values stand in a record, as the keys and indices that lead there."""
    yield place
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(one, (*place, key))


def with_value(value: Any, place: tuple[Any, ...], new: JsonValue) -> Any:
    """Return a record with another value at `place`."""
    if not place:
        return new
    key, *rest = place
    changed: Any = dict(value) if isinstance(value, dict) else list(value)
    changed[key] = with_value(value[key], tuple(rest), new)
    return changed


@given(st.sampled_from([*places(WHOLE)]), JSON)
def test_a_play_with_any_value_changed_is_a_play_or_refused_by_its_shape(
    place: tuple[Any, ...], value: JsonValue
) -> None:
    record = with_value(WHOLE, place, value)
    with contextlib.suppress(ShapeError):
        assert parse_play(record).turns


@given(st.text(alphabet="ab:-?[]{},&*!|>#'\"% \n\t.019xn~"))
def test_no_text_is_too_odd_to_be_refused_in_a_line(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert len(error(Path(folder), text).splitlines()) == 1


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
