"""What `longhaul doctor` looks at: everything between a pi on this machine and its compactions."""

import os
import platform
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from longhaul.pi.agent_dir import find_agent_dir
from longhaul.pi.doctor_config import check_config, check_models
from longhaul.pi.doctor_extensions import check_extension, check_neighbours
from longhaul.pi.doctor_settings import check_settings
from longhaul.pi.finding import Finding, Level
from longhaul.pi.locate import LocatedPi, find_node, find_pi
from longhaul.pi.session_config import load_session_config

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


def check_sessions(folder: Path) -> Finding:
    """Return whether pi can write its sessions."""
    if not folder.exists():
        return Finding("sessions", "ok", f"{folder} does not exist yet: no session so far")
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        text = f"{folder} cannot be written: pi can store no compaction"
        return Finding("sessions", "error", text, "mend its rights")
    n_sessions = sum(1 for _ in folder.rglob("*.jsonl"))
    return Finding("sessions", "ok", f"{n_sessions} in {folder}")
