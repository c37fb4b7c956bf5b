"""What `longhaul doctor` looks at: everything between a pi on this machine and its compactions."""

import json
import os
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from longhaul.errors import InstallError
from longhaul.pi.agent_dir import find_agent_dir
from longhaul.pi.greeting import greet
from longhaul.pi.install import InstalledExtension, extension_path, find_extension
from longhaul.pi.locate import LocatedPi, find_node, find_pi
from longhaul.pi.protocol import PROTOCOL_VERSION
from longhaul.transcript.entries import JsonValue

TESTED_PI = "1.6.0"
MIN_NODE = (22, 19)
MIN_PYTHON = (3, 11)
GET_PI = f"npm install -g @earendil-works/pi-coding-agent@{TESTED_PI}"

Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    subject: str
    """What was looked at, in a word or two."""
    level: Level
    text: str
    mend: str = ""
    """What to do about it; empty where nothing is to be done."""


def diagnose(environment: Mapping[str, str], *, cwd: Path) -> tuple[Finding, ...]:
    """Return what stands between pi and Longhaul, in the order in which it is to be mended.

    Starts pi's Node and the installed server, to ask for their versions; changes nothing. `cwd` is
    a project's folder, whose own extensions and settings count as well.
    """
    agent_dir = find_agent_dir(environment)
    pi = find_pi(environment)
    return (
        check_python(),
        check_pi(pi),
        check_node(environment, pi),
        check_agent_dir(agent_dir),
        *check_settings(agent_dir / "settings.json"),
        *check_extension(agent_dir),
        *check_neighbours((agent_dir / "extensions", cwd / ".pi" / "extensions")),
        check_sessions(
            Path(environment.get("PI_CODING_AGENT_SESSION_DIR") or agent_dir / "sessions")
        ),
    )


def check_python() -> Finding:
    """Return whether the running Python is one that Longhaul is made for."""
    version = platform.python_version()
    if sys.version_info >= MIN_PYTHON:
        return Finding("python", "ok", f"{version} at {sys.executable}")
    return Finding("python", "error", f"{version} is too old", "install Python 3.11 or newer")


def check_pi(pi: LocatedPi | None) -> Finding:
    """Return whether pi is there, in the version that was tested."""
    if pi is None:
        return Finding("pi", "error", "not found on the PATH", GET_PI)
    where = f"{pi.version or 'of unknown version'} at {pi.path}"
    if not pi.on_path:
        return Finding("pi", "warning", f"{where}, which is not on the PATH", "add it to the PATH")
    if pi.version == TESTED_PI:
        return Finding("pi", "ok", where)
    text = f"{where}; Longhaul was tested with {TESTED_PI}"
    return Finding("pi", "warning", text, f"where compactions fail: {GET_PI}")


def check_node(environment: Mapping[str, str], pi: LocatedPi | None) -> Finding:
    """Return whether the Node that runs pi is new enough."""
    node = find_node(environment)
    needed = ".".join(map(str, MIN_NODE))
    mend = f"install Node {needed} or newer"
    if node is None:
        level: Level = "error" if pi and pi.needs_node else "warning"
        return Finding("node", level, "not found on the PATH", mend)
    if node.version < MIN_NODE:
        return Finding("node", "error", f"{node.text} at {node.path} is too old for pi", mend)
    return Finding("node", "ok", f"{node.text} at {node.path}")


def check_agent_dir(agent_dir: Path) -> Finding:
    """Return whether pi's own folder can be written, or made."""
    nearest = next(folder for folder in (agent_dir, *agent_dir.parents) if folder.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        return Finding("agent folder", "error", f"{nearest} cannot be written", "mend its rights")
    if nearest != agent_dir:
        return Finding("agent folder", "ok", f"{agent_dir} does not exist yet; it will be made")
    return Finding("agent folder", "ok", str(agent_dir))


def check_settings(path: Path) -> Iterator[Finding]:
    """Yield what is wrong with pi's settings, or that nothing is."""
    try:
        settings: JsonValue = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        yield Finding("settings", "ok", f"{path} does not exist: pi's defaults hold")
        return
    except (OSError, ValueError) as error:
        yield Finding("settings", "error", f"{path}: {error}", "mend or remove the file")
        return
    faults = list(settings_faults(settings))
    for fault in faults:
        yield Finding("settings", "error", f"{path}: {fault}", "mend it, or leave it out")
    if not faults:
        yield _compaction_finding(path, settings)


def settings_faults(settings: JsonValue) -> Iterator[str]:
    """Yield what pi would refuse in its settings about compaction."""
    if not isinstance(settings, dict):
        yield "expected an object"
        return
    compaction = settings.get("compaction", {})
    if not isinstance(compaction, dict):
        yield "compaction: expected an object"
        return
    yield from _limit_faults(compaction, "compaction")
    if not isinstance(compaction.get("enabled", True), bool):
        yield "compaction.enabled: expected true or false"
    overrides = compaction.get("modelOverrides", {})
    if not isinstance(overrides, dict):
        yield "compaction.modelOverrides: expected an object"
        return
    for model, limits in overrides.items():
        where = f"compaction.modelOverrides[{model!r}]"
        if isinstance(limits, dict):
            yield from _limit_faults(limits, where)
        else:
            yield f"{where}: expected an object"


def check_extension(agent_dir: Path) -> Iterator[Finding]:
    """Yield whether the extension is in place, is this package's, and reaches its server."""
    path = extension_path(agent_dir)
    mend = "longhaul install pi"
    try:
        found = find_extension(path)
    except InstallError as error:
        yield Finding("extension", "error", str(error), f"move it away, then {mend}")
        return
    if found is None:
        yield Finding("extension", "error", f"not installed in {path.parent}", mend)
        return
    version = metadata.version("pi-longhaul")
    if found.version == version:
        yield Finding("extension", "ok", f"{version} at {path}")
    else:
        text = f"{path} is of version {found.version or 'unknown'}, this package of {version}"
        yield Finding("extension", "warning", text, mend)
    yield _server_finding(found, mend)


def check_neighbours(folders: Sequence[Path]) -> Iterator[Finding]:
    """Yield whether other extensions of pi's answer compactions as well: the last one wins."""
    others = [path for folder in folders for path in _extensions(folder) if _compacts(path)]
    for path in others:
        text = f"{path} answers compactions as well; pi takes the last answer"
        yield Finding("other extensions", "warning", text, "remove one of the two")
    if not others:
        yield Finding("other extensions", "ok", "none that answers compactions")


def check_sessions(folder: Path) -> Finding:
    """Return whether pi can write its sessions."""
    if not folder.exists():
        return Finding("sessions", "ok", f"{folder} does not exist yet: no session so far")
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        text = f"{folder} cannot be written: pi can store no compaction"
        return Finding("sessions", "error", text, "mend its rights")
    n_sessions = sum(1 for _ in folder.rglob("*.jsonl"))
    return Finding("sessions", "ok", f"{n_sessions} in {folder}")


def _compaction_finding(path: Path, settings: JsonValue) -> Finding:
    compaction = settings.get("compaction") if isinstance(settings, dict) else None
    if isinstance(compaction, dict) and compaction.get("enabled") is False:
        text = f"{path}: automatic compaction is off; only /compact compacts"
        return Finding("settings", "warning", text, "set compaction.enabled to true")
    return Finding("settings", "ok", str(path))


def _limit_faults(limits: Mapping[str, JsonValue], where: str) -> Iterator[str]:
    for name in ("reserveTokens", "keepRecentTokens"):
        value = limits.get(name, 0)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            yield f"{where}.{name}: expected a whole number of tokens, got {json.dumps(value)}"


def _server_finding(found: InstalledExtension, mend: str) -> Finding:
    interpreter = Path(found.command[0]) if found.command else Path()
    if not found.command or not interpreter.is_file():
        return Finding("server", "error", f"its Python {interpreter} does not exist", mend)
    try:
        greeting = greet(found.command)
    except InstallError as error:
        return Finding("server", "error", str(error), f"install pi-longhaul, then {mend}")
    if greeting.protocol != PROTOCOL_VERSION:
        text = f"{interpreter} holds longhaul {greeting.version}, which does not fit this package"
        return Finding("server", "error", text, mend)
    text = f"longhaul {greeting.version} answers after {greeting.elapsed_ms} ms"
    return Finding("server", "ok", text)


def _extensions(folder: Path) -> Iterator[Path]:
    """Yield the extensions that pi discovers in a folder, ours left out."""
    for pattern in ("*.ts", "*.js", "*/index.ts", "*/index.js"):
        ours = extension_path(folder.parent)
        yield from (path for path in sorted(folder.glob(pattern)) if path != ours)


def _compacts(path: Path) -> bool:
    try:
        return "session_before_compact" in path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
