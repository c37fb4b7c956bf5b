"""The model that one compaction inside pi asks, ready to be asked."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from longhaul.compaction.compact import Model
from longhaul.config import Config
from longhaul.errors import ModelError
from longhaul.pi.calls import Extension
from longhaul.pi.completions import AbsentModel, OtherModel, PiModel
from longhaul.pi.local_only import is_local_only
from longhaul.pi.model_choice import NamedModel, NoModel, SessionModel, choose_model
from longhaul.pi.params import Source

AskedModel: TypeAlias = PiModel | OtherModel | AbsentModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """The models that settings can name."""

    open: Callable[[str, float], Model]
    """Opens one by its name, to answer within so many seconds; raises ModelError where it cannot
    be."""
    is_on_this_machine: Callable[[str], bool]


def open_asked_model(
    source: Source, cwd: str, config: Config, extension: Extension, models: Models
) -> AskedModel | None:
    """Return what a compaction of a session asks; None where the settings want no call.

    `cwd` is the folder that the session's header names. Where a call is wanted and cannot be made,
    the model returned says why. A session is local only if either half finds it so.
    """
    file = Path(source.session_file) if source.session_file else None
    roots = config.local_only_roots
    local_only = source.is_local_only or is_local_only(cwd=cwd, session_file=file, roots=roots)
    choice = choose_model(
        config,
        local_only=local_only,
        session_model_is_local=source.model_is_local,
        is_on_this_machine=models.is_on_this_machine,
    )
    match choice:
        case NoModel(reason):
            return AbsentModel(reason) if reason else None
        case SessionModel():
            return _ask_pi(config, extension)
        case NamedModel(spec):
            return _open(spec, config, extension, models)


def _ask_pi(config: Config, extension: Extension) -> PiModel:
    deadline_s, allowance_s = config.call_deadline_s, config.offline_deadline_s
    return PiModel(extension, deadline_s=deadline_s, allowance_s=allowance_s)


def _open(
    spec: str, config: Config, extension: Extension, models: Models
) -> OtherModel | AbsentModel:
    deadline_s, allowance_s = config.call_deadline_s, config.offline_deadline_s
    try:
        model = models.open(spec, deadline_s)
    except ModelError as error:
        return AbsentModel(str(error), name=spec)
    return OtherModel(
        model,
        extension,
        name=spec,
        deadline_s=deadline_s,
        allowance_s=allowance_s,
        waits="?wait=" in spec,
    )
