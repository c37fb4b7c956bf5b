"""Finding pi and Node on this machine, and which versions they are."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "@earendil-works/pi-coding-agent"
MODULES = "node_modules"
TIMEOUT_S = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedPi:
    """A pi on this machine."""

    path: Path
    version: str
    """Empty where it could not be found out."""
    needs_node: bool
    """False for a pi that brings its own runtime."""
    on_path: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedNode:
    """A Node on this machine."""

    path: Path
    text: str
    """Its version as it says it, such as `v24.1.0`."""
    version: tuple[int, ...]
    """The same in numbers; empty where it says none."""


def find_pi(environment: Mapping[str, str]) -> LocatedPi | None:
    """Return the pi that the PATH leads to, or one that npm has installed beside it, or None."""
    found = shutil.which("pi", path=environment.get("PATH"))
    if found is None:
        return _find_in_npm(environment)
    manifest = _find_manifest(Path(found))
    if manifest is None:
        version = _run((found, "--version"), environment)
        return LocatedPi(path=Path(found), version=_first_version(version), needs_node=False)
    return LocatedPi(path=Path(found), version=_read_version(manifest), needs_node=True)


def find_package(environment: Mapping[str, str], command: Path | None = None) -> LocatedPi | None:
    """Return the npm package that `command`, or else the PATH's pi, is linked into, or None."""
    if command is None:
        found = find_pi(environment)
        command = found.path if found else None
    manifest = _find_manifest(command) if command else None
    if manifest is None:
        return None
    return LocatedPi(path=manifest.parent, version=_read_version(manifest), needs_node=True)


def name_tried() -> str:
    """Return where commands look for a pi that no option names, as an error says it."""
    return f"{Path(MODULES).absolute()}, on the PATH or in npm's own folder"


def find_program(package: Path) -> Path | None:
    """Return the file that npm links pi's command to, or None where `package` names none.

    Commands of a project lie in `node_modules/.bin`, those of `npm install -g` do not.
    """
    record = _read_manifest(package / "package.json")
    programs = record.get("bin")
    program = programs.get("pi") if isinstance(programs, dict) else programs
    file = package / program if isinstance(program, str) else None
    return file if file and file.is_file() else None


def find_own_programs() -> Path | None:
    """Return where the running Python's virtual environment has its programs; None outside of one.

    A Node may lie there, as it does in a clone: it runs pi whether the environment is active or
    not.
    """
    return Path(sys.prefix, "bin") if sys.prefix != sys.base_prefix else None


def find_node(environment: Mapping[str, str], *, beside: Path | None = None) -> LocatedNode | None:
    """Return the Node in the folder `beside`, else the one that the PATH leads to, or None."""
    found = shutil.which("node", path=str(beside)) if beside else None
    found = found or shutil.which("node", path=environment.get("PATH"))
    if found is None:
        return None
    text = _run((found, "--version"), environment)
    version = tuple(map(int, _first_version(text).split("."))) if _first_version(text) else ()
    return LocatedNode(path=Path(found), text=text or "of unknown version", version=version)


def _find_in_npm(environment: Mapping[str, str]) -> LocatedPi | None:
    """Return a pi in npm's folder for commands; npm itself is not run, for it would leave logs."""
    for root in _npm_roots(environment):
        package = root / PACKAGE
        if (package / "package.json").is_file():
            version = _read_version(package / "package.json")
            return LocatedPi(path=package, version=version, needs_node=True, on_path=False)
    return None


def _npm_roots(environment: Mapping[str, str]) -> Iterator[Path]:
    home = Path(environment.get("HOME") or Path.home())
    prefix = environment.get("NPM_CONFIG_PREFIX") or _npmrc_prefix(home / ".npmrc")
    if prefix:
        yield Path(re.sub(r"^~|\$\{HOME\}", str(home), prefix), "lib", MODULES)
    npm = shutil.which("npm", path=environment.get("PATH"))
    if npm is not None:
        yield from (folder for folder in Path(npm).resolve().parents if folder.name == MODULES)


def _npmrc_prefix(npmrc: Path) -> str:
    try:
        text = npmrc.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
    found = re.search(r"^\s*prefix\s*=\s*(.+?)\s*$", text, re.MULTILINE)
    return found[1].strip("\"'") if found else ""


def _find_manifest(command: Path) -> Path | None:
    """Return the `package.json` of the package that a command is linked into, or is; or None."""
    file = command.resolve()
    for folder in (file, *file.parents):
        manifest = folder / "package.json"
        if folder.match(PACKAGE) and manifest.is_file():
            return manifest
    return None


def _read_version(manifest: Path) -> str:
    version = _read_manifest(manifest).get("version")
    return version if isinstance(version, str) else ""


def _read_manifest(manifest: Path) -> dict[str, object]:
    try:
        record = json.loads(manifest.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _first_version(text: str) -> str:
    found = re.search(r"\d+\.\d+\.\d+", text)
    return found[0] if found else ""


def _run(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """Return what a command prints, in one line; empty where it fails."""
    try:
        result = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""
