"""What `longhaul doctor` says of pi's own settings."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from longhaul.compaction.cut import CompactionSettings
from longhaul.errors import SettingsError
from longhaul.pi.finding import Finding
from longhaul.pi.settings import (
    Settings,
    SettingsFile,
    global_file,
    load_compaction_settings,
    load_settings_file,
    named_extensions,
    project_file,
)


def check_settings(agent_dir: Path, project_dir: Path) -> Iterator[Finding]:
    """Yield what is wrong with pi's settings here, or which limits hold."""
    files = (global_file(agent_dir), project_file(project_dir))
    layers = [load_settings_file(file) for file in files]
    faults = [layer.fault for layer in layers if layer.fault is not None]
    faults += _limit_faults(agent_dir, project_dir, layers)
    for fault in faults:
        mend = "correct that file; a value that is wrong there can be removed as well"
        yield Finding("settings", "error", fault, mend)
    for layer in layers:
        if _leaves_out_longhaul(layer.settings):
            text = f"{layer.file}: extensions leaves Longhaul out"
            yield Finding("settings", "warning", text, "remove that entry")
    if not faults:
        yield _limits_finding(load_compaction_settings(agent_dir, project_dir=project_dir))


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
    return any(entry[:1] in "-!" and "longhaul" in entry for entry in named_extensions(settings))


def _limits_finding(settings: CompactionSettings) -> Finding:
    if not settings.enabled:
        text = "automatic compaction is off; only /compact compacts"
        return Finding("settings", "warning", text, "set compaction.enabled to true")
    limits = f"reserve {settings.reserve_tokens:,}, keep {settings.keep_recent_tokens:,} tokens"
    return Finding("settings", "ok", f"compaction is on: {limits}")
