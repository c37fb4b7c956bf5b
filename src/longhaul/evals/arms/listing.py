"""The arms by name. Adding one is a function that opens it and a line in `ARM_KINDS`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from longhaul.compaction.ask import Mode
from longhaul.compaction.compact import Model
from longhaul.compaction.completion import ThinkingLevel
from longhaul.errors import LonghaulError
from longhaul.evals.arms.arm import Arm, Handed, Made
from longhaul.evals.arms.longhaul import LonghaulSetup, open_longhaul, without_values
from longhaul.evals.arms.plain import make_recent_user, make_recorded
from longhaul.evals.arms.real_pi import OWN_EXTENSION, PiSetup, open_real_pi
from longhaul.evals.arms.warm import open_warm
from longhaul.pi.installed_pi import InstalledPi

Where = Literal["anywhere", "takeover"]


class ArmError(LonghaulError):
    """There is no such arm, or it lacks something; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmSetup:
    """What arms are opened with."""

    model: Model | None = None
    """None where no model is given."""
    model_name: str = ""
    thinking: ThinkingLevel | None = None
    window_tokens: int | None = None
    """The model's context window; None for that of each recording."""
    max_output_tokens: int | None = None
    """Most tokens of a reply; None for what each arm asks for."""
    reply_limit_s: float = 600.0
    """How long the model has for a reply."""
    find_pi: Callable[[], InstalledPi] | None = None
    """Finds the pi of this machine, for arms that run in it; None where there is to be none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmKind:
    """One line of the list of arms."""

    name: str
    """What `--arms` calls it; with `takes`, what stands before the colon."""
    open: Callable[[ArmSetup, str], Arm]
    """Given what stands behind the colon, or an empty text."""
    takes: str = ""
    """What has to stand behind a colon; empty where nothing does."""
    asks_model: bool = False
    source: str = ""
    """The arm whose result this one is made from; empty for an arm of its own."""
    where: Where = "anywhere"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenArm:
    """An arm ready to run."""

    name: str
    """As it was asked for, and as rows name it."""
    run: Arm
    source: str = ""


def _longhaul(setup: ArmSetup, mode: Mode) -> LonghaulSetup:
    return LonghaulSetup(
        mode=mode,
        model=setup.model,
        model_name=setup.model_name,
        thinking=setup.thinking,
        window_tokens=setup.window_tokens,
        max_output_tokens=setup.max_output_tokens,
    )


def _open_state(setup: ArmSetup, _: str) -> Arm:
    return open_longhaul(_longhaul(setup, "state"))


def _open_turns(setup: ArmSetup, _: str) -> Arm:
    return open_longhaul(_longhaul(setup, "turns"))


def _open_warm(setup: ArmSetup, _: str) -> Arm:
    return open_warm(_pi(setup), _longhaul(setup, "warm"))


def _open_offline(setup: ArmSetup, _: str) -> Arm:
    return open_longhaul(_longhaul(replace(setup, model=None), "offline"))


def _open_unlearned(_: ArmSetup, __: str) -> Arm:
    def run(handed: Handed) -> Made:
        assert handed.source is not None, "opened beside the arm that it is made from"
        return without_values(handed.source)

    return run


def _open_pi(setup: ArmSetup, extension: str) -> Arm:
    if extension and extension != OWN_EXTENSION and not Path(extension).is_file():
        raise ArmError(f"there is no extension {extension}; name its file")
    return open_real_pi(_pi(setup), extension)


def _pi(setup: ArmSetup) -> PiSetup:
    if setup.find_pi is None:
        raise ArmError("this arm runs in pi, and there is none here")
    return PiSetup(
        pi=setup.find_pi(),
        model=setup.model,
        thinking=setup.thinking,
        window_tokens=setup.window_tokens,
        max_output_tokens=setup.max_output_tokens,
        reply_limit_s=setup.reply_limit_s,
    )


ARM_KINDS = (
    ArmKind(name="pi-default", open=_open_pi, asks_model=True),
    ArmKind(name="state", open=_open_state, asks_model=True),
    ArmKind(name="state-turns", open=_open_turns, asks_model=True),
    ArmKind(name="state-warm", open=_open_warm, asks_model=True),
    ArmKind(name="state-unlearned", open=_open_unlearned, source="state"),
    ArmKind(name="state-offline", open=_open_offline),
    ArmKind(name="recorded", open=lambda *_: make_recorded, where="takeover"),
    ArmKind(name="recent-user", open=lambda *_: make_recent_user),
    ArmKind(name="pi-extension", open=_open_pi, takes="PATH"),
)


def open_arms(names: Sequence[str], setup: ArmSetup, *, is_chained: bool) -> tuple[OpenArm, ...]:
    """Return the arms that `names` ask for, each behind the one that it is made from.

    Raises:
        ArmError: a name is unknown or stands twice, or an arm needs a model, another arm, or a
            replay on recorded paths.
    """
    if len(set(names)) < len(names):
        raise ArmError("an arm is named twice; name each once")
    kinds = {name: _find_kind(name) for name in names}
    for name, kind in kinds.items():
        _require(name, kind, names, setup, is_chained=is_chained)
    ordered = sorted(kinds.items(), key=lambda item: bool(item[1].source))
    return tuple(
        OpenArm(name=name, run=kind.open(setup, name.partition(":")[2]), source=kind.source)
        for name, kind in ordered
    )


def _find_kind(name: str) -> ArmKind:
    head, colon, rest = name.partition(":")
    kind = next((one for one in ARM_KINDS if one.name == head), None)
    if kind is None:
        known = ", ".join(map(arm_form, ARM_KINDS))
        raise ArmError(f"no arm {name!r}; there are {known}")
    if bool(rest) != bool(kind.takes) or (colon and not kind.takes):
        raise ArmError(f"no arm {name!r}; write {arm_form(kind)}")
    return kind


def arm_form(kind: ArmKind) -> str:
    """Return how an arm is named: `pi-extension:PATH`."""
    return f"{kind.name}:{kind.takes}" if kind.takes else kind.name


def _require(
    name: str, kind: ArmKind, names: Sequence[str], setup: ArmSetup, *, is_chained: bool
) -> None:
    if kind.asks_model and setup.model is None:
        raise ArmError(f"arm {name} asks a model; name one with --model, or leave the arm out")
    if kind.source and kind.source not in names:
        raise ArmError(f"arm {name} is made from {kind.source}; name that arm too")
    if kind.where == "takeover" and is_chained:
        raise ArmError(
            f"arm {name} needs the recorded paths: give --takeover (SCORE_CHAIN=0), or leave it out"
        )
