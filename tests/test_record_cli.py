"""`longhaul record` as a person types it, and what it leaves when it is stopped."""

import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.models.batch_folder import answering
from tests.pinned import LONGHAUL, NODE, PI
from tests.record.plays import SUMMARY, bash, needs_sandbox, play_record, save_play, say, turn

PATIENCE_S = 60
SHORT = play_record(turn("Count.", bash("seq 1 3 | wc -l"), say("Three.")))
LONG = play_record(turn("Print.", bash("seq 1 2500"), bash("seq 1 2500"), say("Printed.")))
EXTENSION = """
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
	pi.on("session_before_compact", (event) => {
		const { firstKeptEntryId, tokensBefore } = event.preparation;
		return { compaction: { summary: "Short.", firstKeptEntryId, tokensBefore } };
	});
}
"""

TOOL = """
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

export default function (pi: ExtensionAPI) {
	pi.registerTool({
		name: "NAME",
		label: "NAME",
		description: "Says its name.",
		parameters: Type.Object({}),
		async execute() {
			return { content: [{ type: "text", text: "NAME" }], details: {} };
		},
	});
}
"""


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder of a short name: in a longer one a recording finds no room for its socket's path."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def environment(folder: Path, **more: str) -> dict[str, str]:
    path = os.pathsep.join((str(NODE.parent), "/usr/bin", "/bin"))
    return {"PATH": path, "HOME": str(folder), "TMPDIR": str(folder), **more}


def command(play: Path, *options: str | Path) -> list[str]:
    return [*map(str, (LONGHAUL, "record", play, "--out", play.parent, "--pi", PI, *options))]


def run(play: Path, *options: str | Path, **more: str) -> tuple[int, str, str]:
    done = subprocess.run(
        command(play, *options),
        env=environment(play.parent, **more),
        cwd=play.parent,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def entries(folder: Path) -> list[dict[str, Any]]:
    text = (folder / "tiny.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def tool_output(folder: Path) -> list[str]:
    messages = [one["message"] for one in entries(folder) if one["type"] == "message"]
    return [one["content"][0]["text"] for one in messages if one["role"] == "toolResult"]


def left_over(folder: Path) -> list[str]:
    """Return the names in a folder that a stopped recording must not leave."""
    return [one.name for one in folder.iterdir() if one.name != "tiny.play.yaml"]


def running(text: str) -> list[str]:
    """Return the processes whose command line holds `text`."""
    listing = subprocess.run(
        ("ps", "-A", "-ww", "-o", "args="), capture_output=True, text=True, check=True
    )
    return [line for line in listing.stdout.splitlines() if text in line]


@needs_sandbox
def test_a_play_becomes_a_session_file(tmp_path: Path) -> None:
    code, out, err = run(save_play(tmp_path, SHORT), "--json")
    assert (code, err) == (0, "turn 1 of 1, step 1, 0 tokens, 0 compactions\n")
    assert json.loads(out) == {
        "session": str(tmp_path / "tiny.jsonl"),
        "turns": 1,
        "compactions": 0,
        "abortedTurns": [],
        "captured": {},
        "problems": [],
        "notes": [],
    }
    assert tool_output(tmp_path) == ["3\n"]


@needs_sandbox
def test_a_session_that_is_there_is_not_replaced_unless_asked(tmp_path: Path) -> None:
    play = save_play(tmp_path, SHORT)
    (tmp_path / "tiny.jsonl").write_text("mine")
    code, _, err = run(play)
    assert code == 1
    assert (
        err == f"Error: {tmp_path / 'tiny.jsonl'} is there already; replace it with --overwrite\n"
    )
    assert (tmp_path / "tiny.jsonl").read_text() == "mine"
    assert run(play, "--overwrite")[0] == 0
    assert entries(tmp_path)[0]["cwd"] == "/work/tiny"


@needs_sandbox
def test_check_lists_all_that_does_not_fit_and_writes_nothing(tmp_path: Path) -> None:
    record = play_record(
        turn("Go.", bash("true"), say("{{n}}", capture={"n": "^([0-9]+)$"})),
        turn("On.", say("Done."), say("Twice.")),
        turn("Last.", bash("true")),
    )
    code, out, _ = run(save_play(tmp_path, record), "--check", "--json")
    assert code == 1
    assert json.loads(out)["problems"] == [
        "u1 step 2: capture n finds nothing in the newest tool result: (no output)",
        "u2: 1 of 2 steps used; the turn ended before the others",
        "u3: needs more than its 1 step; has the last tools?",
    ]
    assert left_over(tmp_path) == []


@needs_sandbox
def test_check_notes_what_may_be_a_slip_and_still_ends_with_0(tmp_path: Path) -> None:
    wrong = {"edit": {"path": "none", "edits": [{"oldText": "a", "newText": "b"}]}}
    steps = [bash("false"), {"tools": [{"Bash": {"command": "true"}}]}, {"tools": [wrong]}]
    record = play_record(turn("Go.", *steps, say("At {{hash}}.")))
    code, out, err = run(save_play(tmp_path, record), "--check")
    assert code == 0
    assert out.splitlines()[-1] == "the play fits: every step was used; 4 notes to read"
    notes = [line for line in err.splitlines() if line.startswith("note: ")]
    assert notes[:3] == [
        "note: u1 step 4: {{hash}} stays as it stands: no capture has found it",
        "note: u1 step 1: bash failed: (no output) Command exited with code 1",
        "note: u1 step 2: Bash failed: Tool Bash not found",
    ]
    assert notes[3].startswith("note: u1 step 3: edit failed: ")


@needs_sandbox
def test_check_needs_no_model_for_the_summaries(tmp_path: Path) -> None:
    code, out, _ = run(save_play(tmp_path, LONG), "--check")
    assert code == 0
    assert "the play fits: every step was used" in out
    assert left_over(tmp_path) == []


@needs_sandbox
def test_a_compaction_without_a_model_for_it_fails_with_what_to_name(tmp_path: Path) -> None:
    code, _, err = run(save_play(tmp_path, LONG))
    assert code == 1
    assert err.splitlines()[-1] == (
        "Error: u1: pi compacts this session and asks for a summary, which no play scripts; name"
        " the model that writes it with --summary-model"
    )
    assert left_over(tmp_path) == []


@needs_sandbox
def test_summaries_are_asked_of_the_model_that_is_named(tmp_path: Path) -> None:
    play = save_play(tmp_path, LONG)
    with answering(tmp_path / "asked", lambda _: SUMMARY) as model:
        code, out, _ = run(play, "--summary-model", model, "--json")
    assert (code, json.loads(out)["compactions"]) == (0, 1)
    found = next(one for one in entries(tmp_path) if one["type"] == "compaction")
    assert SUMMARY.strip() in found["summary"]
    note = next(one["data"] for one in entries(tmp_path) if one.get("customType") == "recording")
    assert note["summaries"] == "batch/asked"


@needs_sandbox
def test_waiting_for_a_reply_in_files_is_no_stall(tmp_path: Path) -> None:
    def think(_: dict[str, Any]) -> str:
        time.sleep(2)
        return SUMMARY

    play = save_play(tmp_path, LONG)
    with answering(tmp_path / "asked", think) as model:
        code, out, err = run(play, "--summary-model", model, "--stall", "0.02", "--json")
    assert (code, json.loads(out)["abortedTurns"]) == (0, []), err


@needs_sandbox
def test_a_live_model_does_the_work_of_a_scenario(tmp_path: Path) -> None:
    scenario = play_record({"user": "How many lines?", "answers": ["to what it does not ask"]})
    replies = iter(
        (
            'Sure:\n```json\n{"text": "", "tools": [{"name": "bash", "arguments": '
            '{"command": "seq 1 4 | wc -l"}}]}\n```',
            '{"text": "There are 4.", "tools": []}',
        )
    )
    with answering(tmp_path / "live", lambda _: next(replies)) as model:
        code, _, err = run(save_play(tmp_path, scenario), "--model", model, "--label", "a/large")
    assert (code, "Error" in err) == (0, False)
    assert tool_output(tmp_path) == ["4\n"]
    assistants = [
        one["message"]
        for one in entries(tmp_path)
        if one.get("message", {}).get("role") == "assistant"
    ]
    assert {(one["provider"], one["model"]) for one in assistants} == {("a", "large")}
    assert assistants[-1]["content"][0]["text"] == "There are 4."


@needs_sandbox
def test_another_extension_may_compact(tmp_path: Path) -> None:
    extension = tmp_path / "short.ts"
    extension.write_text(EXTENSION)
    assert run(save_play(tmp_path, LONG), "--extension", extension)[0] == 0
    found = next(one for one in entries(tmp_path) if one["type"] == "compaction")
    assert (found["summary"], found["fromHook"]) == ("Short.", True)


@needs_sandbox
def test_two_extensions_of_one_name_are_both_loaded(tmp_path: Path) -> None:
    files = [tmp_path / name / "tool.ts" for name in ("one", "two")]
    for file in files:
        file.parent.mkdir()
        file.write_text(TOOL.replace("NAME", file.parent.name))
    steps = [{"tools": [{"one": {}}, {"two": {}}]}, say("Used.")]
    play = save_play(tmp_path, play_record(turn("Use both.", *steps)))
    options = [part for file in files for part in ("--extension", str(file))]
    assert run(play, *options)[0] == 0
    assert tool_output(tmp_path) == ["one", "two"]


@needs_sandbox
def test_longhaul_compacts_inside_the_sandbox(tmp_path: Path) -> None:
    play = save_play(tmp_path, LONG)
    with answering(tmp_path / "asked", lambda _: "{}") as model:
        code, _, err = run(play, "--extension", "longhaul", "--summary-model", model)
    assert code == 0, err
    found = next(one for one in entries(tmp_path) if one["type"] == "compaction")
    assert found["fromHook"] is True
    assert "longhaul" in found["details"]
    assert "Count." in found["summary"] or "Print." in found["summary"]


WAITING = play_record(turn("Wait.", bash("sleep 300"), say("Waited.")))


@needs_sandbox
@pytest.mark.parametrize(
    ("kind", "to_group"),
    [(signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGHUP, False)],
)
def test_a_recording_that_is_stopped_leaves_nothing(
    tmp_path: Path, kind: signal.Signals, *, to_group: bool
) -> None:
    stop(save_play(tmp_path, WAITING), (), kind, to_group=to_group)


@needs_sandbox
def test_a_recording_that_is_stopped_waits_for_no_model(tmp_path: Path) -> None:
    scenario = save_play(tmp_path, play_record({"user": "Wait."}))
    with tempfile.TemporaryDirectory() as folder:
        stop(scenario, ("--model", f"batch:{folder}/b?wait=300"), signal.SIGINT, to_group=False)


MANY_FILES = "mkdir /opt/out/d && cd /opt/out/d && touch $(seq 1 9999) && echo made; sleep 300"


@needs_sandbox
def test_a_second_ctrl_c_does_not_cut_the_cleaning_up_short(tmp_path: Path) -> None:
    play = save_play(tmp_path, play_record(turn("Make.", bash(MANY_FILES), say("Made."))))
    with subprocess.Popen(
        command(play),
        env=environment(tmp_path),
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        wait_until(lambda: any(tmp_path.glob("longhaul-*/out/d/9999")))
        while process.poll() is None:
            process.send_signal(signal.SIGINT)
            time.sleep(0.005)
        error = process.communicate(timeout=PATIENCE_S)[1]
    assert "Traceback" not in error
    assert left_over(tmp_path) == []


def test_a_link_in_the_sessions_place_is_not_replaced_unless_asked(tmp_path: Path) -> None:
    play = save_play(tmp_path, SHORT)
    (tmp_path / "tiny.jsonl").symlink_to("elsewhere")
    code, _, err = run(play)
    expected = f"Error: {tmp_path / 'tiny.jsonl'} is there already; replace it with --overwrite\n"
    assert (code, err) == (1, expected)
    assert (tmp_path / "tiny.jsonl").is_symlink()


def stop(play: Path, options: tuple[str, ...], kind: signal.Signals, *, to_group: bool) -> None:
    """Stop a recording whose only turn waits, and see that nothing is left of it."""
    folder = play.parent
    with subprocess.Popen(
        command(play, *options),
        env=environment(folder),
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stderr
        assert process.stderr.readline().startswith("turn 1 of 1")
        wait_until(lambda: bool(running(f"{folder}/longhaul-")))
        inside = children(process.pid)
        (os.killpg if to_group else os.kill)(process.pid, kind)
        error = process.communicate(timeout=PATIENCE_S)[1]
    assert process.returncode not in (0, 2)
    assert "stopped; no session was written" in error
    assert "Traceback" not in error
    wait_until(lambda: not any(Path("/proc", str(pid)).exists() for pid in inside))
    assert inside
    assert left_over(folder) == []


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline, "it never came to be so"
        time.sleep(0.05)


def children(pid: int) -> list[int]:
    """Return the processes that `pid` has started, and those that they have."""
    listing = subprocess.run(
        ("ps", "-A", "-o", "pid=,ppid="), capture_output=True, text=True, check=True
    )
    pairs = [tuple(map(int, line.split())) for line in listing.stdout.splitlines()]
    mine = [child for child, parent in pairs if parent == pid]
    return mine + [one for child in mine for one in children(child)]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--check", "--model", "batch:b?wait=1"), "--check is about a play's own steps; leave"),
        (("--label", "large"), "--label takes a provider and a model: example/model-27b"),
        (("--label", " /large"), "--label takes a provider and a model: example/model-27b"),
        (("--label", "a/b\nc"), "--label takes a provider and a model: example/model-27b"),
        (("--label", "a/" + "b" * 200), "--label takes a provider and a model: example/model-27b"),
        (("--summary-label", "a\x1b[m"), "--summary-label takes a name of a model: example/mod"),
        (("--stall", "nan"), "Invalid value for '--stall': nan is no number of minutes"),
        (("--turn-limit", "-NaN"), "Invalid value for '--turn-limit': nan is no number of minutes"),
        (("--reply-limit", "nan"), "Invalid value for '--reply-limit': nan is no number of minute"),
        (("--stall", "-1"), "Invalid value for '--stall': -1.0 is not in the range"),
        (("--stall", "0"), "Invalid value for '--stall': 0.0 is not in the range"),
        (("--turn-limit", "inf"), "Invalid value for '--turn-limit': inf is not in the range"),
        (("--model", "batch:replies"), "batch:replies: a recording cannot be gone on with later"),
        (("--summary-model", "foo"), "no model is named 'foo'; use provider/model-id with a"),
        (("--extension", "missing.ts"), "missing.ts is no file; --extension and a play's"),
        (("--extension", "longhaul"), "--extension longhaul asks a model at each compaction; name"),
    ],
)
def test_misuse_ends_with_2(tmp_path: Path, options: tuple[str, ...], error: str) -> None:
    code, out, err = run(save_play(tmp_path, SHORT), *options)
    assert (code, out) == (2, "")
    assert f"Error: {error}" in err


def test_without_the_extra_it_says_how_to_install_it(tmp_path: Path) -> None:
    lacking = tmp_path / "lacking"
    lacking.mkdir()
    (lacking / "yaml.py").write_text("raise ModuleNotFoundError(name='yaml')", encoding="utf-8")
    code, _, err = run(save_play(tmp_path, SHORT), PYTHONPATH=str(lacking))
    python = LONGHAUL.with_name("python")
    assert code == 1
    assert err == f"Error: recording needs an extra: {python} -m pip install 'pi-longhaul[eval]'\n"


@needs_sandbox
def test_a_live_model_that_does_not_answer_ends_the_recording_in_a_line(tmp_path: Path) -> None:
    scenario = save_play(tmp_path, play_record({"user": "Hello"}))
    with tempfile.TemporaryDirectory() as folder:
        code, out, err = run(scenario, "--model", f"batch:{folder}/b?wait=1")
    assert (code, out) == (1, "")
    _, waiting, error = err.splitlines()
    assert waiting.startswith(f"waiting 1 s for {folder}/b/")
    assert error.startswith(f"Error: u1: no reply within 1 s in {folder}/b/")
    assert error.endswith("(batch:FOLDER?wait=SECONDS) and reply while it runs")
    assert left_over(tmp_path) == []


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--out", "/proc"), "cannot write to /proc: "),
        (("--out", "tiny.play.yaml/below"), "tiny.play.yaml: Not a directory"),
    ],
)
def test_what_cannot_be_recorded_is_refused_in_a_line(
    tmp_path: Path, options: tuple[str, ...], error: str
) -> None:
    code, out, err = run(save_play(tmp_path, SHORT), *options)
    assert (code, out) == (1, "")
    assert error in err
    assert len(err.splitlines()) == 1
    assert left_over(tmp_path) == []


def test_a_scenario_asks_for_a_model(tmp_path: Path) -> None:
    code, _, err = run(save_play(tmp_path, play_record({"user": "Hello"})))
    assert code == 2
    assert "has `steps`, so it is a scenario; name who does the work with --model" in err


def test_a_play_that_is_not_there_is_misuse(tmp_path: Path) -> None:
    code, _, err = run(tmp_path / "none.play.yaml")
    assert (code, "none.play.yaml' does not exist" in err) == (2, True)


def test_without_bubblewrap_it_says_what_to_install(tmp_path: Path) -> None:
    code, _, err = run(save_play(tmp_path, SHORT), PATH=str(NODE.parent))
    assert code == 1
    assert "needs bubblewrap; on Debian: apt-get install bubblewrap" in err


@needs_sandbox
def test_without_pi_it_says_what_to_install(tmp_path: Path) -> None:
    code, _, err = run(save_play(tmp_path, SHORT), "--pi", tmp_path)
    assert code == 1
    assert f"{tmp_path} is no pi of npm's; install" in err


def test_a_play_that_is_none_is_refused_with_file_line_and_field(tmp_path: Path) -> None:
    play = save_play(tmp_path, play_record(turn("Go.", {"tools": [{"bash": "ls"}]})))
    code, _, err = run(play)
    assert code == 1
    line = 1 + next(
        at for at, one in enumerate(play.read_text().splitlines()) if one.strip() == "- bash: ls"
    )
    expected = "turns[0].steps[0].tools[0].bash: expected the arguments by name, got ls"
    assert err == f"Error: {play}:{line} {expected}\n"
