"""What is local only goes to no model elsewhere, not even when Longhaul fails."""

import json
from pathlib import Path

import pytest

from longhaul.pi.process import PiProcess
from tests.pi.sessions import write_session
from tests.pi.workspace import Workspace, compactions, notices

MISSING = ("/nowhere/python",)
KEPT_BACK = "; not compacted: this session is local only, pi's model is not"
ELSEWHERE = "http://models.invalid/v1"


def compact(workspace: Workspace, base_url: str) -> tuple[PiProcess, Path]:
    """Compact a session whose model is at `base_url`, while Longhaul's server cannot start."""
    models = json.loads((workspace.agent_dir / "models.json").read_text(encoding="utf-8"))
    models["providers"]["scripted"]["baseUrl"] = base_url
    workspace.write_json("models.json", models)
    workspace.install(MISSING)
    session = write_session(workspace.sessions / "s.jsonl", cwd=workspace.project)
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
