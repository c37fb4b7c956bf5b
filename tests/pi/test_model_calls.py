"""The session's own model answers the server through pi: with its login, its level, its abort."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.pi.driving import (
    compact,
    session_in,
    set_address,
    set_model,
    wait_for_call,
    wait_for_end,
)
from tests.pi.scripted_server import Reply
from tests.pi.workspace import (
    Workspace,
    children,
    compactions,
    is_running,
    notices,
)

ASKING_SERVER = Path(__file__).with_name("asking_server.py")
CALL_DEADLINE_S = 1
LONG_S = 60


def install(workspace: Workspace, deadline_s: float = LONG_S, *thinking: str) -> Path:
    """Install a server that asks the model; return a session to compact."""
    workspace.install((sys.executable, "-I", str(ASKING_SERVER), str(deadline_s), *thinking))
    return session_in(workspace)


def replies(session: Path) -> list[Any]:
    """Return what came of the call of each compaction."""
    return [entry["details"]["reply"] for entry in compactions(session)]


def test_the_sessions_model_answers_and_its_usage_counts(workspace: Workspace) -> None:
    set_model(workspace, cost={"input": 1000, "output": 2000, "cacheRead": 0, "cacheWrite": 0})
    session = install(workspace)
    workspace.server.script_calls(Reply(text='{"a": 1}', prompt_tokens=100))
    with workspace.start(session=session) as pi:
        compact(pi)
        stats = pi.request("get_session_stats")["data"]
        assert pi.stderr == ""
    (request,) = workspace.server.call_requests
    assert request["messages"] == [
        {"role": "system", "content": "You read."},
        {"role": "user", "content": [{"type": "text", "text": "One?"}]},
        {"role": "assistant", "content": "Two."},
        {"role": "user", "content": [{"type": "text", "text": "Three?"}]},
    ]
    assert request.get("max_completion_tokens", request.get("max_tokens")) == 99
    (entry,) = compactions(session)
    assert entry["details"]["reply"] == {
        "text": '{"a": 1}',
        "stop_reason": "stop",
        "model": "scripted/scripted",
        "tokens_in": 100,
        "tokens_out": 3,
        "tokens_cached": 0,
        "seconds": 0,
    }
    assert entry["usage"]["totalTokens"] == 103
    assert entry["usage"]["cost"]["total"] == pytest.approx(0.106)
    assert isinstance(stats, dict)
    assert stats["tokens"]["total"] == 103  # type: ignore[call-overload, index]
    assert stats["cost"] == pytest.approx(0.106)
    assert workspace.server.summary_requests == []


@pytest.mark.parametrize(("asked", "sent"), [((), "high"), (("low",), "low"), (("off",), None)])
def test_the_thinking_level_is_the_settings_or_the_sessions_own(
    workspace: Workspace, asked: tuple[str, ...], sent: str | None
) -> None:
    set_model(workspace, reasoning=True)
    session = install(workspace, LONG_S, *asked)
    with workspace.start("--thinking", "high", session=session) as pi:
        compact(pi)
    (request,) = workspace.server.call_requests
    assert request.get("reasoning_effort") == sent


def test_no_more_output_is_asked_for_than_the_model_can_give(workspace: Workspace) -> None:
    set_model(workspace, maxTokens=64)
    session = install(workspace)
    with workspace.start(session=session) as pi:
        compact(pi)
    (request,) = workspace.server.call_requests
    assert request.get("max_completion_tokens", request.get("max_tokens")) == 64


def test_a_server_on_this_machine_is_asked_to_hold_to_the_schema(workspace: Workspace) -> None:
    session = install(workspace)
    with workspace.start(session=session) as pi:
        compact(pi)
    (request,) = workspace.server.call_requests
    schema = {"type": "object", "properties": {"a": {"type": "number"}}}
    json_schema = {"name": "changes", "schema": schema}
    assert request["response_format"] == {"type": "json_schema", "json_schema": json_schema}


def test_a_server_that_refuses_the_schema_is_asked_without_it_from_then_on(
    workspace: Workspace,
) -> None:
    session = install(workspace)
    workspace.server.script_calls(Reply(error="response_format is not supported"))
    with workspace.start(session=session) as pi:
        compact(pi)
        pi.prompt("And part five. " * 100)
        compact(pi)
    formats = ["response_format" in request for request in workspace.server.call_requests]
    assert formats == [True, False, False]
    assert all("text" in reply for reply in replies(session))


@pytest.mark.parametrize(
    ("reply", "failure"),
    [
        (Reply(error="no such model", status=404), "404"),
        (Reply(error="content is filtered", status=403), "403"),
        (Reply(finish="content_filter"), "Provider finish_reason: content_filter"),
    ],
)
def test_an_error_of_the_provider_is_said(workspace: Workspace, reply: Reply, failure: str) -> None:
    session = install(workspace)
    workspace.server.script_calls(reply)
    with workspace.start(session=session) as pi:
        compact(pi)
    (came,) = replies(session)
    assert came["failure"].startswith(failure)


def test_a_reply_that_the_output_limit_cut_is_handed_on(workspace: Workspace) -> None:
    session = install(workspace)
    workspace.server.script_calls(Reply(text='{"a": ', finish="length"))
    with workspace.start(session=session) as pi:
        compact(pi)
    (came,) = replies(session)
    assert (came["text"], came["stop_reason"]) == ('{"a": ', "length")


def test_an_endless_reply_is_cut_where_it_comes_in(workspace: Workspace) -> None:
    session = install(workspace)
    workspace.server.script_calls(Reply(text="x" * 10_000_000))
    with workspace.start(session=session) as pi:
        compact(pi)
    (came,) = replies(session)
    assert (came["text"], came["stop_reason"]) == ("x" * 400_000, "length")


def test_a_model_that_never_answers_is_given_up_at_the_deadline(workspace: Workspace) -> None:
    session = install(workspace, CALL_DEADLINE_S)
    workspace.server.script_calls(Reply(hangs=True))
    with workspace.start(session=session, LONGHAUL_DEADLINE_MS="900") as pi:
        compact(pi)
        assert notices(pi)[0].startswith("Longhaul: asked (")
        (server,) = children(pi.process.pid)
    assert replies(session) == [{"failure": "no reply within 1 s"}]
    assert workspace.server.n_given_up == 1
    assert not is_running(server)


def test_abort_ends_the_call_at_once_and_the_server_goes_on(workspace: Workspace) -> None:
    session = install(workspace)
    workspace.server.script_calls(Reply(hangs=True))
    with workspace.start(session=session) as pi:
        pi.send("compact")
        wait_for_call(workspace)
        before = list(children(pi.process.pid))
        pi.request("abort")
        end = pi.wait_for("compaction_end")
        assert end["aborted"]
        assert notices(pi) == []
        assert compactions(session) == []
        compact(pi)
        assert list(children(pi.process.pid)) == before
    assert workspace.server.n_given_up == 1
    assert len(replies(session)) == 1


def test_a_command_during_the_call_does_not_disturb_it(workspace: Workspace) -> None:
    session = install(workspace)
    workspace.server.script_calls(Reply(hangs=True))
    with workspace.start(session=session) as pi:
        pi.send("compact")
        wait_for_call(workspace)
        pi.prompt("/longhaul")
        assert notices(pi) == ["Longhaul: busy with a compaction; ask again when it is done"]
        pi.request("abort")
        assert pi.wait_for("compaction_end")["aborted"]


def test_nothing_is_left_of_a_pi_that_is_killed_during_the_call(workspace: Workspace) -> None:
    session = install(workspace)
    workspace.server.script_calls(Reply(hangs=True))
    with workspace.start(session=session) as pi:
        pi.send("compact")
        wait_for_call(workspace)
        (server,) = children(pi.process.pid)
        pi.kill()
        wait_for_end(server)
    assert compactions(session) == []


def test_a_session_that_is_local_only_is_not_sent_elsewhere_even_when_the_server_asks(
    workspace: Workspace,
) -> None:
    workspace.write_json("longhaul.json", {"localOnlyRoots": [str(workspace.root)]})
    set_address(workspace, "http://models.invalid/v1")
    session = install(workspace)
    with workspace.start(session=session) as pi:
        compact(pi)
    failure = "this session is local only, pi's model is not"
    assert replies(session) == [{"failure": failure}]
