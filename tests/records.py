"""Builders of session records as pi writes them, for tests that need a file."""

from collections.abc import Iterable
from pathlib import Path

from longhaul.transcript.entries import JsonValue
from tests.strategies import Record, dump_lines

HEADER: Record = {"type": "session", "version": 3, "id": "s", "cwd": "/p"}


def said(role: str, /, **fields: JsonValue) -> Record:
    return {"type": "message", "message": {"role": role, "timestamp": 1, **fields}}


def asked(text: JsonValue) -> Record:
    return said("user", content=text)


def replied(
    text: str, *calls: JsonValue, usage: JsonValue = None, stop: str = "stop", **fields: JsonValue
) -> Record:
    blocks: list[JsonValue] = [{"type": "text", "text": text}, *calls]
    return said("assistant", content=blocks, usage=usage, stopReason=stop, **fields)


def called(tool: str, **arguments: JsonValue) -> Record:
    return {"type": "toolCall", "id": "c", "name": tool, "arguments": arguments}


def answered(text: str, **fields: JsonValue) -> Record:
    content: JsonValue = [{"type": "text", "text": text}]
    return said("toolResult", toolCallId="c", toolName="bash", content=content, **fields)


def compacted(first_kept: str, summary: str = "so far", **fields: JsonValue) -> Record:
    record: Record = {"type": "compaction", "summary": summary, "firstKeptEntryId": first_kept}
    return {**record, "tokensBefore": 10, **fields}


def edited(target: str, replacement: JsonValue = None) -> Record:
    new: JsonValue = None if replacement is None else {"content": replacement}
    return {"type": "context_edit", "targetId": target, "replacement": new}


def chained(bodies: Iterable[Record]) -> list[JsonValue]:
    """Return a header and the bodies as entries `e1`, `e2`, …, each after the one before."""
    records: list[JsonValue] = [HEADER]
    parent: JsonValue = None
    for number, body in enumerate(bodies, 1):
        record = {"id": f"e{number}", "parentId": parent, "timestamp": "2026", **body}
        records.append(record)
        parent = record["id"]
    return records


def write_chain(file: Path, *bodies: Record) -> Path:
    """Write a session of chained entries; return the file."""
    file.write_bytes(dump_lines(chained(bodies)))
    return file
