"""Sessions that may be published, for tests that change one thing in them."""

from pathlib import Path

from longhaul.record.deny_list import DenyList
from longhaul.record.session_lines import Line, parse_line
from longhaul.record.session_rules import Expected
from longhaul.record.session_secrets import SecretScanner, open_secret_scanner
from longhaul.transcript.entries import JsonValue
from tests.records import replied
from tests.strategies import Record, dump_lines

LABEL = "scripted/scripted"
TIME = "2026-01-01T00:00:01.000Z"
SCANNER: SecretScanner = open_secret_scanner()

TOKEN = "ghp_" + "a1B2" * 9
"""Has the shape of a GitHub token, and is none."""


def answer(text: str, *calls: JsonValue, stop: str = "stop", **fields: JsonValue) -> Record:
    """Return an answer of the scripted model."""
    model: Record = {"provider": "scripted", "model": "scripted"}
    return replied(text, *calls, stop=stop, usage=None, **{**model, **fields})


def expected(*labels: str, deny: DenyList | None = None) -> Expected:
    return Expected(labels=labels or (LABEL,), deny=deny or DenyList(), scanner=SCANNER)


def header(name: str, **fields: JsonValue) -> Record:
    return {
        "type": "session",
        "version": 3,
        "id": "s",
        "timestamp": TIME,
        "cwd": f"/work/{name}",
        **fields,
    }


def entries(*bodies: Record) -> list[JsonValue]:
    """Return the bodies as entries `e1`, `e2`, …, each after the one before."""
    return [
        {"id": f"e{n}", "parentId": f"e{n - 1}" if n > 1 else None, "timestamp": TIME, **body}
        for n, body in enumerate(bodies, 1)
    ]


def save(folder: Path, name: str, *bodies: Record, **fields: JsonValue) -> Path:
    """Write session `name`, with `fields` in its header; return the file."""
    file = folder / f"{name}.jsonl"
    file.write_bytes(dump_lines([header(name, **fields), *entries(*bodies)]))
    return file


def line_of(record: JsonValue, number: int = 2) -> Line:
    return parse_line(dump_lines([record]), number)


def line_saying(text: str) -> Line:
    """Return a line whose one long string is `text`."""
    return line_of({"type": "custom", "timestamp": TIME, "data": {"text": text}})
