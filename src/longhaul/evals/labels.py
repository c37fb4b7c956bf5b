"""Labelled dialogues: user messages, and the rules that a person read in them.

A file holds one a line: `id`, `messages` of `id` and `text`, `rules` of `message`, `marker` (a
regular expression for lines that name the rule) and `liftedAt`; `kind`, and a rule's `quote` and
`liftQuote`, where there are any.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from longhaul.errors import LonghaulError
from longhaul.evals.fields import (
    Fields,
    FieldValueError,
    parse_marker,
    parse_object,
    parse_objects,
    parse_optional_text,
    parse_text,
    place_of,
)
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import ShapeError


class DialogueError(LonghaulError):
    """A line of a dialogues file is not what the format says; names file, line and field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledRule:
    """A rule of a dialogue, by the numbers of its messages, the first of which is 1."""

    turn: int
    marker: str
    lifted_at: int | None
    """None while it is in force at the end."""
    quote: str = ""
    """The words that give it; empty where the file does not say."""
    lift_quote: str = ""
    """The words that lift it; empty where nothing does or the file does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """The user messages of one conversation, with the rules they give."""

    id: str
    kind: str
    messages: tuple[str, ...]
    rules: tuple[LabelledRule, ...]


def load_dialogues(path: Path, kinds: Mapping[str, str] | None = None) -> Iterator[Dialogue]:
    """Yield the dialogues of a file; the kind is the line's own, else `kinds`', else `-`.

    Raises:
        DialogueError: a line is not JSON, or a field is not what it should be.
    """
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            dialogue = parse_dialogue(orjson.loads(line), kinds or {})
        except orjson.JSONDecodeError as error:
            raise DialogueError(f"{path}:{number} is not JSON: {error}") from error
        except ShapeError as error:
            raise DialogueError(f"{path}:{number} {error}") from error
        yield dialogue


def parse_dialogue(record: JsonValue, kinds: Mapping[str, str]) -> Dialogue:
    """Return the dialogue that one decoded line holds.

    Raises:
        ShapeError: a field is missing or of another type.
    """
    fields = parse_object(record, "dialogue")
    dialogue_id = parse_text(fields, "id")
    messages = parse_objects(fields, "messages")
    texts = tuple(parse_text(message, "text", within) for within, message in messages)
    turns = {parse_text(message, "id", at): turn for turn, (at, message) in enumerate(messages, 1)}
    return Dialogue(
        id=dialogue_id,
        kind=parse_optional_text(fields, "kind") or kinds.get(dialogue_id, "-"),
        messages=texts,
        rules=tuple(_rule(rule, at, turns) for at, rule in parse_objects(fields, "rules")),
    )


def _rule(rule: Fields, at: str, turns: Mapping[str, int]) -> LabelledRule:
    turn = _turn(rule, "message", at, turns)
    if "liftedAt" not in rule:
        raise ShapeError(f"{at}.liftedAt", "a message's id or null", None)
    return LabelledRule(
        turn=turn,
        marker=parse_marker(rule, at),
        lifted_at=_turn(rule, "liftedAt", at, turns) if rule["liftedAt"] is not None else None,
        quote=parse_optional_text(rule, "quote", at),
        lift_quote=parse_optional_text(rule, "liftQuote", at),
    )


def _turn(rule: Fields, name: str, within: str, turns: Mapping[str, int]) -> int:
    message_id = parse_text(rule, name, within)
    if message_id not in turns:
        raise FieldValueError(place_of(name, within), "the id of a message", message_id)
    return turns[message_id]
