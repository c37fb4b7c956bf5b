"""What is local only goes to no model elsewhere, not even when Longhaul fails."""

from pathlib import Path

import pytest

from longhaul.pi.process import PiProcess
from tests.listener import Listener
from tests.pi.driving import session_in, set_address
from tests.pi.sessions import RULE
from tests.pi.workspace import Workspace, compactions, notices, summaries

MISSING = ("/nowhere/python",)
KEPT_BACK = "; not compacted: this session is local only, pi's model is not"
ELSEWHERE = "http://models.invalid/v1"


def compact(workspace: Workspace, base_url: str) -> tuple[PiProcess, Path]:
    """Compact a session whose model is at `base_url`, while Longhaul's server cannot start."""
    set_address(workspace, base_url)
    workspace.install(MISSING)
    session = session_in(workspace)
    with workspace.start(session=session) as pi:
        pi.request("compact")
    return pi, session


@pytest.mark.parametrize("place", ["project", "sessions"])
def test_a_session_under_a_local_only_root_is_not_sent_elsewhere(
    workspace: Workspace, place: str
) -> None:
    workspace.write_json("longhaul.json", {"localOnlyRoots": [str(workspace.root / place)]})
    pi, session = compact(workspace, ELSEWHERE)
    (notice,) = notices(pi)
    assert notice.endswith(KEPT_BACK)
    assert compactions(session) == []
    assert pi.wait_for("compaction_end")["aborted"]


def test_a_project_can_add_itself(workspace: Workspace) -> None:
    (workspace.project / ".pi").mkdir()
    settings = workspace.project / ".pi" / "longhaul.json"
    settings.write_text('{"localOnlyRoots": ["."]}', encoding="utf-8")
    pi, _ = compact(workspace, ELSEWHERE)
    assert notices(pi)[0].endswith(KEPT_BACK)


def test_settings_that_cannot_be_understood_keep_the_session_here(workspace: Workspace) -> None:
    (workspace.agent_dir / "longhaul.json").write_text("{", encoding="utf-8")
    pi, _ = compact(workspace, ELSEWHERE)
    assert notices(pi)[0].endswith(KEPT_BACK)


def test_a_model_on_this_machine_may_compact_it(workspace: Workspace) -> None:
    workspace.write_json("longhaul.json", {"localOnlyRoots": [str(workspace.root)]})
    pi, session = compact(workspace, workspace.server.base_url)
    assert notices(pi)[0].endswith("; pi compacts without it")
    assert len(compactions(session)) == 1


def test_a_sibling_of_a_local_only_root_is_not_under_it(workspace: Workspace) -> None:
    beside = str(workspace.project)[:-1]
    workspace.write_json("longhaul.json", {"localOnlyRoots": [beside]})
    pi, _ = compact(workspace, ELSEWHERE)
    assert notices(pi)[0].endswith("; pi compacts without it")


def compact_beside(
    listener: Listener, workspace: Workspace, **settings: object
) -> tuple[list[str], list[str]]:
    """Compact with the real server while every model is where `listener` is.

    Returns what was said, and the texts of the compactions.
    """
    workspace.write_json("longhaul.json", settings)
    set_address(workspace, listener.url)
    workspace.install()
    session = session_in(workspace)
    with workspace.start(session=session, OPENAI_BASE_URL=listener.url) as pi:
        assert pi.request("compact")["success"]
    return notices(pi), summaries(session)


BIG = "openai-compatible/big"


@pytest.mark.parametrize(
    ("mode", "named"),
    [
        ("state", {}),
        ("state", {"model": BIG}),
        ("turns", {"localModel": BIG}),
        ("offline", {"model": BIG, "localModel": BIG}),
    ],
)
def test_not_a_byte_of_it_reaches_a_model_elsewhere(
    workspace: Workspace, mode: str, named: dict[str, str]
) -> None:
    roots = [str(workspace.project)]
    with Listener() as listener:
        settings = {"mode": mode, "localOnlyRoots": roots, **named}
        said, texts = compact_beside(listener, workspace, **settings)
    assert listener.received == b""
    assert ("this session is local only" in said[0]) == (mode != "offline")
    assert RULE in texts[0]


@pytest.mark.parametrize(("spared", "n_calls"), [("", 0), ("localhost 127.0.0.1", 1)])
def test_what_a_proxy_would_carry_away_does_not_count_as_this_machine(
    workspace: Workspace, spared: str, n_calls: int
) -> None:
    workspace.write_json("longhaul.json", {"localOnlyRoots": [str(workspace.root)]})
    workspace.install()
    session = session_in(workspace)
    with Listener() as proxy:
        environment = {"HTTP_PROXY": proxy.url.removesuffix("/v1"), "NO_PROXY": spared}
        with workspace.start(session=session, **environment) as pi:
            assert pi.request("compact")["success"]
    assert proxy.received == b""
    assert len(workspace.server.call_requests) == n_calls


def test_the_listener_hears_what_is_not_local_only(workspace: Workspace) -> None:
    with Listener() as listener:
        compact_beside(listener, workspace, callDeadlineSeconds=5)
    assert listener.received.startswith(b"connected: POST /v1/chat/completions")


def test_a_local_only_session_asks_its_own_model_on_this_machine(workspace: Workspace) -> None:
    workspace.write_json("longhaul.json", {"localOnlyRoots": [str(workspace.root)]})
    workspace.install()
    session = session_in(workspace)
    with workspace.start(session=session) as pi:
        assert pi.request("compact")["success"]
    assert len(workspace.server.call_requests) == 1
