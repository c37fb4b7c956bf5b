"""Whether the user trusts a project, so that pi reads the settings that the project brings."""

import os
from pathlib import Path

from longhaul.config.small_files import read_small_file
from longhaul.errors import SettingsError
from longhaul.pi.json_text import parse_json
from longhaul.pi.settings import BYTE_ORDER_MARK, MAX_BYTES, global_file, load_settings_file
from longhaul.transcript.entries import JsonValue

GATED = (
    *("settings.json", "mcp.json", "extensions", "skills", "prompts", "themes"),
    *("SYSTEM.md", "APPEND_SYSTEM.md"),
)
"""What pi reads from a project's `.pi` only where the user trusts the project."""


def is_project_trusted(project_dir: Path, agent_dir: Path, *, home: Path | None = None) -> bool:
    """Return whether pi without a terminal trusts the project in `project_dir`.

    The nearest decision that the user took counts, on the folder or one above it; without one, pi
    trusts a project that brings nothing it has to be asked about, and else goes by the user's
    `defaultProjectTrust`. Asking, and trust for one session only, are pi's alone to know. `home`
    is the user's home folder, by default that of the environment.

    Raises:
        SettingsError: the file of decisions is damaged; pi does not start then.

    Source: pi 1.6.0, `resolveProjectTrusted` and `hasTrustRequiringProjectResources`.
    """
    decisions = _load_decisions(agent_dir / "trust.json")
    try:
        folder = Path(os.path.realpath(project_dir))
    except ValueError:  # no folder can have such a name
        return False
    for place in (folder, *folder.parents):
        decision = decisions.get(place)
        if decision is not None:
            return decision
    if not _brings_something(folder, home or Path.home()):
        return True
    settings = load_settings_file(global_file(agent_dir)).settings
    return settings.get("defaultProjectTrust") == "always"


def _brings_something(folder: Path, home: Path) -> bool:
    """Return whether there is something in a project that pi asks about before it reads it.

    Skills count in any folder above as well, but for the user's own.
    """
    if any(os.access(folder / ".pi" / name, os.F_OK) for name in GATED):
        return True
    own = Path(os.path.realpath(home))
    places = (place for place in (folder, *folder.parents) if place != own)
    return any(os.access(place / ".agents" / "skills", os.F_OK) for place in places)


def _load_decisions(file: Path) -> dict[Path, bool]:
    try:
        text = read_small_file(file, max_bytes=MAX_BYTES).removeprefix(BYTE_ORDER_MARK)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise SettingsError(f"{file}: {reason or error}") from None
    try:
        return _parse_decisions(parse_json(text), file)
    except ValueError as error:
        raise SettingsError(f"{file}: not JSON: {error}") from None


def _parse_decisions(value: JsonValue, file: Path) -> dict[Path, bool]:
    """Return the decisions by folder, the first where one is named in two ways; null is none."""
    if not isinstance(value, dict):
        raise SettingsError(f"{file}: expected an object")
    decisions: dict[Path, bool] = {}
    for folder, decision in value.items():
        if isinstance(decision, bool):
            decisions.setdefault(Path(os.path.normpath(folder)), decision)
        elif decision is not None:
            raise SettingsError(f"{file} {folder!r}: expected true, false or null")
    return decisions
