"""`doctor` says what is wrong between pi and Longhaul, and how to mend it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from longhaul.models import is_on_this_machine, open_model
from longhaul.pi.doctor import diagnose
from longhaul.pi.finding import Finding
from longhaul.pi.install import extension_path, find_command, install_extension
from tests.pi.workspace import Workspace
from tests.pinned import LONGHAUL, NODE, PI


def on_path(folder: Path, **scripts: str) -> str:
    """Write shell scripts into a folder and return a PATH that holds nothing else."""
    folder.mkdir(exist_ok=True)
    for name, body in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return str(folder)


def make_package(folder: Path, version: str) -> Path:
    """Write what npm unpacks of pi, as far as it is looked at; returns its command."""
    package = folder / "@earendil-works" / "pi-coding-agent"
    package.mkdir(parents=True)
    manifest = {"name": "@earendil-works/pi-coding-agent", "version": version}
    (package / "package.json").write_text(json.dumps(manifest), encoding="utf-8")
    command = package / "cli.js"
    command.write_text("#!/usr/bin/env node\n", encoding="utf-8")
    command.chmod(0o755)
    return command


def diagnose_in(cwd: Path, environment: Mapping[str, str]) -> tuple[Finding, ...]:
    """Return what `longhaul doctor` finds in a folder."""
    return diagnose(
        environment,
        cwd=cwd,
        open_model=partial(open_model, timeout_s=1, environment=environment),
        is_on_this_machine=partial(is_on_this_machine, environment=environment),
    )


def look(tmp_path: Path, path: str = "", **environment: str) -> Mapping[str, Finding]:
    """Return the findings by subject, with `home` as the home folder."""
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    findings = diagnose_in(tmp_path, {"HOME": str(home), "PATH": path, **environment})
    return {finding.subject: finding for finding in findings}


def agent_dir_in(tmp_path: Path) -> Path:
    folder = tmp_path / "home" / ".pi" / "agent"
    folder.mkdir(parents=True)
    return folder


def test_a_machine_without_pi_is_told_what_to_install(tmp_path: Path) -> None:
    findings = look(tmp_path)
    assert {name: finding.level for name, finding in findings.items()} == {
        "python": "ok",
        "pi": "error",
        "node": "warning",
        "agent folder": "ok",
        "settings": "ok",
        "extension": "error",
        "other extensions": "ok",
        "sessions": "ok",
    }
    assert findings["pi"].mend == "npm install -g @earendil-works/pi-coding-agent@1.6.0"
    assert findings["extension"].mend == "longhaul install pi"
    assert list((tmp_path / "home").iterdir()) == []


def test_the_pinned_pi_with_the_extension_has_nothing_to_mend(workspace: Workspace) -> None:
    workspace.install()
    path = os.pathsep.join((str(PI.parent), str(NODE.parent)))
    environment = {**workspace.environment(), "PATH": path}
    findings = diagnose_in(workspace.project, environment)
    assert [finding for finding in findings if finding.level != "ok" or finding.mend] == []
    texts = {finding.subject: finding.text for finding in findings}
    assert texts["pi"].startswith("1.6.0 at ")
    assert texts["node"].startswith("v24.")


def test_an_untested_pi_is_a_warning(tmp_path: Path) -> None:
    command = make_package(tmp_path / "lib", "1.7.2")
    path = on_path(tmp_path / "bin", node="echo v22.19.0")
    (tmp_path / "bin" / "pi").symlink_to(command)
    finding = look(tmp_path, path)["pi"]
    assert finding.level == "warning"
    assert "1.7.2" in finding.text
    assert "tested with 1.6.0" in finding.text


def test_a_pi_that_npm_holds_beside_the_path_is_found(tmp_path: Path) -> None:
    modules = tmp_path / "prefix" / "lib" / "node_modules"
    make_package(modules, "1.6.0")
    (modules / "npm").mkdir()
    (modules / "npm" / "npm-cli.js").write_text("#!/bin/sh\ntouch $HOME/ran\n", encoding="utf-8")
    (modules / "npm" / "npm-cli.js").chmod(0o755)
    path = on_path(tmp_path / "bin")
    (tmp_path / "bin" / "npm").symlink_to(modules / "npm" / "npm-cli.js")
    finding = look(tmp_path, path)["pi"]
    assert (finding.level, finding.mend) == ("warning", "add it to the PATH")
    assert list((tmp_path / "home").iterdir()) == []


def test_a_pi_under_npms_own_prefix_is_found(tmp_path: Path) -> None:
    make_package(tmp_path / "home" / "mine" / "lib" / "node_modules", "1.6.0")
    (tmp_path / "home" / ".npmrc").write_text("audit=false\nprefix = ~/mine\n", encoding="utf-8")
    assert look(tmp_path)["pi"].text.startswith("1.6.0 at ")


def test_a_pi_with_its_own_runtime_says_its_version_itself(tmp_path: Path) -> None:
    path = on_path(tmp_path / "bin", pi="echo 1.6.0")
    findings = look(tmp_path, path)
    assert findings["pi"].level == "ok"
    assert findings["node"].level == "warning"


@pytest.mark.parametrize(
    ("says", "level"), [("v22.18.9", "error"), ("v22.19.0", "ok"), ("v24.1.0", "ok")]
)
def test_node_must_be_new_enough_for_pi(tmp_path: Path, says: str, level: str) -> None:
    path = on_path(tmp_path / "bin", node=f"echo {says}")
    assert look(tmp_path, path)["node"].level == level


def test_a_pi_without_its_node_is_an_error(tmp_path: Path) -> None:
    command = make_package(tmp_path / "lib", "1.6.0")
    path = on_path(tmp_path / "bin")
    (tmp_path / "bin" / "pi").symlink_to(command)
    assert look(tmp_path, path)["node"].level == "error"


@pytest.mark.parametrize(
    ("settings", "level", "text"),
    [
        ("{}", "ok", "reserve 16,384, keep 20,000 tokens"),
        ('{"compaction": {"reserveTokens": 0}}', "ok", "reserve 0, keep 20,000 tokens"),
        ("{", "error", "settings.json: not JSON"),
        ("[]", "error", "settings.json: expected an object"),
        (
            '{"compaction": {"keepRecentTokens": -1}}',
            "error",
            "compaction.keepRecentTokens: expected a whole number of 0 or more, got -1",
        ),
        (
            '{"compaction": {"modelOverrides": {"a/b": {"reserveTokens": 1.5}}}}',
            "error",
            "reserveTokens: expected a whole number of 0 or more, got 1.5",
        ),
        ('{"compaction": {"modelOverrides": {"a/b": 7}}}', "error", "expected an object, got"),
        ('{"compaction": {"enabled": false}}', "warning", "automatic compaction is off"),
        ('{"extensions": ["-extensions/longhaul.ts"]}', "warning", "leaves Longhaul out"),
    ],
)
def test_settings_that_pi_would_refuse_are_named(
    tmp_path: Path, settings: str, level: str, text: str
) -> None:
    (agent_dir_in(tmp_path) / "settings.json").write_text(settings, encoding="utf-8")
    findings = diagnose_in(tmp_path, {"HOME": str(tmp_path / "home"), "PATH": ""})
    found = [finding for finding in findings if finding.subject == "settings"]
    assert found[0].level == level
    assert text in found[0].text


def test_a_project_has_settings_too(tmp_path: Path) -> None:
    (tmp_path / ".pi").mkdir()
    (tmp_path / ".pi" / "settings.json").write_text("nothing", encoding="utf-8")
    assert look(tmp_path)["settings"].level == "error"


def test_what_the_models_of_the_settings_lack_is_named(tmp_path: Path) -> None:
    settings = {"model": "openai/gpt-x", "localOnlyRoots": ["~/secret"]}
    (agent_dir_in(tmp_path) / "longhaul.json").write_text(json.dumps(settings), encoding="utf-8")
    findings = look(tmp_path)
    assert findings["longhaul.json"].level == "ok"
    assert findings["local only"].level == "ok"
    assert findings["model"].level == "warning"
    assert "set OPENAI_API_KEY" in findings["model"].text


def test_a_projects_settings_count_as_far_as_it_is_trusted(tmp_path: Path) -> None:
    agent_dir = agent_dir_in(tmp_path)
    (tmp_path / ".pi" / "extensions").mkdir(parents=True)
    file = tmp_path / ".pi" / "longhaul.json"
    file.write_text('{"mode": "offline"}', encoding="utf-8")
    assert "until you trust the project" in look(tmp_path)["longhaul.json"].text
    (agent_dir / "trust.json").write_text(json.dumps({str(tmp_path): True}), encoding="utf-8")
    expected = Finding("longhaul.json", "ok", f"mode offline; read from {file}")
    assert look(tmp_path)["longhaul.json"] == expected


def test_an_installed_extension_reaches_its_server(tmp_path: Path) -> None:
    install_extension(agent_dir_in(tmp_path))
    findings = look(tmp_path)
    assert findings["extension"].level == "ok"
    assert findings["server"].level == "ok"
    assert "answers after" in findings["server"].text


def test_an_extension_whose_python_is_gone_is_an_error(tmp_path: Path) -> None:
    command = ("/nowhere/python", *find_command()[1:])
    install_extension(agent_dir_in(tmp_path), command=command)
    finding = look(tmp_path)["server"]
    assert (finding.level, finding.mend) == ("error", "longhaul install pi")
    assert "/nowhere/python" in finding.text


def test_an_extension_whose_python_lost_longhaul_is_an_error(tmp_path: Path) -> None:
    command = (sys.executable, "-I", "-m", "longhaul_that_was_removed")
    install_extension(agent_dir_in(tmp_path), command=command)
    finding = look(tmp_path)["server"]
    assert finding.level == "error"
    assert "No module named longhaul_that_was_removed" in finding.text


@pytest.mark.parametrize("code", ["raise SystemExit", "print('hi')", "import time; time.sleep(1)"])
def test_a_server_that_does_not_greet_is_an_error(tmp_path: Path, code: str) -> None:
    install_extension(agent_dir_in(tmp_path), command=(sys.executable, "-I", "-c", code))
    finding = look(tmp_path)["server"]
    assert finding.level == "error"
    assert "does not start the server: it said nothing" in finding.text


def test_a_server_that_greets_but_cannot_load_the_rest_is_an_error(tmp_path: Path) -> None:
    code = """
import sys
from longhaul.pi.serve import serve
def load(*parts): raise ImportError("no compactor")
serve(sys.stdin.buffer, sys.stdout.buffer, load)
"""
    install_extension(agent_dir_in(tmp_path), command=(sys.executable, "-I", "-c", code))
    finding = look(tmp_path)["server"]
    assert finding.level == "error"
    assert "ImportError: no compactor" in finding.text


def test_an_extension_of_another_version_is_a_warning(tmp_path: Path) -> None:
    path = install_extension(agent_dir_in(tmp_path)).path
    text = path.read_text(encoding="utf-8").replace('"version": "', '"version": "9.')
    path.write_text(text, encoding="utf-8")
    finding = look(tmp_path)["extension"]
    assert (finding.level, finding.mend) == ("warning", "longhaul install pi")


def test_a_foreign_file_in_the_extensions_place_is_an_error(tmp_path: Path) -> None:
    path = extension_path(agent_dir_in(tmp_path))
    path.parent.mkdir()
    path.write_text("export default () => {};\n", encoding="utf-8")
    finding = look(tmp_path)["extension"]
    assert finding.level == "error"
    assert "was not written by Longhaul" in finding.text


def test_another_compaction_extension_is_a_warning(tmp_path: Path) -> None:
    folder = agent_dir_in(tmp_path) / "extensions" / "mine"
    folder.mkdir(parents=True)
    (folder / "index.ts").write_text("pi.on('session_before_compact', f)", encoding="utf-8")
    (folder.parent / "other.js").write_text("pi.on('session_start', f)", encoding="utf-8")
    finding = look(tmp_path)["other extensions"]
    assert finding.level == "warning"
    assert "mine/index.ts" in finding.text


def test_an_extension_that_the_settings_name_is_looked_at(tmp_path: Path) -> None:
    agent_dir = agent_dir_in(tmp_path)
    (agent_dir / "far.ts").write_text("pi.on('session_before_compact', f)", encoding="utf-8")
    (agent_dir / "settings.json").write_text('{"extensions": ["far.ts"]}', encoding="utf-8")
    assert "far.ts" in look(tmp_path)["other extensions"].text


def test_a_sessions_folder_that_is_none_is_an_error(tmp_path: Path) -> None:
    place = tmp_path / "sessions"
    place.write_text("", encoding="utf-8")
    finding = look(tmp_path, PI_CODING_AGENT_SESSION_DIR=str(place))["sessions"]
    assert finding.level == "error"


def run_doctor(tmp_path: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [LONGHAUL, "doctor", *options],
        env={"HOME": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_exits_with_1_where_something_is_wrong(tmp_path: Path) -> None:
    result = run_doctor(tmp_path)
    assert result.returncode == 1
    assert "not found on the PATH" in result.stdout
    assert "npm install -g" in result.stdout
    assert result.stderr == ""


def test_the_command_prints_json(tmp_path: Path) -> None:
    result = run_doctor(tmp_path, "--json")
    findings = json.loads(result.stdout)
    assert findings[2]["subject"] == "pi"
    assert findings[2]["level"] == "error"
