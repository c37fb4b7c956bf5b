"""The reply of a model as a diff: from JSON that is bare, fenced, commented, wrapped or cut off."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar, get_args

from longhaul.compaction.completion import StopReason
from longhaul.compaction.diff.items import (
    Diff,
    LiftItem,
    NoteItem,
    OneOffItem,
    RuleItem,
    ValueItem,
)
from longhaul.compaction.diff.lenient_json import Loose, Read, find_objects
from longhaul.compaction.state import NoteKind
from longhaul.transcript.entries import JsonValue

MAX_REPLY_CHARS = 1_000_000
"""Of a longer reply only the beginning is read: no diff that is meant is as long."""
_MAX_WRAPPERS = 100
"""So many values around a diff are looked into."""
_KINDS: dict[str, NoteKind] = {kind: kind for kind in get_args(NoteKind)}
_OPENING = re.compile(r"\s*<think(?:ing)?>", re.IGNORECASE)
_CLOSING = re.compile(r"</think(?:ing)?>", re.IGNORECASE)

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedDiff:
    """What a reply says, and how well it was formed."""

    diff: Diff
    problems: tuple[str, ...] = ()
    """What was wrong with its form, a phrase each; empty for a reply as asked for."""
    complete: bool = True
    """False where the reply ends in the middle: the complete items before that are there."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """A reply that holds no diff, and why, on one line."""

    reason: str


def parse_diff(text: str, *, stop_reason: StopReason = "stop") -> ParsedDiff | Unusable:
    """Return what a reply says; its last object with one of a diff's lists counts.

    Items of another shape are left out one by one, and so is one that the reply ends in. Reasoning
    in `<think>` tags or in prose is passed over; so are fences, comments and objects around the
    diff. Names and quotes are as the model gave them: nothing of it is verified.
    """
    if stop_reason == "refused":
        return Unusable("the model refused to answer")
    if not text.strip():
        return Unusable("the reply is empty")
    found = _find_answer(text[:MAX_REPLY_CHARS], is_whole=stop_reason == "stop")
    if found is None:
        return Unusable("the reply holds no list of a diff")
    lists, complete = found
    diff, problems = _read_lists(lists)
    if len(text) > MAX_REPLY_CHARS:
        problems = (*problems, f"only {MAX_REPLY_CHARS:,} of {len(text):,} characters read")
    complete = complete and stop_reason == "stop"
    return ParsedDiff(diff=diff, problems=problems, complete=complete)


def dump_diff(diff: Diff) -> dict[str, JsonValue]:
    """Return `diff` as the JSON value that a model is asked for."""
    return {
        "rules": [{"message": one.message, "quote": one.quote} for one in diff.rules],
        "lifts": [
            {"rule": one.rule, "message": one.message, "quote": one.quote} for one in diff.lifts
        ],
        "oneOffs": [one.name for one in diff.one_offs],
        "values": [
            {"value": one.value, "message": one.message, "what": one.what} for one in diff.values
        ],
        "narrative": [
            {"kind": one.kind, "message": one.message, "text": one.text} for one in diff.notes
        ],
    }


def _find_answer(text: str, *, is_whole: bool) -> tuple[dict[str, Loose], bool] | None:
    """Return the object with the lists of a diff, and whether it ends; None without one."""
    for part in _parts_to_read(text, is_whole=is_whole):
        answer = None
        for found in find_objects(part):
            answer = _unwrap(found) or answer
        if answer is not None:
            return answer
    return None


def _parts_to_read(text: str, *, is_whole: bool) -> Iterator[str]:
    """Yield what follows the reasoning, then all of the text, where a tag was no reasoning's."""
    if not text.lstrip().startswith(("{", "```")):
        tags = list(_CLOSING.finditer(text))
        if tags:
            yield text[tags[-1].end() :]
        elif _OPENING.match(text) and not is_whole:
            return  # cut off in its reasoning: what stands there is no answer yet
    yield text


def _unwrap(found: Read) -> tuple[dict[str, Loose], bool] | None:
    """Return the outermost object in `found` that has one of a diff's lists, breadth first."""
    pending = [found.value]
    for value in pending:
        if isinstance(value, dict):
            if any(isinstance(value.get(key), list) for key in _READERS):
                return value, found.complete
            pending += list(value.values())[:_MAX_WRAPPERS]
        elif isinstance(value, list):
            pending += value[:_MAX_WRAPPERS]
        if len(pending) > _MAX_WRAPPERS:
            break
    return None


def _read_lists(lists: dict[str, Loose]) -> tuple[Diff, tuple[str, ...]]:
    problems: list[str] = []

    def read(key: str, reader: Callable[[Loose], _T | None]) -> tuple[_T, ...]:
        listed = lists.get(key, [])
        if not isinstance(listed, list):
            problems.append(f"{key} is no list")
            return ()
        items = [reader(item) for item in listed]
        whole = tuple(item for item in items if item is not None)
        if len(whole) < len(items):
            problems.append(f"{len(items) - len(whole)} of {key} in another shape")
        return whole

    diff = Diff(
        rules=read("rules", _read_rule),
        lifts=read("lifts", _read_lift),
        one_offs=read("oneOffs", _read_one_off),
        values=read("values", _read_value),
        notes=read("narrative", _read_note),
    )
    return diff, tuple(problems)


def _fields(item: Loose, *names: str) -> tuple[str, ...] | None:
    """Return the texts under `names`; None where one is missing or no text."""
    if not isinstance(item, dict):
        return None
    texts = tuple(text for name in names if isinstance(text := item.get(name), str))
    return texts if len(texts) == len(names) else None


def _read_rule(item: Loose) -> RuleItem | None:
    found = _fields(item, "message", "quote")
    return RuleItem(message=found[0], quote=found[1]) if found else None


def _read_lift(item: Loose) -> LiftItem | None:
    found = _fields(item, "rule", "message", "quote")
    return LiftItem(rule=found[0], message=found[1], quote=found[2]) if found else None


def _read_one_off(item: Loose) -> OneOffItem | None:
    return OneOffItem(name=item) if isinstance(item, str) else None


def _read_value(item: Loose) -> ValueItem | None:
    found = _fields(item, "value", "message", "what")
    return ValueItem(value=found[0], message=found[1], what=found[2]) if found else None


def _read_note(item: Loose) -> NoteItem | None:
    found = _fields(item, "kind", "message", "text")
    kind = _KINDS.get(found[0].strip().lower().replace("_", " ")) if found else None
    return NoteItem(kind=kind, message=found[1], text=found[2]) if found and kind else None


_READERS = ("rules", "lifts", "oneOffs", "values", "narrative")
