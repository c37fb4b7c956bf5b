"""Whatever is wrong with the server, pi compacts by itself, and one line says why."""

import json
import os
import re
import shutil
import signal
import sys
import time
import venv
from pathlib import Path

import pytest

from longhaul.pi.install import SERVER_MODULE, extension_path, find_command
from longhaul.pi.process import PiProcess
from tests.pi.driving import PATIENCE_S, compact, session_in, wait_for_end
from tests.pi.scripted_server import SUMMARY
from tests.pi.sessions import RULE, USAGE, write_session
from tests.pi.workspace import (
    Workspace,
    children,
    command_of,
    compactions,
    notices,
    summaries,
)

FAULTY_SERVER = Path(__file__).with_name("faulty_server.py")


def faulty(fault: str, *more: str | Path) -> tuple[str, ...]:
    return (sys.executable, "-I", str(FAULTY_SERVER), fault, *map(str, more))


def assert_compacted_by_pi(workspace: Workspace, session: Path) -> None:
    """The only compaction is of pi's own making, and the file is whole."""
    (entry,) = compactions(session)
    assert entry["summary"].startswith(SUMMARY.strip())
    assert not entry.get("fromHook")
    assert workspace.server.summary_requests


def assert_compacted_by_longhaul(session: Path) -> None:
    (entry,) = compactions(session)
    assert entry["fromHook"]
    assert RULE in entry["summary"]


def assert_said_what_was_kept(pi: PiProcess) -> None:
    (notice,) = notices(pi)
    kept = r"Longhaul: kept \d+ rules?, \d+ values? in [\d,]+ characters .*\((\d+ ms|\d+\.\d s)\)"
    assert re.fullmatch(kept, notice), notice


def started_server(pid: int) -> int:
    """Wait for the server that `pid` starts; one that is still a copy of pi is none yet.

    To stop such a copy would stop pi, which waits until it has become the server.
    """
    deadline = time.monotonic() + PATIENCE_S
    while True:
        for child in children(pid):
            if SERVER_MODULE in command_of(child):
                return child
        assert time.monotonic() < deadline, "pi started no server"


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("killed", "its server ended with SIGKILL"),
        ("refuse", "the state [31m is broken"),
        ("lament", "alas " * 76),
        ("flood", "its answer is too long"),
        ("garbage", "its answer is not one to our request"),
        ("list", "its answer is not one to our request"),
        ("other-request", "its answer is not one to our request"),
        ("no-result", "its answer holds no result"),
        ("other-session", "its answer is for another session"),
        ("other-leaf", "its answer is for another session"),
        ("other-cut", "its answer is for another cut"),
        ("blank-summary", "its answer is no compaction"),
        ("number-summary", "its answer is no compaction"),
        ("long-summary", "its answer is no compaction"),
        ("no-details", "its answer is no compaction"),
        ("bad-usage", "its answer is no compaction"),
        ("hang", "no answer within 0.7 s"),
        ("crash", "its server ended with exit code 1: ImportError: the package is damaged"),
        ("newer", "extension 0.1.0 does not fit longhaul 9.9.9 (run `longhaul install pi`)"),
        ("older", "extension 0.1.0 does not fit longhaul 9.9.9 (upgrade pi-longhaul)"),
    ],
)
def test_pi_compacts_by_itself_when_the_server_fails(
    workspace: Workspace, fault: str, reason: str
) -> None:
    workspace.install(faulty(fault))
    session = session_in(workspace)
    with workspace.start(session=session, LONGHAUL_DEADLINE_MS="700") as pi:
        compact(pi)
        assert notices(pi) == [f"Longhaul: {reason}; pi compacts without it"]
        assert pi.stderr == ""
    assert_compacted_by_pi(workspace, session)


def test_a_missing_interpreter_is_named(workspace: Workspace) -> None:
    workspace.install(("/nowhere/bin/python3", "-I", "-m", "longhaul.cli.serve"))
    reason = (
        "cannot start /nowhere/bin/python3 (ENOENT): install longhaul again and run"
        f" `longhaul install pi`, or delete {extension_path(workspace.agent_dir)}"
    )
    assert_said_to_compaction_and_command(workspace, reason)


def test_a_package_that_was_removed_before_its_extension_is_named(
    workspace: Workspace, tmp_path: Path
) -> None:
    venv.create(tmp_path / "venv", symlinks=True)
    python = tmp_path / "venv" / "bin" / "python"
    workspace.install((str(python), "-I", "-m", "longhaul.cli.serve"))
    reason = (
        f"longhaul is no longer installed for {python}: install it again there,"
        f" or delete {extension_path(workspace.agent_dir)}"
    )
    assert_said_to_compaction_and_command(workspace, reason)


def assert_said_to_compaction_and_command(workspace: Workspace, reason: str) -> None:
    session = session_in(workspace)
    with workspace.start(session=session) as pi:
        pi.prompt("/longhaul")
        compact(pi)
        assert notices(pi) == [
            f"Longhaul: {reason}",
            f"Longhaul: {reason}; pi compacts without it",
        ]
    assert_compacted_by_pi(workspace, session)


def test_a_server_that_was_killed_is_started_again_for_the_next_compaction(
    workspace: Workspace, tmp_path: Path
) -> None:
    workspace.install(faulty("killed", tmp_path / "log"))
    session = session_in(workspace)
    with workspace.start(session=session) as pi:
        compact(pi)
        pi.prompt("And part five. " * 100)
        compact(pi)
        assert "SIGKILL" in notices(pi)[0]
        assert notices(pi)[1].startswith("Longhaul: kept nothing (")
    assert [bool(entry.get("fromHook")) for entry in compactions(session)] == [False, True]


@pytest.mark.parametrize(
    ("strike", "reason"),
    [
        (signal.SIGKILL, "its server ended with SIGKILL"),
        (signal.SIGSTOP, "no answer within 1.5 s"),
    ],
)
def test_the_real_server_may_be_struck_during_a_compaction(
    workspace: Workspace, strike: signal.Signals, reason: str
) -> None:
    workspace.install()
    session = session_in(workspace)
    with workspace.start(session=session, LONGHAUL_DEADLINE_MS="1500") as pi:
        command = pi.send("compact")
        server = started_server(pi.process.pid)
        os.kill(server, strike)
        assert pi.wait(lambda record: record.get("id") == command, what="compact")["success"]
        assert notices(pi) == [f"Longhaul: {reason}; pi compacts without it"]
        wait_for_end(server)
    assert_compacted_by_pi(workspace, session)


def test_another_session_in_the_same_pi_gets_a_server_of_its_own(workspace: Workspace) -> None:
    workspace.install()
    first, second = session_in(workspace), workspace.sessions / "second.jsonl"
    shutil.copy(first, second)
    with workspace.start(session=first) as pi:
        compact(pi)
        (server,) = children(pi.process.pid)
        assert pi.request("switch_session", sessionPath=str(second))["success"]
        wait_for_end(server)
        compact(pi)
        assert len(list(children(pi.process.pid))) == 1
    assert_compacted_by_longhaul(first)
    assert_compacted_by_longhaul(second)


def test_abort_ends_a_compaction_at_once_and_tells_the_server(
    workspace: Workspace, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    workspace.install(faulty("hang", log))
    session = session_in(workspace)
    with workspace.start(session=session) as pi:
        pi.send("compact")
        pi.wait_for("compaction_start")
        while not log.exists() or '"method":"compact"' not in log.read_text(encoding="utf-8"):
            time.sleep(0.01)
        pi.request("abort")
        end = pi.wait_for("compaction_end")
        assert end["aborted"]
        assert notices(pi) == []
        assert compactions(session) == []
        compact(pi)
        assert notices(pi)[0].startswith("Longhaul: kept nothing (")
    assert summaries(session) == ["A state."]


def test_a_refused_compaction_leaves_the_server_running(workspace: Workspace) -> None:
    workspace.install(faulty("refuse"))
    with workspace.start(session=session_in(workspace)) as pi:
        compact(pi)
        first = list(children(pi.process.pid))
        pi.prompt("And part five. " * 100)
        compact(pi)
        assert list(children(pi.process.pid)) == first
        assert len(first) == 1


def test_the_usage_of_an_answer_reaches_the_session(workspace: Workspace) -> None:
    usage = {**USAGE, "input": 1200, "output": 34, "totalTokens": 1234}
    workspace.install(faulty("usage"))
    session = session_in(workspace)
    with workspace.start(session=session, TEST_USAGE=json.dumps(usage)) as pi:
        compact(pi)
        stats = pi.request("get_session_stats")["data"]
    assert compactions(session)[0]["usage"] == usage
    assert isinstance(stats, dict)
    assert stats["tokens"]["total"] == 1234  # type: ignore[call-overload, index]


def test_a_server_that_cannot_write_a_file_compacts_all_the_same(workspace: Workspace) -> None:
    shell = ("/bin/sh", "-c", 'ulimit -f 0 && exec "$@"', "sh")
    workspace.install((*shell, *find_command()))
    session = session_in(workspace)
    with workspace.start(session=session, HOME="/dev/null", TMPDIR="/dev/null") as pi:
        compact(pi)
        assert_said_what_was_kept(pi)
    assert_compacted_by_longhaul(session)


def test_a_second_and_more_is_told_in_seconds(workspace: Workspace) -> None:
    workspace.install(("/bin/sh", "-c", 'sleep 1 && exec "$@"', "sh", *find_command()))
    with workspace.start(session=session_in(workspace)) as pi:
        compact(pi)
        (notice,) = notices(pi)
    assert re.search(r" \([1-9]\d*\.\d s\)$", notice), notice


def test_nothing_in_the_project_is_imported(workspace: Workspace) -> None:
    trap = "from pathlib import Path\nPath(__file__).with_suffix('.sprung').touch()\n"
    (workspace.project / "longhaul").mkdir()
    for name in ("json.py", "typing.py", "sitecustomize.py", "longhaul/__init__.py"):
        (workspace.project / name).write_text(trap, encoding="utf-8")
    workspace.install()
    session = session_in(workspace)
    with workspace.start(session=session, PYTHONPATH=str(workspace.project)) as pi:
        compact(pi)
        assert_said_what_was_kept(pi)
    assert_compacted_by_longhaul(session)
    assert list(workspace.project.rglob("*.sprung")) == []


def test_the_server_ends_with_a_pi_that_is_killed(workspace: Workspace) -> None:
    workspace.install()
    with workspace.start(session=session_in(workspace)) as pi:
        compact(pi)
        (server,) = children(pi.process.pid)
        pi.kill()
        wait_for_end(server)


def test_the_server_ends_with_a_pi_that_quits(workspace: Workspace) -> None:
    workspace.install()
    with workspace.start(session=session_in(workspace)) as pi:
        compact(pi)
        (server,) = children(pi.process.pid)
        assert pi.close() == 0
        wait_for_end(server)


def test_two_pis_in_one_project_do_not_disturb_each_other(workspace: Workspace) -> None:
    workspace.install()
    first, second = session_in(workspace), workspace.sessions / "second.jsonl"
    shutil.copy(first, second)
    with workspace.start(session=first) as one, workspace.start(session=second) as two:
        asked = [(pi, pi.send("compact")) for pi in (one, two)]
        for pi, command in asked:
            assert pi.wait(lambda record, c=command: record.get("id") == c, what="compact")  # type: ignore[misc]
            assert_said_what_was_kept(pi)
    assert_compacted_by_longhaul(first)
    assert_compacted_by_longhaul(second)


def test_two_pis_on_one_session_file_each_compact_their_own_branch(workspace: Workspace) -> None:
    workspace.install()
    session = session_in(workspace)
    with workspace.start(session=session) as one, workspace.start(session=session) as two:
        one.prompt("Use port 4711 from now on. " * 40)
        two.prompt("Use port 4712 from now on. " * 40)
        compact(one)
        compact(two)
        assert_said_what_was_kept(one)
        assert_said_what_was_kept(two)
    parents = [entry["parentId"] for entry in compactions(session)]
    assert len(set(parents)) == 2


def test_a_session_file_that_vanished_is_made_up_for_by_its_entries(workspace: Workspace) -> None:
    workspace.install()
    session = session_in(workspace)
    with workspace.start(session=session) as pi:
        pi.request("get_state")
        session.rename(session.with_suffix(".moved"))
        compact(pi)
        assert_said_what_was_kept(pi)


OTHER_EXTENSION = """
export default function (pi) {
  pi.on("session_before_compact", ({ preparation: { firstKeptEntryId, tokensBefore } }) => ({
    compaction: { summary: "The other one's.", firstKeptEntryId, tokensBefore },
  }));
}
"""


@pytest.mark.parametrize(("name", "wins"), [("a-first.ts", False), ("z-last.ts", True)])
def test_the_last_of_several_compaction_extensions_wins_and_is_told_of(
    workspace: Workspace, name: str, *, wins: bool
) -> None:
    workspace.install()
    other = workspace.agent_dir / "extensions" / name
    other.write_text(OTHER_EXTENSION, encoding="utf-8")
    session = session_in(workspace)
    with workspace.start(session=session) as pi:
        compact(pi)
        if wins:
            told = "another extension answered after it; that compaction was kept"
            assert notices(pi) == [f"Longhaul: {told}"]
        else:
            assert_said_what_was_kept(pi)
    assert (summaries(session) == ["The other one's."]) == wins


def test_a_session_of_50_megabytes_is_compacted(workspace: Workspace) -> None:
    workspace.install()
    session = write_session(
        workspace.sessions / "s.jsonl", cwd=workspace.project, n_turns=500, result_chars=110_000
    )
    assert session.stat().st_size > 50_000_000
    with workspace.start(session=session) as pi:
        compact(pi)
        assert_said_what_was_kept(pi)
    assert_compacted_by_longhaul(session)
