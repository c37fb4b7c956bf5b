"""The scripted model of a play: which step answers which request, and what does not fit."""

from collections.abc import Mapping
from dataclasses import dataclass

from longhaul.compaction.report_text import count
from longhaul.pi.chat import Call, ChatRequest, Reply, newest_tool_text
from longhaul.record.capturing import CAPTURE_S, TooSlow, find_capture
from longhaul.record.fields import show
from longhaul.record.plays import PLACEHOLDER, Step, Turn
from longhaul.transcript.entries import JsonValue

LABEL = "scripted/scripted"
"""What a session calls this model, where nothing else is said."""
_MAX_TAIL_CHARS = 50
_TOO_SLOW = f"searches longer than {CAPTURE_S:g} s; simplify its regular expression"
_MISSING_STEP = "(The play has no step for this.)"


@dataclass(frozen=True, slots=True)
class PlayProblem:
    """One way in which a play does not fit what pi did with it."""

    place: str
    """The turn, or the step of a turn, counted from 1: `u3`, `u3 step 2`."""
    text: str

    def __str__(self) -> str:
        """Return both in a line."""
        return f"{self.place}: {self.text}"


class PlayScript:
    """Answers a session's requests with the steps of its play, each once and in order."""

    def __init__(self) -> None:
        """Start before the first turn."""
        self.captured: dict[str, str] = {}
        """What captures have found so far."""
        self.problems: list[PlayProblem] = []
        self._turn: Turn | None = None
        self._number = 0
        self._n_used = 0

    def begin_turn(self, number: int, turn: Turn) -> None:
        """Answer from `turn`, the `number`-th, from now on."""
        self._turn, self._number, self._n_used = turn, number, 0

    def end_turn(self) -> None:
        """Note the steps of the turn that nothing asked for."""
        n_steps = len(self._steps)
        if self._n_used < n_steps:
            self._note(f"{self._n_used} of {n_steps} steps used; the turn ended before the others")

    def answer(self, request: ChatRequest) -> Reply:
        """Return the next step as a reply; one in words where the turn has none left."""
        self._n_used += 1
        if self._n_used > len(self._steps):
            self._note(
                f"needs more than its {count(len(self._steps), 'step')}; has the last tools?"
            )
            return Reply(text=_MISSING_STEP)
        step = self._steps[self._n_used - 1]
        self._capture(step, newest_tool_text(request))
        return Reply(
            thinking=self._fill(step.thinking),
            text=self._fill(step.text),
            calls=tuple(self._calls(step)),
        )

    def is_aborting(self) -> bool:
        """Return whether the user stops what the newest step has started."""
        return 0 < self._n_used <= len(self._steps) and self._steps[self._n_used - 1].aborts

    @property
    def _steps(self) -> tuple[Step, ...]:
        return self._turn.steps if self._turn else ()

    def _note(self, text: str, *, at_step: bool = False) -> None:
        step = f" step {self._n_used}" if at_step else ""
        self.problems.append(PlayProblem(f"u{self._number}{step}", text))

    def _capture(self, step: Step, newest: str) -> None:
        for capture in step.captures:
            match find_capture(capture.pattern, newest):
                case str(found):
                    self.captured[capture.name] = found
                case TooSlow():
                    self._note(f"capture {capture.name} {_TOO_SLOW}", at_step=True)
                case None:
                    where = f"the newest tool result: {show(newest[-_MAX_TAIL_CHARS:]) or 'none'}"
                    self._note(f"capture {capture.name} finds nothing in {where}", at_step=True)

    def _calls(self, step: Step) -> list[Call]:
        return [
            Call(
                id=f"call_{self._number}_{self._n_used}_{at}",
                name=tool.name,
                arguments=self._fill_object(tool.arguments),
            )
            for at, tool in enumerate(step.tools, 1)
        ]

    def _fill(self, text: str) -> str:
        """Return `text` with what captures found; a name that no capture defines stays."""
        return PLACEHOLDER.sub(lambda one: self.captured.get(one[1], one[0]), text)

    def _fill_object(self, value: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        return {key: self._fill_value(one) for key, one in value.items()}

    def _fill_value(self, value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return self._fill(value)
        if isinstance(value, list):
            return [self._fill_value(one) for one in value]
        return self._fill_object(value) if isinstance(value, dict) else value
