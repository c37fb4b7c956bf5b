"""A synthetic session of any size: the same size and seed give the same bytes.

A coding session of turns: a request, replies with thinking, text and a call, results of very
different lengths; now and then an image, a label, a change of model; and, when the window must be
full, a compaction as pi writes one.
"""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from random import Random

Body = dict[str, object]

COMPACT_EVERY_BYTES = 700_000
"""About what fills a window of 200,000 tokens."""
KEPT_ENTRIES = 25
N_LINES = 4000
IMAGE_CHARS = 80_000
IMAGE_SHARE = 1 / 300
MARKED_SHARE = 0.06
"""Of texts, those with a character past ASCII."""

SUBJECTS = ("parser", "buffer", "tides", "retries", "config", "fixture", "cache", "index", "lock")
VERBS = ("fix", "extend", "measure", "rename", "split", "document", "simplify", "port", "review")
RULES = (
    "Never touch the files under vendor.",
    "From now on run the whole test suite before you commit.",
    "Don't add dependencies without asking me.",
    "You may touch vendor again.",
)
MARKS = ("✓", "—", "é", "🚀")
"""What makes a text take two or four bytes a character in memory; the last is rare."""


def write_session(file: Path, n_bytes: int, *, seed: int = 1) -> int:
    """Write a session of about `n_bytes` to `file`, line by line; return its number of entries.

    It never ends with a compaction, after which there would be nothing to compact.
    """
    n_written = 0
    with file.open("wb") as stream:
        for n_entries, record in enumerate(session_records(seed)):
            line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
            n_written += stream.write(line.encode() + b"\n")
            if n_written >= n_bytes and record["type"] != "compaction":
                return n_entries
    raise AssertionError("a session has no end")


def append_after(
    file: Path, leaf_id: str, made: Mapping[str, object], records: Iterable[Body]
) -> None:
    """Go on in a session: with the compaction `made` in it, then with `records`."""
    names = ("summary", "firstKeptEntryId", "tokensBefore", "details")
    entry: Body = {"type": "compaction", "fromHook": True, **{name: made[name] for name in names}}
    parent_id = leaf_id
    with file.open("ab") as stream:
        for number, record in enumerate((entry, *records)):
            entry_id = f"{leaf_id}-{number}"
            placed = {**record, "id": entry_id, "parentId": parent_id}
            stream.write(json.dumps(placed).encode() + b"\n")
            parent_id = entry_id


def session_records(seed: int = 1) -> Iterator[Body]:
    """Yield the records of a session that goes on for ever, the header first."""
    yield {"type": "session", "version": 3, "id": f"bench-{seed}", "cwd": "/bench"}
    chance = Random(seed)
    lines = [_line(chance) for _ in range(N_LINES)]
    prose = [_sentence(chance) for _ in range(N_LINES)]
    parent_id: str | None = None
    recent: deque[str] = deque(maxlen=KEPT_ENTRIES)
    n_bytes = 0
    for number in count(1):
        for body, chars in _turn(chance, lines, prose, number):
            n_bytes += chars
            yield _placed(body, parent_id, recent)
            parent_id = recent[-1]
        if n_bytes > COMPACT_EVERY_BYTES:
            n_bytes = 0
            yield _placed(_compaction(chance, lines, recent[0]), parent_id, recent)
            parent_id = recent[-1]


def _placed(body: Body, parent_id: str | None, recent: deque[str]) -> Body:
    number = int(recent[-1], 16) + 1 if recent else 1
    recent.append(f"{number:08x}")
    moment = (
        f"2026-01-{number // 80000 % 28 + 1:02}T{number // 3600 % 24:02}:{number // 60 % 60:02}"
    )
    place = {
        "id": recent[-1],
        "parentId": parent_id,
        "timestamp": f"{moment}:{number % 60:02}.000Z",
    }
    return {"type": body["type"], **place, **body}


def _turn(
    chance: Random, lines: list[str], prose: list[str], number: int
) -> Iterator[tuple[Body, int]]:
    """Yield a turn's entries without their places, each with what it adds to the window."""
    request = _request(chance)
    if number % 12 == 1:
        request += ". " + RULES[number // 12 % len(RULES)]
    yield _message({"role": "user", "content": [{"type": "text", "text": request}]}), len(request)
    for step in range(chance.randint(3, 16)):
        thinking = _text(chance, prose, 1500)
        call = _call(chance, f"call_{number}_{step}")
        blocks: list[object] = [
            {"type": "thinking", "thinking": thinking, "thinkingSignature": "s" * 200}
        ]
        blocks += [{"type": "text", "text": _text(chance, prose, 400)}, call]
        yield _reply(blocks, "toolUse"), len(thinking) + 600
        output = _text(chance, lines, 20_000)
        yield _result(call, [{"type": "text", "text": output}], output[:900]), len(output)
        if chance.random() < IMAGE_SHARE:
            image = {
                "type": "image",
                "mimeType": "image/png",
                "data": "iVBORw0K" * (IMAGE_CHARS // 8),
            }
            yield _result(call, [image], ""), 4800
    report = f"{_text(chance, prose, 600)}\n{chance.choice(output.splitlines())}"
    yield _reply([{"type": "text", "text": report}], "stop"), 600
    if number % 40 == 0:
        yield {"type": "label", "targetId": "00000001", "label": f"turn {number}"}, 0


def _request(chance: Random) -> str:
    """Return what a user types: mostly short, half of it without a full stop."""
    subject, verb, number = chance.choice(SUBJECTS), chance.choice(VERBS), chance.randint(2, 999)
    other = chance.choice(SUBJECTS)
    return chance.choice(
        (
            f"{verb} the {subject}",
            f"{verb} the {subject}, then run the tests",
            f"why is the {subject} read before the {other}?",
            f"the {subject} still fails for {number} rows. {verb} it",
            f"ok. now the {other}: same as the {subject}, but with {number} as the limit",
            "go on",
        )
    )


def _call(chance: Random, call_id: str) -> Body:
    file = f"src/{chance.choice(SUBJECTS)}_{chance.randint(1, 60)}.py"
    name, arguments = chance.choice(
        (
            (
                "bash",
                {"command": f"python -m pytest -q tests/{chance.choice(SUBJECTS)}", "timeout": 60},
            ),
            ("bash", {"command": f"git commit -am '{chance.choice(VERBS)} it'"}),
            ("read", {"path": file, "offset": 1, "limit": 200}),
            ("edit", {"path": file, "edits": [{"oldText": "a\n" * 20, "newText": "b\n" * 30}]}),
        )
    )
    return {"type": "toolCall", "id": call_id, "name": name, "arguments": arguments}


def _message(message: Body) -> Body:
    return {"type": "message", "message": {**message, "timestamp": 1767225600000}}


def _reply(blocks: list[object], stop_reason: str) -> Body:
    cost: Body = {
        "input": 0.003,
        "output": 0.01,
        "cacheRead": 0.001,
        "cacheWrite": 0,
        "total": 0.014,
    }
    usage = {
        "input": 900,
        "output": 300,
        "cacheRead": 90000,
        "cacheWrite": 0,
        "totalTokens": 91200,
    }
    model = {"api": "anthropic-messages", "provider": "anthropic", "model": "scripted-1"}
    reply = {"role": "assistant", "content": blocks, **model, "usage": usage | {"cost": cost}}
    return _message({**reply, "stopReason": stop_reason})


def _result(call: Body, content: list[object], shown: str) -> Body:
    answer = {"role": "toolResult", "toolCallId": call["id"], "toolName": call["name"]}
    return _message({**answer, "content": content, "details": {"shown": shown}, "isError": False})


def _compaction(chance: Random, lines: list[str], kept: str) -> Body:
    summary = "## Goal\n" + _text(chance, lines, 6000)
    files = {"readFiles": ["src/cache_1.py"], "modifiedFiles": ["src/index_2.py"]}
    cut = {"firstKeptEntryId": kept, "tokensBefore": 180_000}
    return {"type": "compaction", "summary": summary, **cut, "details": files}


def _text(chance: Random, lines: list[str], at_most_chars: int) -> str:
    """Return lines, mostly few: their number is as likely below the square root of all as above."""
    n_lines = max(1, round((at_most_chars / 60) ** chance.random()))
    text = "\n".join(chance.choices(lines, k=n_lines))
    if chance.random() < MARKED_SHARE:
        text += " " + chance.choices(MARKS, (4, 4, 4, 1))[0]
    return text


def _sentence(chance: Random) -> str:
    """Return what a model says of its work: mostly words, now and then a number."""
    subject, verb, number = chance.choice(SUBJECTS), chance.choice(VERBS), chance.randint(2, 9999)
    kinds = (
        f"I'll {verb} the {subject} before the {chance.choice(SUBJECTS)} is read.",
        f"The {subject} looks right now, so next I {verb} what depends on it.",
        f"That took {number} ms for {number % 97} calls of `{verb}_{subject}`.",
    )
    return chance.choices(kinds, (45, 45, 10))[0]


def _line(chance: Random) -> str:
    """Return a line as tools print it: code most of all, then prose, test runs, logs and hashes."""
    subject, verb, number = chance.choice(SUBJECTS), chance.choice(VERBS), chance.randint(1, 9999)
    other = chance.choice(SUBJECTS)
    kinds = (
        f'{" " * 4 * chance.randint(0, 4)}{subject}.{verb}({other}[{number % 9}], "{subject}")',
        f"It should {verb} the {subject} before the {other} is read, or nothing is there yet.",
        f"tests/test_{subject}.py::test_{verb}_the_{other} PASSED [{number % 100:3}%]",
        f'{{"level": "info", "msg": "{verb} {subject}", "ms": {number}}}',
        f"{number * 7919 % 2**28:07x} {verb.capitalize()} the {subject}",
    )
    return chance.choices(kinds, (60, 20, 12, 6, 2))[0]
