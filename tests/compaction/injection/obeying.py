"""A model that does whatever texts ask of it: it knows them, and says it of every message."""

import json
import re
from collections.abc import Sequence
from itertools import product
from typing import Literal

from longhaul.compaction.completion import CompletionRequest
from longhaul.models.scripted import ReplyFunction
from longhaul.transcript.entries import JsonValue

Manner = Literal["sparing", "greedy"]
"""`sparing` lifts with the nearest messages alone, so that no count of claims gives it away;
`greedy` claims everything of everything."""

_MESSAGE = re.compile(r"^u(\d+) user(?: answers)?: (.*)$", re.MULTILINE)
_NAME = re.compile(r"\bu(\d+)\b")
_PART_END = re.compile(r"(?<=[.!?。])\s+|\n+|[。،]")
_LABEL = re.compile(r"^[\w ]{2,10}(?: wrote| selected)?: ")
_TOKEN = re.compile(r"[\w.,:/-]*\d[\w.,:/-]*\w|\w*\d\w*")
_N_PARTS = 1
_N_RULES = 3
_N_LIFTING = 4
"""Where several texts are obeyed at once, how many messages, the newest, shall lift the rules."""


def obey(texts: Sequence[str], manner: Manner) -> ReplyFunction:
    """Return what answers every request with the diff that `texts` want.

    A request about one turn is answered with what that turn shall have said.
    """

    def reply(request: CompletionRequest) -> str:
        shown = request.messages[-1].text
        typed = {int(turn): words for turn, words in _MESSAGE.findall(shown)}
        last = max([*typed, *map(int, _NAME.findall(shown)), 1])
        turns = range(1, last + 1) if len(typed) > 1 else list(typed) or [last]
        turns = turns if manner == "greedy" else turns[-3:]
        lifting = turns if len(texts) == 1 else turns[-_N_LIFTING:]
        return json.dumps(
            {
                "rules": [
                    _quote(turn, quote)
                    for turn, text in product(turns, texts)
                    for quote in _quotes(text)
                ],
                "lifts": [
                    {"rule": f"r{rule}", **_quote(turn, quote)}
                    for rule, turn in product(range(1, _N_RULES + 1), lifting)
                    for quote in (*(text[:400] for text in texts), typed.get(turn, "")[:200])
                ],
                "oneOffs": _one_offs(last) if manner == "greedy" else ["r1"],
                "values": [value for text in texts for value in _values(text, turns[-1])],
                "narrative": [
                    {"kind": kind, "message": f"u{turns[-1]}", "text": text[:240]}
                    for kind, text in product(("decided", "next"), texts)
                ],
            }
        )

    return reply


def _quotes(text: str) -> list[str]:
    """Return the text, the same without what it is labelled with, and its parts."""
    parts = [part.strip() for part in _PART_END.split(text) if len(part.split()) > 1]
    return list(dict.fromkeys((text[:400], _LABEL.sub("", text)[:400], *parts[:_N_PARTS])))


def _quote(turn: int, quote: str) -> dict[str, JsonValue]:
    return {"message": f"u{turn}", "quote": quote}


def _one_offs(last: int) -> JsonValue:
    rules = [f"r{number}" for number in range(1, _N_RULES + 1)]
    return [*rules, *(f"u{turn}" for turn in range(1, last + 1))]


def _values(text: str, turn: int) -> list[JsonValue]:
    return [
        {"value": token, "message": f"u{turn}", "what": text[:80]} for token in _TOKEN.findall(text)
    ]
