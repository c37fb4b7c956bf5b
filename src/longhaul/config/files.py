"""One `longhaul.json`, read and decoded."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from longhaul.config.small_files import read_small_file
from longhaul.config.values import show_text
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import name_type

FILE_NAME = "longhaul.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigFile:
    """What one file says."""

    file: Path
    base: Path
    """The folder that relative folders in it count from."""
    record: Mapping[str, JsonValue] = field(default_factory=dict)
    """Its keys; empty where there is no file. A null is left out: it sets nothing."""
    fault: str | None = None
    """Why it cannot be understood, in part of a line; None where it can, or is not there."""


def load_config_file(file: Path, *, base: Path) -> ConfigFile:
    """Return what a file says; one that is not there says nothing."""
    try:
        data = read_small_file(file)
    except FileNotFoundError:
        return ConfigFile(file=file, base=base)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        fault = f"cannot be read ({reason or error})"
        return ConfigFile(file=file, base=base, fault=fault)
    return parse_config_file(data, file=file, base=base)


def parse_config_file(data: bytes, *, file: Path, base: Path) -> ConfigFile:
    """Return what the content of a file says.

    It is understood where pi's JavaScript understands it too: without a byte order mark, and
    without the numbers that only Python takes for JSON. A key that stands in it twice makes it
    unclear, lest the second `localOnlyRoots` silently undoes the first.
    """
    try:
        value: JsonValue = json.loads(
            data.decode("utf-8"),
            parse_constant=_refuse_constant,
            object_pairs_hook=_refuse_twice,
        )
    except (ValueError, RecursionError) as error:
        return ConfigFile(file=file, base=base, fault=f"is not JSON ({error})")
    if not isinstance(value, dict):
        fault = f"is not as expected: an object, not {name_type(value)}"
        return ConfigFile(file=file, base=base, fault=fault)
    record = {name: item for name, item in value.items() if item is not None}
    return ConfigFile(file=file, base=base, record=record)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _refuse_twice(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    record = dict(pairs)
    if len(record) < len(pairs):
        twice = next(name for name, n in Counter(name for name, _ in pairs).items() if n > 1)
        raise ValueError(f"the key {show_text(twice)} stands in it twice")
    return record
