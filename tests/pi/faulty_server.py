"""A stand-in for `serve` that fails in one chosen way: `faulty_server.py FAULT [LOG]`.

It answers the handshake well, unless that is its fault. With LOG, a file where it notes each line
it gets, only the first compaction meets the fault, even if the server is started again.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Message = Mapping[str, Any]


def good_answer(params: Message) -> dict[str, Any]:
    """Return the fields of an answer that the extension accepts."""
    asked = ("sessionId", "leafId", "firstKeptEntryId", "tokensBefore")
    answer = {name: params[name] for name in asked}
    return {**answer, "summary": "A state.", "details": {}, "notice": "kept nothing"}


def result(request: Message, **fields: object) -> str:
    answer = {**good_answer(request["params"]), **fields}
    return json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": answer})


def recall(request: Message) -> str:
    """Return what was asked, without what says where the session is; `hang` does not answer."""
    asked = {name: request["params"].get(name) for name in ("query", "page", "around")}
    if asked["query"] == "hang":
        hang(request)
    hits = {"text": json.dumps(asked), "nHits": 3}
    return json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": hits})


def killed(_request: Message) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def hang(_request: Message) -> str:
    time.sleep(600)
    raise AssertionError


def refuse(request: Message, reason: str = "the state\x1b[31m is\nbroken") -> str:
    error = {"code": -32603, "message": reason}
    return json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error})


def flood(_request: Message) -> str:
    return "x" * 4_100_000


ANSWERS: Mapping[str, Callable[[Message], str]] = {
    "good": result,
    "killed": killed,
    "hang": hang,
    "refuse": refuse,
    "lament": lambda request: refuse(request, "alas " * 1000),
    "flood": flood,
    "garbage": lambda _request: "Segmentation fault (core dumped)",
    "list": lambda _request: "[1, 2, 3]",
    "no-result": lambda request: json.dumps({"jsonrpc": "2.0", "id": request["id"]}),
    "other-request": lambda request: result({**request, "id": request["id"] + 1000}),
    "other-session": lambda request: result(request, sessionId="another"),
    "other-leaf": lambda request: result(request, leafId="ffffffff"),
    "other-cut": lambda request: result(request, firstKeptEntryId="ffffffff"),
    "blank-summary": lambda request: result(request, summary=" \n"),
    "number-summary": lambda request: result(request, summary=7),
    "long-summary": lambda request: result(request, summary="x" * 400_001),
    "no-details": lambda request: result(request, details=None),
    "bad-usage": lambda request: result(request, usage={"input": 1}),
    "usage": lambda request: result(request, usage=json.loads(os.environ["TEST_USAGE"])),
}
PROTOCOLS = {"newer": 3, "older": 1}


def answer_line(fault: str, request: Message) -> str:
    """Return the line that answers one request."""
    if request["method"] == "recall":
        return recall(request)
    if request["method"] != "hello":
        return ANSWERS[fault](request)
    hello = {"protocol": PROTOCOLS.get(fault, 2), "version": "9.9.9"}
    return json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": hello})


def note(log: Path, line: str) -> bool:
    """Note a line; says whether a compaction was noted before."""
    before = log.read_text(encoding="utf-8") if log.exists() else ""
    log.write_text(before + line, encoding="utf-8")
    return '"method":"compact"' in before


def main(fault: str, log: Path | None = None) -> None:
    """Answer each line of stdin but the notifications."""
    if fault == "crash":
        sys.exit("ImportError: the package is damaged")
    for line in sys.stdin:
        is_over = log is not None and note(log, line)
        request = json.loads(line)
        if request["method"] != "cancel":
            answer = answer_line("good" if is_over else fault, request)
            sys.stdout.write(answer + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], *map(Path, sys.argv[2:]))
