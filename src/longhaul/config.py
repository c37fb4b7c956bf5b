"""The user's own settings: `longhaul.json` in pi's agent folder."""

import json
from dataclasses import dataclass
from pathlib import Path

from longhaul.compaction.statements import ASK_TOOLS
from longhaul.errors import SettingsError

FILE_NAME = "longhaul.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What a user may set; a project's files have no say in it."""

    ask_tools: tuple[str, ...] = ASK_TOOLS
    """Tools whose answers are the user's own words; the file adds to pi's two."""


def load_config(agent_dir: Path) -> Config:
    """Return the settings in `agent_dir`, or the defaults where there is no file.

    Raises:
        SettingsError: the file cannot be read or is not as described; the message says where.
    """
    path = agent_dir / FILE_NAME
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Config()
    except (OSError, ValueError) as error:
        raise SettingsError(f"{path} cannot be read: {error}") from error
    return parse_config(text, where=str(path))


def parse_config(text: str, *, where: str) -> Config:
    """Return the settings that `text`, the content of a `longhaul.json`, holds.

    Unknown keys are left to later versions; `localOnlyRoots` is read by the extension, which has to
    know it when nothing else runs.

    Raises:
        SettingsError: it is not JSON, or a key is of another type; the message names it.
    """
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{where} is not JSON: {error}") from error
    if not isinstance(record, dict):
        raise SettingsError(f"{where}: expected an object")
    names = record.get("askTools", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise SettingsError(f"{where} askTools: expected a list of tool names")
    return Config(ask_tools=tuple(dict.fromkeys([*ASK_TOOLS, *names])))
