"""A session has the settings of its user, and of its project as far as the user trusts it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from longhaul.config import Config
from longhaul.pi.session_config import load_session_config

ONLY_ROOTS = "only localOnlyRoots counts in it until you trust the project (/trust in pi)"


@pytest.fixture
def agent_dir(tmp_path: Path) -> Path:
    """A folder of pi's, with settings in it that ask for turns."""
    folder = tmp_path / "agent"
    folder.mkdir()
    (folder / "longhaul.json").write_text('{"mode": "turns"}', encoding="utf-8")
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that pi asks about, with settings that tighten the mode and add a root."""
    folder = tmp_path / "project"
    (folder / ".pi" / "extensions").mkdir(parents=True)
    settings = {"mode": "offline", "localOnlyRoots": ["data"]}
    (folder / ".pi" / "longhaul.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder


def trust(agent_dir: Path, text: str) -> None:
    (agent_dir / "trust.json").write_text(text, encoding="utf-8")


def test_a_project_that_nobody_decided_on_only_protects(agent_dir: Path, project: Path) -> None:
    assert load_session_config(agent_dir, str(project)) == Config(
        mode="turns",
        local_only_roots=(project / "data",),
        complaints=(f"{project}/.pi/longhaul.json: {ONLY_ROOTS}",),
    )


def test_a_trusted_project_tightens(agent_dir: Path, project: Path) -> None:
    trust(agent_dir, json.dumps({str(project.parent): True}))
    expected = Config(mode="offline", local_only_roots=(project / "data",))
    assert load_session_config(agent_dir, str(project)) == expected


def test_a_project_that_pi_asks_nothing_about_tightens(agent_dir: Path, project: Path) -> None:
    (project / ".pi" / "extensions").rmdir()
    expected = Config(mode="offline", local_only_roots=(project / "data",))
    assert load_session_config(agent_dir, str(project)) == expected
    trust(agent_dir, json.dumps({str(project): False}))
    assert load_session_config(agent_dir, str(project)).mode == "turns"


def test_where_trust_cannot_be_told_there_is_none(agent_dir: Path, project: Path) -> None:
    trust(agent_dir, "[]")
    config = load_session_config(agent_dir, str(project))
    assert (config.mode, config.local_only_roots) == ("turns", (project / "data",))
    assert config.complaints == (
        f"{project}/.pi/longhaul.json: {ONLY_ROOTS}",
        f"{agent_dir}/trust.json: expected an object",
    )


def test_a_session_without_a_folder_has_its_users_settings(agent_dir: Path) -> None:
    assert load_session_config(agent_dir, "") == Config(mode="turns")


def test_the_home_folder_can_be_given(agent_dir: Path, project: Path, tmp_path: Path) -> None:
    file = project / ".pi" / "longhaul.json"
    file.write_text('{"localOnlyRoots": ["~/x"]}', encoding="utf-8")
    config = load_session_config(agent_dir, str(project), home=tmp_path)
    assert config == Config(mode="turns", local_only_roots=(tmp_path / "x",))


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b", "n" * 5000])
def test_a_folder_that_cannot_be_looked_into_is_local_only(agent_dir: Path, name: str) -> None:
    config = load_session_config(agent_dir, f"/{name}")
    assert replace(config, complaints=()) == Config(
        mode="turns", local_only_roots=(Path("/"),), roots_unknown=True
    )
    assert "longhaul.json cannot be read (" in config.complaints[0]
