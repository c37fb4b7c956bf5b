"""What a play may well mean and often does not: noted beside its recording, never an error."""

from collections.abc import Iterator

from longhaul.compaction.render.escape import clip, escape_text
from longhaul.pi.process import Record
from longhaul.record.fields import show
from longhaul.record.plays import PLACEHOLDER, Play, Step
from longhaul.record.script import PlayProblem
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import text_or_empty

_MAX_HEAD_CHARS = 60
_MAX_TAIL_CHARS = 40


def find_unfilled(play: Play) -> tuple[PlayProblem, ...]:
    """Return the names `{{name}}` that no capture before them defines, each where it stands first.

    They stay as they stand, which is what a template wants and a slip of the pen does not.
    """
    found: dict[str, PlayProblem] = {}
    captured: set[str] = set()
    for number, turn in enumerate(play.turns, 1):
        for at, step in enumerate(turn.steps, 1):
            captured.update(capture.name for capture in step.captures)
            for name in _names_in(step):
                if name not in captured and name not in found:
                    text = f"{show(f'{{{{{name}}}}}')} stays as it stands: no capture has found it"
                    found[name] = PlayProblem(f"u{number} step {at}", text)
    return tuple(found.values())


def failure_text(record: Record) -> str | None:
    """Return which tool failed and how, from pi's record of a call's end; None where it did not."""
    if not record.get("isError"):
        return None
    name = show(text_or_empty(record.get("toolName")) or "a tool")
    return f"{name} failed: {_shorten(_text_of(record.get('result')))}"


def _names_in(step: Step) -> Iterator[str]:
    values: list[JsonValue] = [step.thinking, step.text]
    values += [dict(tool.arguments) for tool in step.tools]
    while values:
        value = values.pop(0)
        if isinstance(value, str):
            yield from PLACEHOLDER.findall(value)
        elif isinstance(value, list):
            values += value
        elif isinstance(value, dict):
            values += value.values()


def _text_of(result: JsonValue) -> str:
    content = result.get("content") if isinstance(result, dict) else None
    parts = content if isinstance(content, list) else []
    return "\n".join(text_or_empty(one.get("text")) for one in parts if isinstance(one, dict))


def _shorten(text: str) -> str:
    """Return an output on one line; of a long one how it begins, and its last line: the exit."""
    whole = escape_text(text) or "without a word"
    if len(whole) <= _MAX_HEAD_CHARS + _MAX_TAIL_CHARS:
        return whole
    last = escape_text(text.strip().splitlines()[-1])
    return f"{clip(whole, _MAX_HEAD_CHARS)} {clip(last, _MAX_TAIL_CHARS)}"
