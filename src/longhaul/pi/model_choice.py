"""Which model a compaction may ask."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from longhaul.config import Config


@dataclass(frozen=True, slots=True)
class SessionModel:
    """The session's own model."""


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A model that the settings name."""

    spec: str
    """`provider/model-id[:thinking]`, `local:…` or `batch:…`."""


@dataclass(frozen=True, slots=True)
class NoModel:
    """None: the compaction is made from what code knows."""

    reason: str = ""
    """Why, in part of a line; empty where the settings want it so."""


Choice: TypeAlias = SessionModel | NamedModel | NoModel


def choose_model(
    config: Config,
    *,
    local_only: bool,
    session_model_is_local: bool,
    is_on_this_machine: Callable[[str], bool],
) -> Choice:
    """Return the model that a compaction may ask, if any.

    `local_only` says whether the session must not leave this machine (`is_local_only`),
    `session_model_is_local` whether its own model answers at a loopback address,
    `is_on_this_machine` whether the model that a name stands for does so on this machine.
    """
    if config.mode == "offline":
        return NoModel()
    if local_only:
        return _choose_local(
            config, is_on_this_machine, session_model_is_local=session_model_is_local
        )
    return SessionModel() if config.model is None else NamedModel(config.model)


def _choose_local(
    config: Config, is_on_this_machine: Callable[[str], bool], *, session_model_is_local: bool
) -> Choice:
    for spec in (config.local_model, config.model):
        if spec is not None and is_on_this_machine(spec):
            return NamedModel(spec)
    if session_model_is_local:
        return SessionModel()
    if config.local_model is not None:
        return NoModel("this session is local only, and localModel is not on this machine")
    return NoModel("this session is local only, and localModel is not set")
