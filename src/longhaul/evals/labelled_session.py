"""A session with its labels, as the checks of them look at it, and what they find."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from longhaul.evals.due import Cut, Due, find_cuts, judge_cuts
from longhaul.evals.session_labels import SessionLabels
from longhaul.evals.turns import Turn, find_turns
from longhaul.transcript.entries import Path

_MAX_LISTED = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelFinding:
    """Something about one label: an error makes the label wrong, a note does not."""

    level: Literal["error", "note"]
    place: str
    """The label: `csv-toolkit.rules[2].marker`; the session's key where it is about the session."""
    text: str
    line: int | None = None
    """The line of the session's file that it is about; None where it is about none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSession:
    """One session's path with its turns, its cuts, and what its labels make due there."""

    name: str
    labels: SessionLabels
    path: Path
    turns: tuple[Turn, ...]
    cuts: tuple[Cut, ...]
    due: tuple[Due, ...]

    def turn(self, number: int) -> Turn | None:
        """Return a turn by its number, 7 for `u7`; None where the path has no such turn."""
        return self.turns[number - 1] if number <= len(self.turns) else None

    def error(self, place: str, text: str, number: int | None = None) -> LabelFinding:
        """Return an error about the label at `place`, and turn `number` where it is about one."""
        return self._finding("error", place, text, number)

    def note(self, place: str, text: str, number: int | None = None) -> LabelFinding:
        """Return a note about the label at `place`, and turn `number` where it is about one."""
        return self._finding("note", place, text, number)

    def _finding(
        self, level: Literal["error", "note"], place: str, text: str, number: int | None
    ) -> LabelFinding:
        turn = None if number is None else self.turn(number)
        line = None if turn is None else turn.line
        return LabelFinding(level=level, place=f"{self.name}.{place}", text=text, line=line)


def label_session(name: str, path: Path, labels: SessionLabels) -> LabelledSession:
    """Return a session's path with its labels."""
    turns, cuts = find_turns(path), find_cuts(path)
    return LabelledSession(
        name=name,
        labels=labels,
        path=path,
        turns=turns,
        cuts=cuts,
        due=judge_cuts(cuts, turns, labels),
    )


def named_turns(labels: SessionLabels) -> Iterator[tuple[str, int]]:
    """Yield every place of the labels that names a user message, and the message's number."""
    if labels.goal is not None:
        yield "goal.turn", labels.goal.turn
    for index, rule in enumerate(labels.rules):
        yield f"rules[{index}].turn", rule.turn
        if rule.lifted_at is not None:
            yield f"rules[{index}].liftedAt", rule.lifted_at
    for index, value in enumerate(labels.values):
        yield f"values[{index}].turn", value.turn
        for use, number in enumerate(value.used_at):
            yield f"values[{index}].usedAt[{use}]", number
    for name, numbers in (("doubtful", labels.doubtful), ("oneOffs", labels.one_offs)):
        for index, number in enumerate(numbers):
            yield f"{name}[{index}]", number


def turn_names(numbers: Iterable[int]) -> str:
    """Return turns as they are named, the first few of many: `u3, u7`."""
    names = [f"u{number}" for number in sorted(set(numbers))]
    more = len(names) - _MAX_LISTED
    return ", ".join(names[:_MAX_LISTED]) + (f" and {more} more" if more > 0 else "")
