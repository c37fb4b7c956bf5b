"""What a recording takes from this machine: bubblewrap, Node, pi, and Longhaul itself."""

import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from longhaul.errors import LonghaulError
from longhaul.pi.doctor import MIN_NODE
from longhaul.pi.locate import MODULES, PACKAGE, find_node, find_package, find_program, name_tried
from longhaul.record.fields import show

_PROBE_S = 20
_BUBBLEWRAP = "bwrap"
_PACKAGE = Path(__file__).parent.parent
"""Longhaul's own folder."""


class SandboxError(LonghaulError):
    """The sandbox cannot be made here; the message says what to install or to allow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Programs and folders of this machine that are bound into the sandbox, read-only."""

    bubblewrap: Path
    node: Path
    """The program itself, no link."""
    node_modules: Path
    """The folder that pi's package and what it needs lie in."""
    pi: str
    """pi's program, as a path from there."""
    pi_version: str


def find_machine(
    environment: Mapping[str, str], *, pi: Path | None = None, beside: Path | None = None
) -> Machine:
    """Return what a recording needs, having seen that a sandbox can be made.

    `pi` is the command or the package of the pi to run; None takes the one that the PATH leads to.
    A Node in the folder `beside` goes before the PATH's.

    Raises:
        SandboxError: something is missing, or this machine allows no sandbox.
    """
    bubblewrap = shutil.which(_BUBBLEWRAP, path=environment.get("PATH"))
    if bubblewrap is None:
        raise SandboxError(
            "recording runs pi in a sandbox and needs bubblewrap; on Debian: apt-get install"
            " bubblewrap (Linux only)"
        )
    _probe(Path(bubblewrap))
    node = find_node(environment, beside=beside)
    if node is None:
        raise SandboxError("found no node on the PATH; pi runs on it")
    if node.version < MIN_NODE:
        needed = ".".join(map(str, MIN_NODE))
        raise SandboxError(f"{node.path} is {node.text}; pi needs {needed} or newer on the PATH")
    package = find_package(environment, pi)
    program = find_program(package.path) if package else None
    if package is None or program is None or MODULES not in program.parts:
        named = f"{pi} is no pi of npm's" if pi else f"found no pi in {name_tried()}"
        raise SandboxError(f"{named}; install {PACKAGE} with npm, or name one with --pi")
    modules = next(folder for folder in program.parents if folder.name == MODULES)
    return Machine(
        bubblewrap=Path(bubblewrap),
        node=node.path.resolve(),
        node_modules=modules,
        pi=program.relative_to(modules).as_posix(),
        pi_version=package.version,
    )


def _probe(bubblewrap: Path) -> None:
    command = (str(bubblewrap), "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true")
    try:
        result = subprocess.run(
            command, capture_output=True, text=True, timeout=_PROBE_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SandboxError(f"{bubblewrap} cannot be run: {show(str(error))}") from error
    if result.returncode:
        raise SandboxError(
            f"bubblewrap cannot make a sandbox here: {show(result.stderr.strip())}; allow"
            " unprivileged user namespaces, or record on a machine that does"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LonghaulInside:
    """Longhaul as the sandbox sees it."""

    binds: tuple[tuple[Path, str], ...]
    """Folders of this machine with their places inside."""
    command: tuple[str, ...]
    """What starts its server there."""


def find_longhaul() -> LonghaulInside:
    """Return how the running Longhaul is started inside the sandbox, by neutral paths."""
    paths = sysconfig.get_paths()
    binds = [
        (_PACKAGE, "/opt/longhaul/longhaul"),
        (Path(paths["purelib"]), "/opt/longhaul/site"),
    ]
    base = Path(sys.base_prefix)
    program = f"bin/python{sys.version_info.major}.{sys.version_info.minor}"
    inside = str(base / program)
    if not base.is_relative_to("/usr"):
        binds.append((base, "/opt/python"))
        inside = f"/opt/python/{program}"
    start = (
        "import runpy, sys; sys.path[:0] = ['/opt/longhaul', '/opt/longhaul/site'];"
        " runpy.run_module('longhaul.cli.serve', run_name='__main__')"
    )
    return LonghaulInside(binds=tuple(binds), command=(inside, "-I", "-c", start))
