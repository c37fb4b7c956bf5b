"""The user's own settings: `longhaul.json` in pi's agent folder."""

import json
from dataclasses import dataclass
from pathlib import Path

from longhaul.compaction.statements import ASK_TOOLS
from longhaul.errors import SettingsError

FILE_NAME = "longhaul.json"
KEYS = frozenset(("askTools", "localOnlyRoots"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What a user may set; a project's files have no say in it."""

    ask_tools: tuple[str, ...] = ASK_TOOLS
    """Tools whose answers are the user's own words; the file adds to pi's two."""
    local_only_roots: tuple[str, ...] = ()
    """Folders whose sessions are never handed to a model on another machine."""
    unknown_keys: tuple[str, ...] = ()
    """What the file holds beside these, perhaps misspelt."""


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

    `localOnlyRoots` is checked here and heeded by the extension, which has to know it when nothing
    else runs. `unknown_keys` names what this version has no meaning for.

    Raises:
        SettingsError: it is not JSON, or a key is of another type; the message names it.
    """
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{where} is not JSON: {error}; mend it or remove it") from error
    if not isinstance(record, dict):
        raise SettingsError(f"{where}: expected an object; mend it or remove it")
    names = _texts(record, "askTools", where, "tool names")
    roots = _texts(record, "localOnlyRoots", where, "folders")
    for root in roots:
        if not root.startswith(("/", "~")):
            raise SettingsError(f"{where} localOnlyRoots: {root!r} is no absolute path")
    return Config(
        ask_tools=tuple(dict.fromkeys([*ASK_TOOLS, *names])),
        local_only_roots=tuple(roots),
        unknown_keys=tuple(sorted(record.keys() - KEYS)),
    )


def _texts(record: dict[str, object], key: str, where: str, what: str) -> list[str]:
    value = record.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise SettingsError(f"{where} {key}: expected a list of {what}")
    return value
