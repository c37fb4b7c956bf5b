"""The pi of this machine as a command that can be run: Node, and the program of pi's package."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from longhaul.errors import PiError
from longhaul.pi.doctor import MIN_NODE
from longhaul.pi.locate import (
    PACKAGE,
    find_node,
    find_own_programs,
    find_package,
    find_program,
    name_tried,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledPi:
    """What runs pi here."""

    node: Path
    program: Path
    """pi's JavaScript program, no link."""
    version: str

    @property
    def command(self) -> tuple[str, str]:
        """What starts it; options follow."""
        return str(self.node), str(self.program)


def find_installed_pi(
    environment: Mapping[str, str], *, pi: Path | None = None, only_on_path: bool = False
) -> InstalledPi:
    """Return the pi that the PATH leads to, or the one that `pi`, a command or package, is.

    A Node beside the running Python counts before the PATH's; not where `only_on_path`.

    Raises:
        PiError: there is none, or no Node that it runs on; the message says what to do.
    """
    node = find_node(environment, beside=None if only_on_path else find_own_programs())
    if node is None:
        raise PiError("found no node on the PATH; pi runs on it")
    if node.version < MIN_NODE:
        needed = ".".join(map(str, MIN_NODE))
        raise PiError(f"{node.path} is {node.text}; pi needs {needed} or newer on the PATH")
    package = find_package(environment, pi)
    program = find_program(package.path) if package else None
    if package is None or program is None:
        named = f"{pi} is no pi of npm's" if pi else f"found no pi in {name_tried()}"
        raise PiError(f"{named}; install {PACKAGE} with npm, or name one with --pi")
    return InstalledPi(node=node.path.resolve(), program=program.resolve(), version=package.version)


def private_environment(agent_dir: Path, home: Path, *, node: Path) -> dict[str, str]:
    """Return an environment in which pi sees nothing of the user's: settings, keys or proxies.

    `agent_dir` and `home` are folders of its own, where it may write.
    """
    return {
        "HOME": str(home),
        "PATH": os.pathsep.join((str(node.parent), os.defpath)),
        "TZ": "UTC",
        "LANG": "C.UTF-8",
        "PI_CODING_AGENT_DIR": str(agent_dir),
        "PI_OFFLINE": "1",
        "PI_TELEMETRY": "0",
    }
