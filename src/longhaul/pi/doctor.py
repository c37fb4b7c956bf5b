"""What `longhaul doctor` looks at: everything between a pi on this machine and its compactions."""

import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path

from longhaul.compaction.cut import CompactionSettings
from longhaul.errors import InstallError, SettingsError
from longhaul.pi.agent_dir import find_agent_dir
from longhaul.pi.doctor_config import check_config, check_models
from longhaul.pi.finding import Finding, Level
from longhaul.pi.greeting import greet
from longhaul.pi.install import InstalledExtension, extension_path, find_extension
from longhaul.pi.locate import LocatedPi, find_node, find_pi
from longhaul.pi.protocol import PROTOCOL_VERSION
from longhaul.pi.session_config import load_session_config
from longhaul.pi.settings import (
    Settings,
    SettingsFile,
    global_file,
    load_compaction_settings,
    load_settings_file,
    project_file,
)

TESTED_PI = "1.6.0"
MIN_NODE = (22, 19)
MIN_PYTHON = (3, 11)
GET_PI = f"npm install -g @earendil-works/pi-coding-agent@{TESTED_PI}"


def diagnose(
    environment: Mapping[str, str],
    *,
    cwd: Path,
    open_model: Callable[[str], object],
    is_on_this_machine: Callable[[str], bool],
    agent_dir: Path | None = None,
) -> tuple[Finding, ...]:
    """Return what stands between pi and Longhaul, in the order in which it is to be mended.

    Starts pi's Node and the installed server, to ask for their versions; changes nothing, and asks
    no model. `cwd` is a project's folder, whose own extensions and settings count as well;
    `open_model` and `is_on_this_machine` are what `check_models` takes. `agent_dir` is pi's own
    folder; by default the one that the environment names.
    """
    agent_dir = agent_dir or find_agent_dir(environment)
    home = Path(environment.get("HOME") or Path.home())
    config = load_session_config(agent_dir, str(cwd), home=home)
    pi = find_pi(environment)
    return (
        check_python(),
        check_node(environment, pi),
        check_pi(pi),
        check_agent_dir(agent_dir),
        *check_settings(agent_dir, cwd),
        *check_config(config, agent_dir, cwd),
        *check_models(config, open_model=open_model, is_on_this_machine=is_on_this_machine),
        *check_extension(agent_dir),
        *check_neighbours(agent_dir, cwd / ".pi"),
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


def check_settings(agent_dir: Path, project_dir: Path) -> Iterator[Finding]:
    """Yield what is wrong with pi's settings here, or which limits hold."""
    files = (global_file(agent_dir), project_file(project_dir))
    layers = [load_settings_file(file) for file in files]
    faults = [layer.fault for layer in layers if layer.fault is not None]
    faults += _limit_faults(agent_dir, project_dir, layers)
    for fault in faults:
        yield Finding("settings", "error", fault, "mend it, or leave it out")
    for layer in layers:
        if _leaves_out_longhaul(layer.settings):
            text = f"{layer.file}: extensions leaves Longhaul out"
            yield Finding("settings", "warning", text, "remove that entry")
    if not faults:
        yield _limits_finding(load_compaction_settings(agent_dir, project_dir=project_dir))


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


def check_neighbours(agent_dir: Path, project_pi_dir: Path) -> Iterator[Finding]:
    """Yield whether other extensions of pi's answer compactions as well: the last one wins."""
    ours = extension_path(agent_dir)
    found = (path for folder in (agent_dir, project_pi_dir) for path in _extensions(folder))
    others = [path for path in found if path != ours and _compacts(path)]
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


def _limit_faults(
    agent_dir: Path, project_dir: Path, layers: Sequence[SettingsFile]
) -> Iterator[str]:
    """Yield each limit that pi would fail on, whichever model it compacts with."""
    models = [model for layer in layers for model in _override_names(layer.settings)]
    seen: set[str] = set()
    for model in (None, *models):
        try:
            load_compaction_settings(agent_dir, project_dir=project_dir, model=model)
        except SettingsError as error:
            if str(error) not in seen:
                yield str(error)
            seen.add(str(error))


def _override_names(settings: Settings) -> Iterator[str]:
    compaction = settings.get("compaction")
    overrides = compaction.get("modelOverrides") if isinstance(compaction, dict) else None
    yield from overrides if isinstance(overrides, dict) else ()


def _leaves_out_longhaul(settings: Settings) -> bool:
    return any(entry[:1] in "-!" and "longhaul" in entry for entry in _named_extensions(settings))


def _named_extensions(settings: Settings) -> list[str]:
    entries = settings.get("extensions")
    named = entries if isinstance(entries, list) else []
    return [entry for entry in named if isinstance(entry, str) and entry]


def _limits_finding(settings: CompactionSettings) -> Finding:
    if not settings.enabled:
        text = "automatic compaction is off; only /compact compacts"
        return Finding("settings", "warning", text, "set compaction.enabled to true")
    limits = f"reserve {settings.reserve_tokens:,}, keep {settings.keep_recent_tokens:,} tokens"
    return Finding("settings", "ok", f"compaction is on: {limits}")


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
    """Yield the extensions that pi finds in a folder of its own, or through the settings there."""
    settings = load_settings_file(folder / "settings.json").settings
    named = [folder / Path(entry).expanduser() for entry in _named_extensions(settings)]
    yield from (path for path in named if path.is_file())
    for place in (folder / "extensions", *(path for path in named if path.is_dir())):
        for pattern in ("*.ts", "*.js", "*/index.ts", "*/index.js"):
            yield from sorted(place.glob(pattern))


def _compacts(path: Path) -> bool:
    try:
        return "session_before_compact" in path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
