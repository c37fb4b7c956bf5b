"""The keys of a `longhaul.json`: what each sets, and when a project may set it.

A project can tighten, never loosen: what it sets counts only where less leaves the machine, less
is asked or less is waited for than by the user's own settings.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import get_args

from longhaul.compaction.completion import THINKING_LEVELS
from longhaul.compaction.render.budget import MIN_BUDGET_CHARS
from longhaul.compaction.statements import ASK_TOOLS
from longhaul.config.settings import Config, Mode
from longhaul.config.values import (
    parse_choice,
    parse_model,
    parse_names,
    parse_number,
    parse_whole_number,
)
from longhaul.errors import SettingsError
from longhaul.transcript.entries import JsonValue

MODES: tuple[Mode, ...] = get_args(Mode)
"""In the order of how often a model is asked."""
MIN_DEADLINE_S = 1
MAX_DEADLINE_S = 600
MOST_BUDGET_CHARS = 100_000
"""More than any model's window is worth giving to a summary."""

ROOTS = "localOnlyRoots"
"""The one key that every file has a say in: it can only add protection."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key beside `localOnlyRoots`."""

    name: str
    apply: Callable[[Config, JsonValue], Config]
    """The settings with a value of this key in them; raises SettingsError where it is none."""
    measure: Callable[[Config], float] | None = None
    """How much the settings allow by this key: a project may set less. None where a project may
    set nothing."""
    show: Callable[[Config], str] = str
    """The value of this key in the settings, where a project may set less than that."""


def _set_mode(config: Config, value: JsonValue) -> Config:
    if value == "warm":
        raise SettingsError(f"'warm' is not offered; expected one of {', '.join(MODES)}")
    return replace(config, mode=parse_choice(value, MODES))


def _set_model(config: Config, value: JsonValue) -> Config:
    return replace(config, model=parse_model(value))


def _set_local_model(config: Config, value: JsonValue) -> Config:
    return replace(config, local_model=parse_model(value))


def _set_thinking(config: Config, value: JsonValue) -> Config:
    return replace(config, thinking=parse_choice(value, THINKING_LEVELS))


def _set_offline_deadline(config: Config, value: JsonValue) -> Config:
    return replace(config, offline_deadline_s=_parse_deadline(value))


def _set_call_deadline(config: Config, value: JsonValue) -> Config:
    return replace(config, call_deadline_s=_parse_deadline(value))


def _set_budget(config: Config, value: JsonValue) -> Config:
    chars = parse_whole_number(value, MIN_BUDGET_CHARS, MOST_BUDGET_CHARS)
    return replace(config, budget_chars=chars)


def _set_ask_tools(config: Config, value: JsonValue) -> Config:
    return replace(config, ask_tools=tuple(dict.fromkeys([*ASK_TOOLS, *parse_names(value)])))


def _parse_deadline(value: JsonValue) -> float:
    return float(parse_number(value, MIN_DEADLINE_S, MAX_DEADLINE_S))


KEYS = (
    Key("mode", _set_mode, lambda config: MODES.index(config.mode), lambda config: config.mode),
    Key("model", _set_model),
    Key("localModel", _set_local_model),
    Key("thinking", _set_thinking),
    Key(
        "offlineDeadlineSeconds",
        _set_offline_deadline,
        lambda config: config.offline_deadline_s,
        lambda config: f"{config.offline_deadline_s:g}",
    ),
    Key(
        "callDeadlineSeconds",
        _set_call_deadline,
        lambda config: config.call_deadline_s,
        lambda config: f"{config.call_deadline_s:g}",
    ),
    Key(
        "budgetChars",
        _set_budget,
        lambda config: config.budget_chars,
        lambda config: f"{config.budget_chars:,}",
    ),
    Key("askTools", _set_ask_tools),
)
NAMES = (*(key.name for key in KEYS), ROOTS)
"""Every key there is."""
