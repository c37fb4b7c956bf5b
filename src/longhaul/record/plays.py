"""Plays and scenarios: what a user says turn by turn and, in a play, what the model answers."""

import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field

from longhaul.errors import LonghaulError
from longhaul.record.fields import Fields
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import ShapeError

PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
"""What stands in a step for what a capture has found."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_TURN = re.compile(r"u([1-9]\d{0,5})")
_PLAY_KEYS = ("name", "window", "reserve", "keep_recent", "turns", "extensions", "about")
_TURN_KEYS = ("user", "steps", "answers", "back_to")
_STEP_KEYS = ("thinking", "text", "tools", "capture", "abort")
_MAX_TOKENS = 10**9


class PlayError(LonghaulError):
    """A play is not what the format says; the message names file, line and field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call of a tool, placeholders such as `{{hash}}` still in its arguments."""

    name: str
    arguments: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """What a step reads off the newest tool result: group 1 of `pattern`, else the whole match."""

    name: str
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One assistant message."""

    thinking: str = ""
    text: str = ""
    tools: tuple[ToolCall, ...] = ()
    captures: tuple[Capture, ...] = ()
    """Applied before the step's own text is filled in."""
    aborts: bool = False
    """The user presses Esc while this step's tools run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One user message, and the assistant messages that it starts."""

    user: str
    steps: tuple[Step, ...] = ()
    """Empty in a scenario."""
    answers: tuple[str, ...] = ()
    """What the user answers to the dialogs that this turn's tools open, in order."""
    back_to: int | None = None
    """Number of the turn that this one replaces: before it, the user goes back in the tree to where
    that one began. None: the conversation goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """A whole session: the limits it is recorded with, and its turns."""

    name: str
    """The session's name; the sandbox's project folder is `/work/<name>`."""
    window_tokens: int
    reserve_tokens: int
    keep_recent_tokens: int
    turns: tuple[Turn, ...]
    extensions: tuple[str, ...] = ()
    """Files of pi extensions, as the play names them: relative to its own folder."""
    complaints: tuple[str, ...] = field(default=(), compare=False)
    """Keys that no reader knows, each in a line; they have no effect."""

    @property
    def is_scripted(self) -> bool:
        """Whether every turn has its steps: a play, and no scenario."""
        return all(turn.steps for turn in self.turns)


def parse_play(record: JsonValue) -> Play:
    """Return the play or the scenario that the decoded text of a file holds.

    In a scenario no turn has steps.

    Raises:
        ShapeError: a field is missing or not of its kind; the error names it.
    """
    complaints: list[str] = []
    top = Fields(record, "", _PLAY_KEYS, complaints)
    turns = tuple(_turn(one, where, complaints) for where, one in top.items("turns"))
    if not turns:
        hint = f" ({complaints[0]})" if complaints else ""
        raise ShapeError("turns", f"a turn or more{hint}", "none")
    for number, turn in enumerate(turns, 1):
        if turn.back_to is not None and turn.back_to >= number:
            raise ShapeError(f"turns[{number - 1}].back_to", "an earlier turn", f"u{turn.back_to}")
    play = Play(
        name=top.matching("name", _NAME, "letters, digits, `.`, `_` and `-`")[0],
        window_tokens=top.whole_number("window", _MAX_TOKENS),
        reserve_tokens=top.whole_number("reserve", _MAX_TOKENS),
        keep_recent_tokens=top.whole_number("keep_recent", _MAX_TOKENS),
        turns=turns,
        extensions=top.texts("extensions"),
        complaints=tuple(complaints),
    )
    _require_room(play)
    _require_steps(play)
    return play


def _require_room(play: Play) -> None:
    if play.window_tokens <= play.reserve_tokens:
        raise ShapeError("window", f"more than reserve ({play.reserve_tokens:,})", "less")


def _require_steps(play: Play) -> None:
    """Refuse a file that is half a play."""
    without = [number for number, turn in enumerate(play.turns) if not turn.steps]
    if without and len(without) < len(play.turns):
        raise ShapeError(f"turns[{without[0]}].steps", "a step or more, as other turns have", [])


def _turn(record: JsonValue, where: str, complaints: list[str]) -> Turn:
    fields = Fields(record, where, _TURN_KEYS, complaints)
    user = fields.text("user").strip()
    if not user:
        raise ShapeError(fields.place("user"), "what the user says", user)
    steps = tuple(_step(one, place, complaints) for place, one in fields.items("steps"))
    back_to = (
        fields.matching("back_to", _TURN, "a turn such as u7") if fields.has("back_to") else ()
    )
    aborting = next((at for at, step in enumerate(steps[:-1]) if step.aborts), None)
    if aborting is not None:
        raise ShapeError(
            f"{where}.steps[{aborting}].abort", "to be in the turn's last step", got=True
        )
    return Turn(
        user=user,
        steps=steps,
        answers=fields.texts("answers"),
        back_to=int(back_to[1]) if back_to else None,
    )


def _step(record: JsonValue, where: str, complaints: list[str]) -> Step:
    fields = Fields(record, where, _STEP_KEYS, complaints)
    step = Step(
        thinking=fields.optional_text("thinking").strip(),
        text=fields.optional_text("text").strip(),
        tools=tuple(_tool(one, place) for place, one in fields.items("tools")),
        captures=tuple(_capture(*one) for one in fields.members("capture")),
        aborts=fields.flag("abort"),
    )
    if step.aborts and not step.tools:
        raise ShapeError(fields.place("abort"), "a step with tools, which it stops", got=True)
    if not (step.text or step.tools or step.thinking):
        raise ShapeError(where, "thinking, text or tools", "none of them")
    return step


def _tool(record: JsonValue, where: str) -> ToolCall:
    if not isinstance(record, dict) or len(record) != 1:
        raise ShapeError(where, "one `tool: arguments` pair", record)
    ((name, arguments),) = record.items()
    if not isinstance(arguments, dict):
        raise ShapeError(f"{where}.{name}", "the arguments by name", arguments)
    return ToolCall(name=name, arguments=arguments)


def _capture(where: str, name: str, pattern: JsonValue) -> Capture:
    if not re.fullmatch(r"\w+", name):
        raise ShapeError(where, "a name of letters, digits and `_`", name)
    if not isinstance(pattern, str):
        raise ShapeError(where, "a regular expression", pattern)
    try:
        with warnings.catch_warnings(action="error"):
            return Capture(name=name, pattern=re.compile(pattern, re.MULTILINE))
    except (re.error, Warning, RecursionError, OverflowError) as error:
        raise ShapeError(where, f"a regular expression ({error})", pattern) from None
