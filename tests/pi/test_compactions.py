"""Longhaul answers every kind of compaction in real pi."""

import json
import os
import re

import pytest

from longhaul.pi.extension_source import read_source
from longhaul.pi.process import PiProcess
from longhaul.pi.protocol import PROTOCOL_VERSION
from tests.pi.driving import compact, fork_at, session_in
from tests.pi.scripted_server import Reply, text_of
from tests.pi.sessions import GOAL, RULE
from tests.pi.workspace import Workspace, compactions, notices, read_entries

KEPT = (
    r"Longhaul: kept \d+ rules?, \d+ values? in [\d,]+ characters"
    r" with scripted/scripted \((\d+ ms|\d+\.\d s)\)"
)
LONG = "Write it with care and tell what you did. " * 40
READ_NOTES = (("read", {"path": "notes.txt"}),)


def assert_kept(pi: PiProcess, n_compactions: int = 1) -> None:
    """One line was said after each compaction, and nothing else."""
    assert len(notices(pi)) == n_compactions
    for notice in notices(pi):
        assert re.fullmatch(KEPT, notice), notice
    assert pi.stderr == ""


def assert_stands(entry: dict[str, object]) -> None:
    """A compaction entry is Longhaul's and holds what the user asked for."""
    assert entry["fromHook"]
    summary = str(entry["summary"])
    assert GOAL in summary
    assert RULE in summary


@pytest.fixture
def longhaul(workspace: Workspace) -> Workspace:
    workspace.install()
    return workspace


def test_the_compact_command_is_answered(longhaul: Workspace) -> None:
    session = session_in(longhaul)
    with longhaul.start(session=session) as pi:
        response = pi.request("compact", customInstructions="Keep the port number in sight")
        assert_kept(pi)
    (entry,) = compactions(session)
    assert_stands(entry)
    assert "Keep the port number in sight" in entry["summary"]
    assert entry["details"]["readFiles"] == ["src/part1.py", "src/part2.py"]
    data = response["data"]
    assert isinstance(data, dict)
    assert data["summary"] == entry["summary"]
    assert longhaul.server.summary_requests == []


def test_what_the_model_adds_stands_in_the_state(longhaul: Workspace) -> None:
    session = session_in(longhaul)
    note = {"kind": "decided", "message": "u1", "text": "Fields are read lazily."}
    lists: dict[str, list[str]] = {"rules": [], "lifts": [], "oneOffs": [], "values": []}
    longhaul.server.script_calls(Reply(text=json.dumps({**lists, "narrative": [note]})))
    with longhaul.start(session=session) as pi:
        compact(pi)
        assert_kept(pi)
    (request,) = longhaul.server.call_requests
    assert GOAL in text_of(request)
    (entry,) = compactions(session)
    assert "Fields are read lazily." in entry["summary"]
    call = entry["details"]["longhaul"]["call"]
    assert (call["mode"], call["model"]) == ("state", "scripted/scripted")
    assert entry["usage"]["totalTokens"] == call["tokens_in"] + call["tokens_out"]


def test_the_tool_finds_what_the_context_no_longer_shows(longhaul: Workspace) -> None:
    session = session_in(longhaul)
    arguments = {"query": "src/part1.py"}
    longhaul.server.script(Reply(tools=(("longhaul_recall", arguments),)), Reply(text="Found."))
    with longhaul.start(session=session) as pi:
        compact(pi)
        pi.prompt("What was read first?")
    found = longhaul.server.requests[-1]["messages"][-1]["content"]
    assert "u1" in found
    assert "src/part1.py" in found


def test_a_full_window_is_compacted_before_the_next_prompt(longhaul: Workspace) -> None:
    longhaul.server.script(Reply(text="First."), Reply(text="Second.", prompt_tokens=20_000))
    with longhaul.start() as pi:
        pi.prompt(f"{GOAL} {RULE} {LONG}")
        pi.prompt(f"Now the reader. {LONG}")
        end = pi.wait_for("compaction_end")
        assert end["reason"] == "threshold"
        assert_kept(pi)
        pi.prompt("Go on.")
    (entry,) = compactions(longhaul.session_file())
    assert_stands(entry)
    assert RULE in text_of(longhaul.server.requests[-1])


def test_an_overflow_is_compacted_and_its_turn_runs_again(longhaul: Workspace) -> None:
    longhaul.server.script(
        Reply(text="First."),
        Reply(error="prompt is too long: 30000 tokens > 24000 maximum"),
        Reply(text="Recovered."),
    )
    with longhaul.start() as pi:
        pi.prompt(f"{GOAL} {RULE} {LONG}")
        pi.prompt(f"Now the reader. {LONG}")
        end = pi.wait_for("compaction_end")
        assert (end["reason"], end["willRetry"]) == ("overflow", True)
        assert_kept(pi)
        answer = pi.request("get_last_assistant_text")["data"]
        assert answer == {"text": "Recovered."}
    (entry,) = compactions(longhaul.session_file())
    assert_stands(entry)


def test_a_turn_may_be_split(longhaul: Workspace) -> None:
    (longhaul.project / "notes.txt").write_text("a line of notes\n" * 60, encoding="utf-8")
    steps = [Reply(text=f"Step {n}.", tools=READ_NOTES) for n in range(6)]
    longhaul.server.script(*steps, Reply(text="All read."))
    with longhaul.start() as pi:
        pi.prompt(f"{GOAL} {RULE} Read the notes six times.")
        compact(pi)
        assert_kept(pi)
    session = longhaul.session_file()
    (entry,) = compactions(session)
    kept = next(e for e in read_entries(session) if e.get("id") == entry["firstKeptEntryId"])
    assert kept["message"]["role"] == "assistant"
    assert_stands(entry)


def test_ten_compactions_in_one_session_keep_goal_and_rule(longhaul: Workspace) -> None:
    with longhaul.start() as pi:
        pi.prompt(f"{GOAL} {RULE} {LONG}")
        for number in range(10):
            pi.prompt(f"Now write part {number}. {LONG}")
            compact(pi)
        assert_kept(pi, n_compactions=10)
        pi.prompt("Go on.")
    entries = compactions(longhaul.session_file())
    assert len(entries) == 10
    for entry in entries:
        assert_stands(entry)
        assert len(entry["summary"]) <= 10_000
    last_request = text_of(longhaul.server.requests[-1])
    assert GOAL in last_request
    assert RULE in last_request


def test_a_session_without_a_file_is_compacted(longhaul: Workspace) -> None:
    with longhaul.start("--no-session") as pi:
        pi.prompt(f"{GOAL} {RULE} {LONG}")
        pi.prompt(f"Now the reader. {LONG}")
        for _ in range(2):
            pi.prompt(f"Go on. {LONG}")
            compact(pi)
        assert_kept(pi, n_compactions=2)
        pi.prompt("Go on.")
    assert list(longhaul.sessions.rglob("*.jsonl")) == []
    assert RULE in text_of(longhaul.server.requests[-1])


def test_without_a_user_interface_the_line_goes_to_stderr(longhaul: Workspace) -> None:
    longhaul.server.script(Reply(text="First."), Reply(text="Second.", prompt_tokens=20_000))
    result = longhaul.print_mode(f"{GOAL} {RULE} {LONG}", f"Now the reader. {LONG}")
    assert result.returncode == 0
    assert re.fullmatch(KEPT, result.stderr.strip()), result.stderr
    assert result.stdout.strip() == "Second."


def test_the_command_shows_the_state(longhaul: Workspace) -> None:
    with longhaul.start(session=session_in(longhaul)) as pi:
        pi.prompt("/longhaul")
        (shown,) = notices(pi)
    assert f'"{GOAL}' in shown
    assert RULE in shown


def test_the_users_settings_are_read_wherever_pi_was_started(longhaul: Workspace) -> None:
    longhaul.write_json("longhaul.json", {"askTools": "one"})
    relative = os.path.relpath(longhaul.agent_dir, longhaul.project)
    session = session_in(longhaul)
    with longhaul.start(session=session, PI_CODING_AGENT_DIR=relative) as pi:
        compact(pi)
        (notice,) = notices(pi)
    where = longhaul.agent_dir.resolve() / "longhaul.json"
    assert f"; {where} askTools: expected a list of names, got 'one'" in notice


def test_off_leaves_compaction_to_pi_until_on(longhaul: Workspace) -> None:
    session = session_in(longhaul)
    with longhaul.start(session=session) as pi:
        pi.prompt("/longhaul off")
        compact(pi)
        off = "Longhaul: off in this session (`/longhaul on` turns it on); pi compacts without it"
        assert notices(pi) == ["Longhaul: off in this session", off]
        pi.prompt(f"Now part five. {LONG}")
        pi.prompt("/longhaul on")
        compact(pi)
        assert re.fullmatch(KEPT, notices(pi)[-1])
    first, second = compactions(session)
    assert not first.get("fromHook")
    assert_stands(second)


def test_off_outlives_pi(longhaul: Workspace) -> None:
    session = session_in(longhaul)
    with longhaul.start(session=session) as pi:
        pi.prompt("/longhaul off")
    with longhaul.start(session=session) as pi:
        compact(pi)
    (entry,) = compactions(session)
    assert not entry.get("fromHook")


def test_off_belongs_to_its_branch(longhaul: Workspace) -> None:
    session = session_in(longhaul)
    with longhaul.start(session=session) as pi:
        pi.prompt("/longhaul off")
        fork_at(pi, -1)
        pi.prompt(f"Another part four. {LONG}")
        compact(pi)
        assert re.fullmatch(KEPT, notices(pi)[-1]), notices(pi)


def test_an_unknown_word_after_the_command_is_refused(longhaul: Workspace) -> None:
    with longhaul.start("--no-session") as pi:
        pi.prompt("/longhaul of")
        words = "[off | on | drop RULE | restore RULE | pin TEXT]"
        assert notices(pi) == [f"Longhaul: usage: /longhaul {words}"]


def test_pi_goes_on_from_a_state_once_longhaul_is_gone(longhaul: Workspace) -> None:
    session = session_in(longhaul, n_turns=8)
    with longhaul.start(session=session) as pi:
        compact(pi)
    longhaul.uninstall()
    with longhaul.start(session=session) as pi:
        pi.prompt(f"Now part nine. {LONG}")
        pi.prompt(f"Now part ten. {LONG}")
        compact(pi)
        assert notices(pi) == []
    handed_over = text_of(longhaul.server.summary_requests[0])
    assert GOAL in handed_over
    assert RULE in handed_over
    assert "src/part1.py" in handed_over
    mine, pis = compactions(session)
    assert mine["fromHook"]
    assert not pis.get("fromHook")


def test_extension_and_package_speak_the_same_protocol() -> None:
    assert f"const PROTOCOL = {PROTOCOL_VERSION};" in read_source()
