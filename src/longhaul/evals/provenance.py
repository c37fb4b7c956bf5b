"""What a run was made with: the commit and the versions, as its folder keeps them."""

import platform
import subprocess
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from longhaul.pi.locate import find_node, find_own_programs, find_package
from longhaul.transcript.entries import JsonValue

_GIT_TIMEOUT_S = 10


def find_provenance(environment: Mapping[str, str], *, pi: Path | None) -> dict[str, JsonValue]:
    """Return the commit of this package, null outside of a clone, and the versions around it.

    `pi` is the command that arms run; None for the PATH's.
    """
    package, node = (
        find_package(environment, pi),
        find_node(environment, beside=find_own_programs()),
    )
    return {
        "commit": find_commit(Path(__file__).parent),
        "versions": {
            "longhaul": metadata.version("pi-longhaul"),
            "pi": package.version if package else None,
            "node": node.text if node else None,
            "python": platform.python_version(),
        },
    }


def find_commit(folder: Path) -> str | None:
    """Return the commit that a folder's files are at, `-dirty` where they differ; None for none."""
    try:
        found = subprocess.run(
            ("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"),
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=_GIT_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return found.stdout.strip() or None
