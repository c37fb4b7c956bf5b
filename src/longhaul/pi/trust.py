"""Whether the user trusts a project, so that pi reads the settings that the project brings."""

import os
from pathlib import Path

from longhaul.errors import SettingsError
from longhaul.pi.json_text import parse_json
from longhaul.pi.settings import BYTE_ORDER_MARK, global_file, load_settings_file
from longhaul.transcript.entries import JsonValue


def is_project_trusted(project_dir: Path, agent_dir: Path) -> bool:
    """Return whether pi without a terminal reads the settings of the project in `project_dir`.

    The nearest decision that the user took counts, on the folder or one above it; without one, the
    user's `defaultProjectTrust`. Asking, and trust for one session only, are pi's alone to know.

    Raises:
        SettingsError: the file of decisions is damaged; pi does not start then.

    Source: pi 1.6.0, `resolveProjectTrusted`, for a project that has settings.
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
    settings = load_settings_file(global_file(agent_dir)).settings
    return settings.get("defaultProjectTrust") == "always"


def _load_decisions(file: Path) -> dict[Path, bool]:
    try:
        text = file.read_bytes().removeprefix(BYTE_ORDER_MARK)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror or error}") from None
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
