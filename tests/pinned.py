"""Where `make setup` puts what the tests run: the command, the pinned Node and pi."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent

DEMO = ROOT / "eval" / "demo" / "tidewatch.jsonl"
"""The recorded session."""

LONGHAUL = Path(sys.prefix) / "bin" / "longhaul"
"""The `longhaul` command."""

NODE = Path(sys.prefix) / "bin" / "node"
"""The Node of the wheel, linked into the virtual environment."""

PI_PACKAGE = ROOT / "node_modules" / "@earendil-works" / "pi-coding-agent"
"""The unpacked npm package of pi, at the version that `package-lock.json` names."""

PI = ROOT / "node_modules" / ".bin" / "pi"
"""pi's command; its first line asks the PATH for node, so run it with `pi_environment`."""


def pi_environment(agent_dir: Path, home: Path) -> Mapping[str, str]:
    """Return an environment in which pi sees nothing of the user: no settings, keys or proxies.

    `agent_dir` and `home` are folders of the test's own, where pi may write.
    """
    path = os.pathsep.join((str(NODE.parent), os.defpath))
    return {
        "HOME": str(home),
        "PATH": path,
        "TZ": "UTC",
        "LANG": "C.UTF-8",
        "PI_CODING_AGENT_DIR": str(agent_dir),
        "PI_OFFLINE": "1",
        "PI_TELEMETRY": "0",
    }
