"""Session files made for a test: what pi would have written, without running it."""

import json
from collections.abc import Iterator
from pathlib import Path

GOAL = "Build tidecsv, a csv toolkit in Python."
RULE = "Never use pandas in this project."
TIME = "2026-01-02T03:04:05.000Z"
TIME_MS = 1_767_323_045_000
USAGE = {
    "input": 0,
    "output": 0,
    "cacheRead": 0,
    "cacheWrite": 0,
    "totalTokens": 0,
    "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0},
}
SESSION_ID = "0198c0de-0000-7000-8000-000000000001"


def write_session(session: Path, *, cwd: Path, n_turns: int = 4, result_chars: int = 400) -> Path:
    """Write a session of `n_turns` turns, each with one `read` and its result; returns its path."""
    with session.open("w", encoding="utf-8") as file:
        header = {"type": "session", "version": 3, "id": SESSION_ID, "timestamp": TIME}
        file.write(json.dumps({**header, "cwd": str(cwd)}) + "\n")
        parent: str | None = None
        for number, message in enumerate(_messages(n_turns, result_chars), start=1):
            entry = {"type": "message", "id": f"{number:08x}", "parentId": parent}
            file.write(json.dumps({**entry, "timestamp": TIME, "message": message}) + "\n")
            parent = f"{number:08x}"
    return session


def _messages(n_turns: int, result_chars: int) -> Iterator[dict[str, object]]:
    for turn in range(1, n_turns + 1):
        opening = f"{GOAL} {RULE} " if turn == 1 else ""
        yield {"role": "user", "content": f"{opening}Write part {turn}.", "timestamp": TIME_MS}
        call = {"id": f"call_{turn}", "name": "read", "arguments": {"path": f"src/part{turn}.py"}}
        yield _assistant([{"type": "toolCall", **call}], "toolUse")
        text = f"part {turn} of the source\n" * (result_chars // 25 + 1)
        yield {
            "role": "toolResult",
            "toolCallId": f"call_{turn}",
            "toolName": "read",
            "content": [{"type": "text", "text": text}],
            "isError": False,
            "timestamp": TIME_MS,
        }
        yield _assistant([{"type": "text", "text": f"Part {turn} is written."}], "stop")


def _assistant(content: list[dict[str, object]], stop_reason: str) -> dict[str, object]:
    model = {"api": "openai-completions", "provider": "scripted", "model": "scripted"}
    rest = {"usage": USAGE, "stopReason": stop_reason, "timestamp": TIME_MS}
    return {"role": "assistant", "content": content, **model, **rest}
