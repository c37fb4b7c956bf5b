"""What tests do with a pi that runs on a session made for them."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from longhaul.pi.process import PiProcess
from tests.pi.sessions import write_session
from tests.pi.workspace import Workspace, is_running

PATIENCE_S = 20


def session_in(workspace: Workspace, **how: int) -> Path:
    """Write a session as `write_session` does, for pi to go on with."""
    return write_session(workspace.sessions / "s.jsonl", cwd=workspace.project, **how)


def compact(pi: PiProcess) -> None:
    """Let pi compact; that it does not fails the test, with what pi says."""
    response = pi.request("compact")
    assert response["success"], response.get("error")


def fork_at(pi: PiProcess, index: int) -> None:
    """Let pi go on before its user message `index`, in a session of its own."""
    data = pi.request("get_fork_messages")["data"]
    assert isinstance(data, dict)
    messages = data["messages"]
    assert isinstance(messages, list)
    message = messages[index]
    assert isinstance(message, dict)
    assert pi.request("fork", entryId=message["entryId"])["success"]


def wait_for_call(workspace: Workspace) -> None:
    """Wait until the model is asked for the first time."""
    deadline = time.monotonic() + PATIENCE_S
    while not workspace.server.call_requests:
        assert time.monotonic() < deadline, "no call came"
        time.sleep(0.01)


def wait_for_end(pid: int) -> None:
    """Wait until a process has ended."""
    deadline = time.monotonic() + PATIENCE_S
    while is_running(pid):
        assert time.monotonic() < deadline, f"process {pid} still runs"
        time.sleep(0.02)


def set_address(workspace: Workspace, base_url: str) -> None:
    """Let pi ask its model at another address."""
    _change(workspace, lambda provider: provider.update(baseUrl=base_url))


def set_model(workspace: Workspace, **fields: object) -> None:
    """Change what pi knows of the scripted model."""
    _change(workspace, lambda provider: provider["models"][0].update(fields))


def _change(workspace: Workspace, change: Callable[[dict[str, Any]], None]) -> None:
    models = json.loads((workspace.agent_dir / "models.json").read_text(encoding="utf-8"))
    change(models["providers"]["scripted"])
    workspace.write_json("models.json", models)
