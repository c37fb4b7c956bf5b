"""The settings that hold in a project: the user's own, and what the project tightens."""

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from longhaul.compaction.render.escape import escape_text
from longhaul.config.files import FILE_NAME, ConfigFile, load_config_file
from longhaul.config.keys import KEYS, NAMES, ROOTS, Key
from longhaul.config.settings import Config
from longhaul.config.values import parse_folders, show_text
from longhaul.errors import SettingsError
from longhaul.transcript.entries import JsonValue

EVERYWHERE = (Path("/"),)
"""The roots of a file that may name any folder."""
ALL_LOCAL_ONLY = "until it is mended, sessions are local only"
"""How a complaint about such a file ends."""
IGNORED = "ignored: "
"""How the complaint about a project's value that does not count goes on behind its key."""
UNKNOWN = "no setting is called"
UNTRUSTED = "until you trust the project"
"""What complaints about such keys, and such projects, hold."""
_N_NAMED = 10
"""Most unknown keys of a file that are named one by one."""


def load_config(
    agent_dir: Path,
    project_dir: Path | None = None,
    *,
    trusted: bool = False,
    home: Path | None = None,
) -> Config:
    """Return the settings that hold in `project_dir`; without it, the user's own.

    `agent_dir` is pi's agent folder, which holds the user's file; `project_dir` the folder that
    holds `.pi`. `trusted` says whether the user trusts the project: if not, its file can still add
    `localOnlyRoots`. `home` is what `~` stands for; by default the user's home folder.

    Never fails: what is wrong is left out and said in `complaints`. Where it cannot be told which
    folders a file protects, all are: `local_only_roots` holds `/` then.
    """
    home = home or Path.home()
    config = apply_user_file(load_config_file(agent_dir / FILE_NAME, base=home), home=home)
    if project_dir is None:
        return config
    layer = load_config_file(project_dir / ".pi" / FILE_NAME, base=project_dir.absolute())
    return apply_project_file(config, layer, trusted=trusted, home=home)


def apply_user_file(layer: ConfigFile, *, home: Path) -> Config:
    """Return the settings that the user's own file makes."""
    config = _add_roots(Config(), layer, home)
    for key in KEYS:
        if key.name in layer.record:
            config = _set(config, layer, key, layer.record[key.name])
    return _complain(config, *_strange_keys(layer))


def apply_project_file(config: Config, layer: ConfigFile, *, trusted: bool, home: Path) -> Config:
    """Return the user's settings with what a project's file tightens in them."""
    config = _add_roots(config, layer, home)
    if trusted:
        for key in KEYS:
            if key.name in layer.record:
                config = _tighten(config, layer, key, layer.record[key.name])
        return _complain(config, *_strange_keys(layer))
    if layer.record.keys() - {ROOTS}:
        text = f"only {ROOTS} counts in it {UNTRUSTED} (/trust in pi)"
        config = _complain(config, f"{layer.file}: {text}")
    return config


def _add_roots(config: Config, layer: ConfigFile, home: Path) -> Config:
    """Return the settings with a file's roots beside those that are there."""
    if layer.fault is not None:
        return _protect_all(config, f"{layer.file} {layer.fault}")
    try:
        roots = parse_folders(layer.record.get(ROOTS, []), base=layer.base, home=home)
    except SettingsError as error:
        return _protect_all(config, f"{layer.file} {ROOTS}: {error}")
    both = tuple(dict.fromkeys([*config.local_only_roots, *roots]))
    return replace(config, local_only_roots=both)


def _protect_all(config: Config, fault: str) -> Config:
    protected = replace(config, local_only_roots=EVERYWHERE, roots_unknown=True)
    return _complain(protected, f"{fault}; {ALL_LOCAL_ONLY}")


def _set(config: Config, layer: ConfigFile, key: Key, value: JsonValue) -> Config:
    try:
        return key.apply(config, value)
    except SettingsError as error:
        return _complain(config, f"{layer.file} {key.name}: {error}")


def _tighten(config: Config, layer: ConfigFile, key: Key, value: JsonValue) -> Config:
    changed = _set(config, layer, key, value)
    if changed.complaints != config.complaints or changed == config:
        return changed
    if key.measure is None:
        text = f"{IGNORED}only your own settings say it, never a project's"
        return _complain(config, f"{layer.file} {key.name}: {text}")
    if key.measure(changed) < key.measure(config):
        return changed
    limit = key.show(config)
    text = f"{IGNORED}a project can only tighten what your own settings say, which is {limit}"
    return _complain(config, f"{layer.file} {key.name}: {text}")


def _strange_keys(layer: ConfigFile) -> Iterator[str]:
    """Yield a complaint about each key that means nothing, perhaps misspelt."""
    strange = sorted(layer.record.keys() - set(NAMES))
    for name in strange[:_N_NAMED]:
        near = get_close_matches(name, NAMES, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(NAMES)}"
        yield f"{layer.file}: {UNKNOWN} {show_text(name)}; {hint}"
    if len(strange) > _N_NAMED:
        yield f"{layer.file}: {len(strange) - _N_NAMED:,} more keys that are no settings"


def _complain(config: Config, *lines: str) -> Config:
    """Return the settings with more said against them, harmless whatever a file is called."""
    return replace(config, complaints=(*config.complaints, *map(escape_text, lines)))
