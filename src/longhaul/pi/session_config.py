"""The settings that hold for a session: the user's own, and its project's as far as trusted."""

from dataclasses import replace
from pathlib import Path

from longhaul.config import Config, load_config
from longhaul.errors import SettingsError
from longhaul.pi.trust import is_project_trusted


def load_session_config(agent_dir: Path, cwd: str, *, home: Path | None = None) -> Config:
    """Return the settings for a session that works in `cwd`, the folder its header names.

    Empty where it names none: the user's own settings hold then. What is wrong, in pi's file of
    trusted projects too, is in `complaints`: such a project is not trusted. Inside pi, which also
    knows of trust for one session, `load_config` with pi's own word serves instead. `home` is what
    `~` stands for in settings; by default the user's home folder.
    """
    if not cwd:
        return load_config(agent_dir, home=home)
    project_dir = Path("/") / cwd
    try:
        trusted = is_project_trusted(project_dir, agent_dir, home=home)
    except SettingsError as error:
        config = load_config(agent_dir, project_dir, home=home)
        return replace(config, complaints=(*config.complaints, str(error)))
    return load_config(agent_dir, project_dir, trusted=trusted, home=home)
