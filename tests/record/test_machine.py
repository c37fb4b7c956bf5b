"""What a recording takes from a machine, and what is said where something is missing."""

import json
import os
from pathlib import Path

import pytest

from longhaul.pi.locate import PACKAGE, find_own_programs
from longhaul.record.machine import Machine, SandboxError, find_longhaul, find_machine

PROGRAM = "dist/bundle/cli.js"
NEWEST = "v99.0.0"


def command(folder: Path, name: str, script: str) -> Path:
    """Put a command into `folder`, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)
    return file


def npm(root: Path, *, bin_field: object = None) -> Path:
    """Install a pi as npm does below `root`; returns its node_modules."""
    package = root / "node_modules" / PACKAGE
    program = package / PROGRAM
    program.parent.mkdir(parents=True)
    program.touch(mode=0o755)
    record = {"version": "1.6.0", "bin": {"pi": PROGRAM} if bin_field is None else bin_field}
    (package / "package.json").write_text(json.dumps(record), encoding="utf-8")
    return root / "node_modules"


def whole(folder: Path) -> Path:
    """Return a folder for the PATH that has all a recording needs but pi."""
    command(folder / "bin", "bwrap", "exit 0")
    command(folder / "bin", "node", f"echo {NEWEST}")
    return folder / "bin"


def problem(path: Path, pi: Path | None = None) -> str:
    with pytest.raises(SandboxError) as caught:
        find_machine({"PATH": str(path), "HOME": str(path)}, pi=pi)
    return str(caught.value)


def test_a_pi_installed_for_all_projects_is_found_through_its_command(tmp_path: Path) -> None:
    folder = whole(tmp_path)
    modules = npm(tmp_path / "lib")
    (folder / "pi").symlink_to(modules / PACKAGE / PROGRAM)
    assert find_machine({"PATH": str(folder)}) == Machine(
        bubblewrap=folder / "bwrap",
        node=folder / "node",
        node_modules=modules,
        pi=f"{PACKAGE}/{PROGRAM}",
        pi_version="1.6.0",
    )


@pytest.mark.parametrize("bin_field", [{"pi": PROGRAM}, PROGRAM])
def test_a_pi_may_be_named_by_its_package(tmp_path: Path, bin_field: object) -> None:
    modules = npm(tmp_path, bin_field=bin_field)
    found = find_machine({"PATH": str(whole(tmp_path))}, pi=modules / PACKAGE)
    assert (found.node_modules, found.pi) == (modules, f"{PACKAGE}/{PROGRAM}")


@pytest.mark.parametrize("bin_field", [{}, {"pi": 1}, {"pi": "missing.js"}, 5])
def test_a_package_without_a_program_is_no_pi(tmp_path: Path, bin_field: object) -> None:
    package = npm(tmp_path, bin_field=bin_field) / PACKAGE
    assert problem(whole(tmp_path), package) == (
        f"{package} is no pi of npm's; install {PACKAGE} with npm, or name one with --pi"
    )


def test_a_pi_outside_of_npms_folders_is_refused(tmp_path: Path) -> None:
    package = tmp_path / "clone" / PACKAGE
    package.parent.mkdir(parents=True)
    (npm(tmp_path) / PACKAGE).rename(package)
    assert problem(whole(tmp_path), package).startswith(f"{package} is no pi of npm's; install")


def test_without_bubblewrap_it_says_how_to_get_it_and_where_it_runs(tmp_path: Path) -> None:
    assert problem(tmp_path) == (
        "recording runs pi in a sandbox and needs bubblewrap; on Debian: apt-get install"
        " bubblewrap (Linux only)"
    )


def test_a_bubblewrap_that_may_make_no_sandbox_is_quoted_in_a_line(tmp_path: Path) -> None:
    command(tmp_path, "bwrap", "echo 'bwrap: setting up uid map:\n denied' >&2; exit 1")
    assert problem(tmp_path) == (
        "bubblewrap cannot make a sandbox here: bwrap: setting up uid map: denied; allow"
        " unprivileged user namespaces, or record on a machine that does"
    )


def test_a_bubblewrap_that_is_no_program_is_named(tmp_path: Path) -> None:
    file = command(tmp_path, "bwrap", "")
    file.write_bytes(b"\x00\x01")
    assert problem(tmp_path).startswith(f"{file} cannot be run: ")


def test_without_node_it_says_that_pi_needs_it(tmp_path: Path) -> None:
    command(tmp_path, "bwrap", "exit 0")
    assert problem(tmp_path) == "found no node on the PATH; pi runs on it"


@pytest.mark.parametrize(("version", "shown"), [("v18.1.0", "v18.1.0"), ("", "of unknown version")])
def test_a_node_that_is_too_old_is_named(tmp_path: Path, version: str, shown: str) -> None:
    command(tmp_path, "bwrap", "exit 0")
    node = command(tmp_path, "node", f"echo {version}")
    assert problem(tmp_path).startswith(f"{node} is {shown}; pi needs ")


def test_without_pi_it_says_how_to_get_it(tmp_path: Path) -> None:
    assert problem(whole(tmp_path)) == (
        f"found no pi in {Path('node_modules').absolute()}, on the PATH or in npm's own folder;"
        f" install {PACKAGE} with npm, or name one with --pi"
    )


def test_a_node_beside_goes_before_one_on_the_path(tmp_path: Path) -> None:
    old, new = whole(tmp_path / "old"), tmp_path / "new"
    command(old, "node", "echo v18.1.0")
    node = command(new, "node", f"echo {NEWEST}")
    package = npm(tmp_path) / PACKAGE
    path = {"PATH": os.pathsep.join((str(old), str(new)))}
    assert find_machine(path, pi=package, beside=new).node == node
    with pytest.raises(SandboxError, match=r"is v18\.1\.0"):
        find_machine(path, pi=package, beside=tmp_path)


def test_a_virtual_environment_is_where_the_running_python_is_installed() -> None:
    folder = find_own_programs()
    assert folder is None or (folder / "python3").exists()


def test_longhaul_is_started_by_paths_that_name_no_user() -> None:
    found = find_longhaul()
    places = [inside for _, inside in found.binds]
    assert places[:2] == ["/opt/longhaul/longhaul", "/opt/longhaul/site"]
    assert found.command[0].startswith(("/opt/python/bin/python3", "/usr/"))
    assert found.command[1:3] == ("-I", "-c")
