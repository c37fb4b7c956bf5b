"""pi's compaction settings, resolved as pi does: model override, project, global, default."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from longhaul.compaction.cut import CompactionSettings
from longhaul.config.small_files import read_small_file
from longhaul.errors import SettingsError
from longhaul.pi.json_text import parse_json
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import is_truthy, name_type

Settings = Mapping[str, JsonValue]

DEFAULTS = CompactionSettings()
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
MAX_BYTES = 1 << 24
"""Far more than any of pi's own settings files holds."""
MAX_SAFE_INTEGER = 2**53 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsFile:
    """What one settings file says."""

    file: Path
    settings: Settings
    """Empty where there is no file, and where it is damaged: pi goes on without it."""
    fault: str | None = None
    """What is wrong with the file, in a line; None where nothing is."""


def load_compaction_settings(
    agent_dir: Path, *, project_dir: Path | None = None, model: str | None = None
) -> CompactionSettings:
    """Return the settings that pi compacts with.

    `project_dir` is the project's folder where the user trusts it (`is_project_trusted` tells):
    its own settings count only then. `model` is `provider/id`, for settings by model.

    Raises:
        SettingsError: a number of tokens is none; pi fails on it too, once it wants to compact.

    Source: pi 1.6.0, `SettingsManager.getCompactionSettings`.
    """
    layers = [load_settings_file(global_file(agent_dir))]
    if project_dir is not None:
        layers.append(load_settings_file(project_file(project_dir)))
    merged: Settings = {}
    for layer in layers:
        merged = _merge(merged, layer.settings)
    compaction = _record(merged.get("compaction"))
    override = _find_override(compaction, model)
    enabled = compaction.get("enabled")
    return CompactionSettings(
        enabled=DEFAULTS.enabled if enabled is None else is_truthy(enabled),
        reserve_tokens=_tokens("reserveTokens", compaction, override, DEFAULTS.reserve_tokens),
        keep_recent_tokens=_tokens(
            "keepRecentTokens", compaction, override, DEFAULTS.keep_recent_tokens
        ),
    )


def global_file(agent_dir: Path) -> Path:
    """Return where the settings for all projects are."""
    return agent_dir / "settings.json"


def project_file(project_dir: Path) -> Path:
    """Return where a project's own settings are."""
    return project_dir / ".pi" / "settings.json"


def load_settings_file(file: Path) -> SettingsFile:
    """Return what a settings file says; one that is missing or empty says nothing."""
    try:
        text = read_small_file(file, max_bytes=MAX_BYTES).removeprefix(BYTE_ORDER_MARK)
    except FileNotFoundError:
        return SettingsFile(file=file, settings={})
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        return SettingsFile(file=file, settings={}, fault=f"{file}: {reason or error}")
    try:
        settings = parse_json(text) if text else {}
    except ValueError as error:
        return SettingsFile(file=file, settings={}, fault=f"{file}: not JSON: {error}")
    if isinstance(settings, dict):
        return SettingsFile(file=file, settings=settings)
    fault = f"{file}: expected an object, got {name_type(settings)}"
    return SettingsFile(file=file, settings={}, fault=fault)


def named_extensions(settings: Settings) -> list[str]:
    """Return the extensions that settings name, as they are written, those left out included."""
    entries = settings.get("extensions")
    named = entries if isinstance(entries, list) else []
    return [entry for entry in named if isinstance(entry, str) and entry]


def _merge(base: Settings, over: Settings) -> Settings:
    """Return `base` with the values of `over` in it; objects are merged key by key."""
    merged = dict(base)
    for key, value in over.items():
        known = merged.get(key)
        both = isinstance(known, dict) and isinstance(value, dict)
        merged[key] = dict(_merge(_record(known), _record(value))) if both else value
    return merged


def _record(value: JsonValue) -> Settings:
    return value if isinstance(value, dict) else {}


def _find_override(compaction: Settings, model: str | None) -> Settings:
    overrides = _record(compaction.get("modelOverrides"))
    if model is None or model not in overrides:
        return {}
    override = overrides[model]
    if not isinstance(override, dict):
        raise SettingsError(
            f"settings.json compaction.modelOverrides[{model!r}]: "
            f"expected an object, got {name_type(override)}"
        )
    return override


def _tokens(name: str, compaction: Settings, override: Settings, default: int) -> int:
    """Return a number of tokens: the model's where it has one, else the ordinary one.

    Both are checked, as pi does, so that a mistake does not hide behind an override.
    """
    ordinary = _checked(name, compaction)
    special = _checked(f"modelOverrides[…].{name}", override)
    chosen = ordinary if special is None else special
    return default if chosen is None else chosen


def _checked(field: str, record: Settings) -> int | None:
    key = field.rpartition(".")[2]
    if key not in record:
        return None
    value = record[key]
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise _not_tokens(field, name_type(value))
    if not 0 <= value <= MAX_SAFE_INTEGER or value != int(value):
        raise _not_tokens(field, str(value))
    return int(value)


def _not_tokens(field: str, got: str) -> SettingsError:
    return SettingsError(
        f"settings.json compaction.{field}: expected a whole number of 0 or more, got {got}"
    )
