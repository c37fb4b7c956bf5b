"""Placing the extension in pi's own folder, and removing it again."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from longhaul.errors import InstallError
from longhaul.pi.extension_source import read_source
from longhaul.pi.whole_file import write_whole

EXTENSION_NAME = "longhaul.ts"
MARK = "// Longhaul extension for pi."
"""How the file begins; one that begins otherwise is not ours."""

SERVER_MODULE = "longhaul.cli.serve"
ISOLATION = (("-I",), ("-E", "-P"))
"""Python's options that keep a project's modules out; the second lets the user's packages in."""

INSTALLED = re.compile(r"^const INSTALLED = (\{.*\});$", re.MULTILINE)
"""The extension's line about its installation; JSON, so that both sides read it."""

Action = Literal["installed", "upgraded", "unchanged", "removed", "absent"]


@dataclass(frozen=True, slots=True)
class InstallReport:
    """What was done with the extension file at `path`."""

    path: Path
    action: Action
    made_agent_dir: bool = False
    """pi's agent folder was not there before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledExtension:
    """What an extension file of ours says about itself."""

    version: str
    """The package's version that wrote it."""
    command: tuple[str, ...]
    """How it starts the server."""
    n_made_folders: int
    """How many of the folders around it installing had to make."""


def extension_path(agent_dir: Path) -> Path:
    """Return where the extension's file belongs."""
    return agent_dir / "extensions" / EXTENSION_NAME


def find_extension(path: Path) -> InstalledExtension | None:
    """Return what the extension file at `path` says, or None where there is no file.

    Raises:
        InstallError: the file is not ours, or cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InstallError(f"cannot read {path}: {_why(error)}") from error
    if not text.startswith(MARK):
        raise InstallError(f"{path} was not written by Longhaul; move it away first")
    return _parse_installed(text)


def install_extension(agent_dir: Path, *, command: Sequence[str] | None = None) -> InstallReport:
    """Write the extension into `agent_dir`, pi's agent folder; made where it is missing.

    `command` starts the server; by default this Python, isolated from the project it runs in.

    Raises:
        InstallError: the folder cannot be written, a foreign file is in the way, or this Python
            cannot start the server.
    """
    path = extension_path(agent_dir)
    before = find_extension(path)
    missing = [folder for folder in path.parents if not folder.exists()]
    n_made_folders = len(missing) + (before.n_made_folders if before else 0)
    made_agent_dir = agent_dir in missing
    text = render_extension(command or find_command(), n_made_folders=n_made_folders)
    try:
        if before and path.read_text(encoding="utf-8") == text:
            return InstallReport(path, "unchanged")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())
    except OSError as error:
        _remove_empty(missing)
        raise InstallError(f"cannot write {path}: {_why(error)}") from error
    return InstallReport(path, "upgraded" if before else "installed", made_agent_dir)


def uninstall_extension(agent_dir: Path) -> InstallReport:
    """Remove the extension from `agent_dir`, with the folders that installing it made, if empty.

    Raises:
        InstallError: the file is not ours, or cannot be removed.
    """
    path = extension_path(agent_dir)
    found = find_extension(path)
    if found is None:
        return InstallReport(path, "absent")
    try:
        path.unlink()
    except OSError as error:
        raise InstallError(f"cannot remove {path}: {_why(error)}") from error
    _remove_empty(list(path.parents)[: found.n_made_folders])
    return InstallReport(path, "removed")


def render_extension(command: Sequence[str], *, n_made_folders: int = 0) -> str:
    """Return the extension's source, to start the server with `command`."""
    about = {
        "version": metadata.version("pi-longhaul"),
        "server": list(command),
        "madeFolders": n_made_folders,
    }
    line = f"const INSTALLED = {json.dumps(about)};"
    return INSTALLED.sub(lambda _: line, read_source())


def find_command() -> tuple[str, ...]:
    """Return the command that starts the server with the running Python.

    Raises:
        InstallError: this Python finds Longhaul only with the help of its environment.
    """
    for options in ISOLATION:
        command = (sys.executable, *options)
        if _imports_server(command):
            return (*command, "-m", SERVER_MODULE)
    message = "imports Longhaul only through PYTHONPATH or the current folder; install pi-longhaul"
    raise InstallError(f"{sys.executable} {message} for it with pip")


def isolated_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment that the extension gives the server."""
    return {name: value for name, value in environment.items() if not name.startswith("PYTHON")}


def _imports_server(command: Sequence[str]) -> bool:
    result = subprocess.run(
        [*command, "-c", f"import {SERVER_MODULE}"],
        cwd="/",
        env=isolated_environment(os.environ),
        capture_output=True,
        check=False,
    )
    return result.returncode == 0


def _parse_installed(text: str) -> InstalledExtension:
    """Read the line that installing wrote; what is missing or damaged stands empty."""
    line = INSTALLED.search(text)
    try:
        about = json.loads(line[1]) if line else {}
    except ValueError:
        about = {}
    version, server, made = about.get("version"), about.get("server"), about.get("madeFolders")
    return InstalledExtension(
        version=version if isinstance(version, str) else "",
        command=tuple(map(str, server)) if isinstance(server, list) else (),
        n_made_folders=made if isinstance(made, int) else 0,
    )


def _remove_empty(folders: Sequence[Path]) -> None:
    """Remove folders, innermost first, up to the first that holds something."""
    for folder in folders:
        try:
            folder.rmdir()
        except OSError:
            return


def _why(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else "it is not text"
