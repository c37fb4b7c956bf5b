"""Where pi keeps what belongs to its user."""

from collections.abc import Mapping
from pathlib import Path


def find_agent_dir(environment: Mapping[str, str]) -> Path:
    """Return pi's agent folder as pi finds it; it need not exist."""
    home = Path(environment.get("HOME") or Path.home())
    named = environment.get("PI_CODING_AGENT_DIR")
    if not named:
        return home / ".pi" / "agent"
    if named == "~" or named.startswith("~/"):
        return home / named[2:]
    return Path(named).absolute()
