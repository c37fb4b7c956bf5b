"""Real pi, the real sandbox and a scripted model: what a recording holds, and what it leaves."""

import json
import re
import shutil
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from longhaul.compaction.completion import CompletionRequest
from longhaul.errors import ModelError
from longhaul.pi.process import PiProcess
from longhaul.pi.sessions import load_session
from longhaul.record.driving import Patience, Progress, RecordError
from longhaul.record.recording import Recording
from tests.pinned import PI, ROOT, pi_environment
from tests.record.plays import bash, needs_sandbox, play_record, record, save_play, say, turn

pytestmark = needs_sandbox

QUESTION = ROOT / "eval" / "extensions" / "question.ts"
LOOK = (
    "id -un; pwd; ls -A . ~; cat /proc/1/cmdline | tr '\\0' ' '; ps -e -o args=; env | sort;"
    " cut -d' ' -f2,4- /proc/mounts; date +%Z; touch /here; touch ~/mine && echo home writable;"
    " getent hosts example.com; cat /proc/net/dev | wc -l; git var GIT_AUTHOR_IDENT"
)
PLAY = play_record(
    turn(
        "Look around.",
        bash(LOOK),
        say("An empty folder."),
    ),
    turn(
        "Start it.",
        bash("git init -q . && git commit -q --allow-empty -m first && git rev-parse --short HEAD"),
        {
            "capture": {"hash": "^([0-9a-f]{7})$"},
            "text": "At {{hash}}.",
            "tools": [
                {"write": {"path": "count.sh", "content": "wc -l < $1 # {{hash}} {{title}}\n"}},
                {"question": {"question": "Which shell?", "options": ["sh", "bash"]}},
            ],
        },
        {"tools": [{"edit": {"path": "count.sh", "edits": [{"oldText": "wc", "newText": "wcx"}]}}]},
        bash("sh count.sh count.sh"),
        {"tools": [{"edit": {"path": "count.sh", "edits": [{"oldText": "wcx", "newText": "wc"}]}}]},
        bash("sh count.sh count.sh && cat count.sh"),
        say("It counts, from {{hash}} on.", thinking="Done, I think."),
        answers=["bash"],
    ),
    turn("Watch it.", bash("sleep 60", abort=True)),
    turn("No, print a lot.", bash("seq 1 1500"), say("Printed."), back_to="u3"),
    turn("And again.", bash("seq 1 1500"), bash("seq 1 900"), say("Printed again.")),
    extensions=["question.ts"],
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("play")
    shutil.copy(QUESTION, place)
    save_play(place, PLAY)
    return place


@pytest.fixture(scope="module")
def recording(folder: Path) -> Recording:
    return record(folder / "tiny.play.yaml")


def entries(recording: Recording) -> list[dict[str, Any]]:
    return [json.loads(line) for line in recording.session.decode().splitlines()]


def messages(recording: Recording) -> list[dict[str, Any]]:
    return [one["message"] for one in entries(recording) if one["type"] == "message"]


def results(recording: Recording) -> list[str]:
    return [
        "".join(part["text"] for part in message["content"])
        for message in messages(recording)
        if message["role"] == "toolResult"
    ]


def shape(recording: Recording) -> Iterator[tuple[object, ...]]:
    """Yield what must be the same each time: types, roles, tools and how each ended."""
    for entry in entries(recording):
        message = entry.get("message", {})
        calls = [
            (part["name"], sorted(part["arguments"]))
            for part in message.get("content", ())
            if isinstance(part, dict) and part.get("type") == "toolCall"
        ]
        end = message.get("stopReason"), message.get("isError")
        yield entry["type"], message.get("role"), message.get("toolName"), calls, end


def test_a_play_runs_whole_with_its_captures_and_compactions(recording: Recording) -> None:
    assert recording.problems == ()
    assert recording.n_turns == 5
    assert recording.n_compactions >= 1
    assert list(recording.captured) == ["hash"]
    assert f"It counts, from {recording.captured['hash']} on." in recording.session.decode()


def test_tools_run_for_real_and_fail_for_real(recording: Recording) -> None:
    failed = [one["isError"] for one in messages(recording) if one["role"] == "toolResult"]
    assert failed == [
        False,
        False,
        False,
        False,
        False,
        True,
        False,
        False,
        True,
        False,
        False,
        False,
    ]
    assert f"wc -l < $1 # {recording.captured['hash']} {{{{title}}}}" in results(recording)[7]


def test_the_user_answers_a_dialog(recording: Recording) -> None:
    assert "User answered: bash" in results(recording)


def test_the_user_stops_a_turn_and_goes_back_in_the_tree(recording: Recording) -> None:
    by_id = {one["id"]: one for one in entries(recording) if "id" in one}
    users = [
        one
        for one in entries(recording)
        if one["type"] == "message" and one["message"]["role"] == "user"
    ]
    assert "Command aborted" in results(recording)
    stopped, instead = users[2], users[3]
    assert stopped["parentId"] == instead["parentId"]
    assert by_id[instead["parentId"]]["message"]["role"] == "assistant"


def test_the_sandbox_shows_pi_alone_and_nothing_of_this_machine(recording: Recording) -> None:
    seen = results(recording)[0]
    lines = seen.splitlines()
    assert lines[:5] == ["dev", "/work/tiny", ".:", "", "/home/dev:"], "both folders are empty"
    assert "home writable" in lines
    assert "UTC" in lines
    assert "cannot touch '/here'" in seen
    assert "bwrap" not in seen
    for place in (ROOT, Path.home(), tempfile.gettempdir()):
        assert f"{place}/" not in seen.replace("/tmp rw", "")
    assert "dev <dev@example.invalid>" in seen
    assert set(lines[5].split()) == {"pi"}, "pi is process 1, by its own name"


def test_commands_see_an_environment_of_their_own(recording: Recording) -> None:
    found = dict(re.findall(r"^([A-Z_]+)=(.*)$", results(recording)[0], re.MULTILINE))
    ours = {name: value for name, value in found.items() if not name.startswith(("PI_", "_"))}
    assert ours == {
        "AI_AGENT": "pi",
        **{f"GIT_{who}_NAME": "dev" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "dev@example.invalid" for who in ("AUTHOR", "COMMITTER")},
        "HOME": "/home/dev",
        "LANG": "C.UTF-8",
        "PATH": "/opt/agent/bin:/opt/node/bin:/usr/local/bin:/usr/bin:/bin",
        "PWD": "/work/tiny",
        "PYTHONDONTWRITEBYTECODE": "1",
        "SHLVL": "1",
        "TZ": "UTC",
        "USER": "dev",
    }


def test_the_sandbox_has_no_network_but_its_own_loopback(recording: Recording) -> None:
    assert "\n3\n" in results(recording)[0]


def test_a_session_names_the_models_that_made_it_and_its_limits(recording: Recording) -> None:
    note = next(one["data"] for one in entries(recording) if one.get("customType") == "recording")
    assert (note["assistant"], note["summaries"]) == ("scripted", "scripted")
    assert (note["window"], note["reserveTokens"], note["keepRecentTokens"]) == (10_000, 4_000, 500)


def test_recording_a_play_twice_gives_the_same_entries(recording: Recording, folder: Path) -> None:
    assert list(shape(record(folder / "tiny.play.yaml"))) == list(shape(recording))


def test_a_recorded_session_is_read_by_longhaul_and_by_pi(
    recording: Recording, tmp_path: Path
) -> None:
    file = tmp_path / "tiny.jsonl"
    file.write_bytes(
        recording.session.replace(b'"cwd":"/work/tiny"', f'"cwd":"{tmp_path}"'.encode())
    )
    session = load_session(file)
    assert (session.problems, session.n_skipped) == ((), 0)
    environment = pi_environment(tmp_path / "agent", tmp_path)
    with PiProcess(
        (PI, "--mode", "rpc", "--session", file, "-ne"), cwd=tmp_path, environment=environment
    ) as pi:
        data = pi.request("get_fork_messages")["data"]
    assert isinstance(data, dict)
    assert isinstance(data["messages"], list)
    assert len(data["messages"]) == 5


def test_a_turn_that_stalls_is_aborted_and_the_next_one_runs(tmp_path: Path) -> None:
    play = play_record(
        turn("Wait.", bash("sleep 300"), say("Waited.")), turn("Go on.", say("Gone on."))
    )
    found = record(save_play(tmp_path, play), patience=Patience(stall_s=1, turn_s=60))
    assert found.aborted == (1,)
    assert "Gone on." in found.session.decode()


def test_a_compaction_that_stalls_is_stopped_with_its_turn(tmp_path: Path) -> None:
    is_next = threading.Event()

    def hang(_: CompletionRequest) -> str:
        is_next.wait()
        return "Short."

    def watch(progress: Progress) -> None:
        if progress.turn == 2:
            is_next.set()

    play = play_record(
        turn("Print.", bash("seq 1 2500"), bash("seq 1 2500"), say("Printed.")),
        turn("Go on.", say("Gone on.")),
    )
    path = save_play(tmp_path, play)
    patience = Patience(stall_s=2, turn_s=60)
    found = record(path, patience=patience, summary=hang, on_progress=watch)
    assert found.aborted == (1,)
    assert "Gone on." in found.session.decode()


def test_a_turn_past_its_limit_fails_the_recording(tmp_path: Path) -> None:
    path = save_play(tmp_path, play_record(turn("Wait.", bash("sleep 300"), say("Waited."))))
    with pytest.raises(RecordError, match="u1 still runs"):
        record(path, patience=Patience(stall_s=60, turn_s=1))


ASK = """
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

export default function (pi: ExtensionAPI) {
	pi.registerTool({
		name: "ask",
		label: "Ask",
		description: "Opens one dialog of each kind.",
		parameters: Type.Object({}),
		executionMode: "sequential",
		async execute(_id, _params, _signal, _update, ctx) {
			const text = JSON.stringify([
				(await ctx.ui.confirm("Sure?", "Really?")) ?? null,
				(await ctx.ui.input("Name?")) ?? null,
				(await ctx.ui.editor("Text?", "old")) ?? null,
				(await ctx.ui.select("Which?", ["a", "b"])) ?? null,
			]);
			return { content: [{ type: "text", text }], details: {} };
		},
	});
}
"""


def test_dialogs_are_answered_in_order_and_what_does_not_fit_is_noted(tmp_path: Path) -> None:
    (tmp_path / "ask.ts").write_text(ASK, encoding="utf-8")
    steps = [{"tools": [{"ask": {}}]}, say("Asked.")]
    play = play_record(
        turn("Ask.", *steps, answers=["yes", "Ann", "new", "b", "too much"]),
        turn("Ask again.", *steps, answers=["no", "Bob"]),
        extensions=["ask.ts"],
    )
    found = record(save_play(tmp_path, play), stops=False)
    assert [json.loads(one) for one in results(found)] == [
        [True, "Ann", "new", "b"],
        [False, "Bob", None, None],
    ]
    assert [*map(str, found.problems)] == [
        "u1: 1 of its answers were not asked for",
        "u2: the user has no answer left to Text?",
        "u2: the user has no answer left to Which?",
    ]


def test_an_extension_that_fails_fails_the_recording(tmp_path: Path) -> None:
    (tmp_path / "bad.ts").write_text(
        'export default (pi) => pi.on("agent_start", () => { throw new Error("broken"); });',
        encoding="utf-8",
    )
    path = save_play(tmp_path, play_record(turn("Go.", say("Done.")), extensions=["bad.ts"]))
    with pytest.raises(RecordError, match=r"^u1: an extension failed: broken"):
        record(path)


MORE = """
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
	let isDone = false;
	pi.on("agent_end", () => {
		if (isDone) return;
		isDone = true;
		pi.sendUserMessage("And more.", { deliverAs: "followUp" });
	});
}
"""


def test_the_user_goes_back_to_a_turn_whatever_an_extension_said_meanwhile(tmp_path: Path) -> None:
    (tmp_path / "more.ts").write_text(MORE, encoding="utf-8")
    play = play_record(
        turn("First.", say("One."), say("More.")),
        turn("Second.", say("Two.")),
        turn("First again.", say("Three."), back_to="u1"),
        turn("Second again.", say("Four."), back_to="u3"),
        extensions=["more.ts"],
    )
    found = record(save_play(tmp_path, play))
    by_text = {
        part["text"]: one["parentId"]
        for one in entries(found)
        if one["type"] == "message" and one["message"]["role"] == "user"
        for part in one["message"]["content"]
    }
    assert list(by_text) == ["First.", "And more.", "Second.", "First again.", "Second again."]
    assert by_text["First."] == by_text["First again."] == by_text["Second again."]


def test_a_pi_that_ends_fails_the_recording_with_its_turn(tmp_path: Path) -> None:
    (tmp_path / "end.ts").write_text(
        'export default (pi) => pi.on("agent_start", () => process.exit(3));', encoding="utf-8"
    )
    path = save_play(tmp_path, play_record(turn("Go.", say("Done.")), extensions=["end.ts"]))
    with pytest.raises(RecordError, match=r"^u1: pi has ended: "):
        record(path)


def test_a_summary_that_no_model_gives_fails_with_what_the_model_said(tmp_path: Path) -> None:
    def fail(_: CompletionRequest) -> str:
        raise ModelError("example/large: refused the key")

    play = play_record(turn("Print.", bash("seq 1 2500"), bash("seq 1 2500"), say("Printed.")))
    with pytest.raises(RecordError, match=r"^u1: example/large: refused the key$"):
        record(save_play(tmp_path, play), summary=fail)


def test_a_message_that_pi_takes_for_a_command_fails(tmp_path: Path) -> None:
    path = save_play(tmp_path, play_record(turn("/recording-go-back x", say("Done."))))
    with pytest.raises(RecordError, match=r"^u1: pi takes this message for a command"):
        record(path)


def test_the_example_of_the_documentation_is_recorded(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "record.md").read_text(encoding="utf-8")
    path = tmp_path / "counter.play.yaml"
    path.write_text(text.split("```yaml\n")[1].split("```")[0], encoding="utf-8")
    found = record(path)
    assert found.problems == ()
    assert messages(found)[-1]["content"][0]["text"] == (
        f"Three lines, at {found.captured['hash']}."
    )


def test_a_play_with_a_capture_that_finds_nothing_fails(tmp_path: Path) -> None:
    step = say("{{n}}", capture={"n": "^([0-9]+)$"})
    path = save_play(tmp_path, play_record(turn("Go.", bash("echo none"), step)))
    with pytest.raises(RecordError, match="u1 step 2: capture n finds nothing"):
        record(path)


def test_a_turn_that_needs_more_steps_than_it_has_fails(tmp_path: Path) -> None:
    path = save_play(tmp_path, play_record(turn("Go.", bash("true"))))
    with pytest.raises(RecordError, match="u1: needs more than its 1 step"):
        record(path)


def test_steps_that_nothing_asks_for_fail(tmp_path: Path) -> None:
    path = save_play(tmp_path, play_record(turn("Go.", say("Done."), say("Again."))))
    with pytest.raises(RecordError, match="u1: 1 of 2 steps used"):
        record(path)
