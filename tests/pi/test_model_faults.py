"""Whatever the model answers or does not, a valid compaction stands, and one line says why."""

import json
import os
import signal
from pathlib import Path

import pytest

from longhaul.compaction.compact import CompactOptions, compact
from longhaul.pi.sessions import load_session, path_to
from tests.pi import driving
from tests.pi.driving import session_in, wait_for_call
from tests.pi.scripted_server import NO_CHANGES, Reply
from tests.pi.workspace import WINDOW_TOKENS, Workspace, children, compactions, notices

CALL_DEADLINE_S = 1


@pytest.fixture
def longhaul(workspace: Workspace) -> Workspace:
    workspace.write_json("longhaul.json", {"callDeadlineSeconds": CALL_DEADLINE_S})
    workspace.install()
    return workspace


def offline_summary(session: Path) -> str:
    """Return what the session's only compaction would be without a model."""
    (entry,) = compactions(session)
    compaction = compact(
        path_to(load_session(session), entry["parentId"]),
        first_kept_entry_id=entry["firstKeptEntryId"],
        tokens_before=entry["tokensBefore"],
        options=CompactOptions(window_tokens=WINDOW_TOKENS),
    )
    return compaction.summary


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(error="no such model", status=404), "404"),
        (Reply(finish="content_filter"), "content_filter"),
        (Reply(text=""), ""),
        (Reply(text="I would rather talk about the weather."), ""),
        (Reply(text="Je préfère parler du temps. {"), ""),
        (Reply(text='{"rules": [{"message": "u1", "quote": "Nev', finish="length"), ""),
        (Reply(text="x" * 10_000_000), ""),
        (Reply(hangs=True), f"no reply within {CALL_DEADLINE_S} s"),
    ],
    ids=["error", "filtered", "empty", "prose", "another language", "cut", "10 MB", "hangs"],
)
def test_a_compaction_stands_without_the_models_word(
    longhaul: Workspace, reply: Reply, reason: str
) -> None:
    session = session_in(longhaul)
    longhaul.server.script_calls(reply)
    with longhaul.start(session=session) as pi:
        driving.compact(pi)
        (notice,) = notices(pi)
        assert pi.stderr == ""
    (entry,) = compactions(session)
    assert entry["fromHook"]
    assert entry["summary"] == offline_summary(session)
    failure = entry["details"]["longhaul"]["call"]["failure"]
    assert reason in failure
    assert failure in notice
    assert longhaul.server.summary_requests == []


@pytest.mark.parametrize(
    ("wait", "reason"),
    [
        ("", "no reply yet, and pi does not ask again: end the model's name in ?wait=SECONDS"),
        ("?wait=0.3", "no reply came within the wait that its name sets"),
        ("?wait=30", f"no reply within {CALL_DEADLINE_S} s"),
    ],
)
def test_a_model_that_answers_in_files_is_waited_for_as_its_name_says(
    longhaul: Workspace, wait: str, reason: str
) -> None:
    settings = {"callDeadlineSeconds": CALL_DEADLINE_S, "model": f"batch:{longhaul.root}/b{wait}"}
    longhaul.write_json("longhaul.json", settings)
    with longhaul.start(session=session_in(longhaul)) as pi:
        driving.compact(pi)
        (notice,) = notices(pi)
    assert f"made without a model ({reason})" in notice


def test_how_much_of_a_reply_was_dropped_is_said(longhaul: Workspace) -> None:
    rules = [{"message": "u1", "quote": words} for words in ("Never use numpy", "Ask me first")]
    longhaul.server.script_calls(Reply(text=json.dumps({**json.loads(NO_CHANGES), "rules": rules})))
    with longhaul.start(session=session_in(longhaul)) as pi:
        driving.compact(pi)
        (notice,) = notices(pi)
    assert " with scripted/scripted, 2 of its 2 items dropped (" in notice


def test_the_next_compaction_asks_again(longhaul: Workspace) -> None:
    session = session_in(longhaul)
    longhaul.server.script_calls(Reply(text="No."), Reply(text=NO_CHANGES))
    with longhaul.start(session=session) as pi:
        driving.compact(pi)
        pi.prompt("And part five. " * 100)
        driving.compact(pi)
        assert len(list(children(pi.process.pid))) == 1
    calls = [entry["details"]["longhaul"]["call"] for entry in compactions(session)]
    assert ["failure" in call and call["failure"] != "" for call in calls] == [True, False]


def test_an_abort_during_the_call_leaves_nothing_behind(workspace: Workspace) -> None:
    workspace.install()
    session = session_in(workspace)
    workspace.server.script_calls(Reply(hangs=True))
    with workspace.start(session=session) as pi:
        pi.send("compact")
        wait_for_call(workspace)
        before = list(children(pi.process.pid))
        pi.request("abort")
        assert pi.wait_for("compaction_end")["aborted"]
        assert (notices(pi), compactions(session)) == ([], [])
        driving.compact(pi)
        assert list(children(pi.process.pid)) == before
    assert workspace.server.n_given_up == 1
    assert compactions(session)[0]["summary"] == offline_summary(session)


def test_pi_compacts_by_itself_where_the_server_is_killed_during_the_call(
    workspace: Workspace,
) -> None:
    workspace.install()
    session = session_in(workspace)
    workspace.server.script_calls(Reply(hangs=True))
    with workspace.start(session=session) as pi:
        command = pi.send("compact")
        wait_for_call(workspace)
        (server,) = children(pi.process.pid)
        os.kill(server, signal.SIGKILL)
        assert pi.wait(lambda record: record.get("id") == command, what="compact")["success"]
        reason = "its server ended with SIGKILL"
        assert notices(pi) == [f"Longhaul: {reason}; pi compacts without it"]
    assert workspace.server.n_given_up == 1
    assert not compactions(session)[0].get("fromHook")


def test_what_the_call_took_is_in_the_sessions_totals_though_it_failed(
    longhaul: Workspace,
) -> None:
    session = session_in(longhaul)
    longhaul.server.script_calls(Reply(text="No.", prompt_tokens=700))
    with longhaul.start(session=session) as pi:
        driving.compact(pi)
    assert compactions(session)[0]["usage"]["input"] == 700


def test_the_settings_model_is_asked_instead_of_the_sessions(
    longhaul: Workspace, tmp_path: Path
) -> None:
    folder = tmp_path / "batch"
    folder.mkdir()
    settings = {"model": f"batch:{folder}?wait=1", "callDeadlineSeconds": 30}
    longhaul.write_json("longhaul.json", settings)
    session = session_in(longhaul)
    with longhaul.start(session=session) as pi:
        driving.compact(pi)
        (notice,) = notices(pi)
    assert longhaul.server.call_requests == []
    assert len(list(folder.glob("*.request.json"))) == 1
    assert compactions(session)[0]["summary"] == offline_summary(session)
    assert "kept 1 rule" in notice
