"""The server answers in order, hears a cancellation meanwhile, and ends with its input."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from longhaul.pi.protocol import (
    CANCELLED,
    INTERNAL_ERROR,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    SESSION_UNREADABLE,
    Params,
    Request,
)
from longhaul.pi.serve import serve
from tests.pi.driving import PATIENCE_S
from tests.pi.sessions import GOAL, RULE, SESSION_ID, write_session

COMMAND = (sys.executable, "-I", "-m", "longhaul.cli.serve")


class Client:
    """The other end of a server that runs in a thread of the test."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self._requests = requests
        self._answers = answers

    def send(self, method: str, request_id: int | None = None, **params: object) -> None:
        message = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
        self.send_line(json.dumps(message).encode())

    def send_line(self, line: bytes) -> None:
        self._requests.write(line + b"\n")
        self._requests.flush()

    def receive(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self._answers.readline())
        return answer

    def close(self) -> None:
        self._requests.close()


released = threading.Event()


def answer(request: Request) -> Params:
    """Echo a request; `wait` blocks until the test releases it, `break` fails."""
    if request.method == "wait":
        released.wait(10)
    if request.method == "break":
        raise KeyError("lost")
    return {"echo": dict(request.params)}


@pytest.fixture
def client() -> Iterator[Client]:
    released.clear()
    from_client, to_server = os.pipe()
    from_server, to_client = os.pipe()
    with (
        os.fdopen(from_client, "rb") as stdin,
        os.fdopen(to_client, "wb") as stdout,
        os.fdopen(to_server, "wb") as requests,
        os.fdopen(from_server, "rb") as answers,
    ):
        thread = threading.Thread(target=serve, args=(stdin, stdout, lambda _calls: answer))
        thread.start()
        yield Client(requests, answers)
        released.set()
        requests.close()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def test_requests_are_answered_in_order(client: Client) -> None:
    client.send("a", 1, x=1)
    client.send("b", 2, x=2)
    assert client.receive() == {"jsonrpc": "2.0", "id": 1, "result": {"echo": {"x": 1}}}
    assert client.receive() == {"jsonrpc": "2.0", "id": 2, "result": {"echo": {"x": 2}}}


def test_a_failure_is_an_answer_and_the_server_goes_on(client: Client) -> None:
    client.send_line(b"garbage")
    client.send("break", 2)
    client.send("a", 3)
    assert client.receive()["error"]["code"] == PARSE_ERROR
    error = client.receive()["error"]
    assert error == {"code": INTERNAL_ERROR, "message": "KeyError: 'lost'"}
    assert client.receive()["id"] == 3


def test_the_handshake_does_not_wait_for_a_request_that_works(client: Client) -> None:
    client.send("wait", 1)
    client.send("hello", 2, protocol=2)
    assert client.receive()["result"]["protocol"] == 2
    released.set()
    assert client.receive()["id"] == 1


def test_a_cancelled_request_that_waits_is_not_begun(client: Client) -> None:
    client.send("wait", 1)
    client.send("a", 2)
    client.send("cancel", None, id=2)
    client.send("cancel", None)
    assert client.receive()["error"]["message"] == "cancel: expected an id"
    released.set()
    assert client.receive()["id"] == 1
    assert client.receive()["error"]["code"] == CANCELLED


def test_a_cancellation_of_what_was_never_asked_stays_without_effect(client: Client) -> None:
    client.send("cancel", None, id=2)
    client.send("a", 1)
    client.send("cancel", None, id=True)
    client.send("a", 2, x=2)
    answers = [client.receive() for _ in range(3)]
    assert [one["error"]["message"] for one in answers if "error" in one] == [
        "cancel: expected an id"
    ]
    assert [one["result"] for one in answers if "result" in one] == [
        {"echo": {}},
        {"echo": {"x": 2}},
    ]


def test_notifications_and_blank_lines_get_no_answer(client: Client) -> None:
    client.send("a")
    client.send_line(b"")
    client.send("a", 2)
    assert client.receive()["id"] == 2


def test_shutdown_ends_it(client: Client) -> None:
    client.send("a", 1)
    client.send("shutdown")
    assert client.receive()["id"] == 1


def ask(
    *requests: tuple[str, dict[str, object]], agent_dir: Path | None = None
) -> list[dict[str, Any]]:
    """Send requests to a real server process and return its answers."""
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        for number, (method, params) in enumerate(requests, start=1)
    ]
    result = subprocess.run(
        COMMAND,
        input="\n".join(lines) + "\n",
        env={**os.environ, "PI_CODING_AGENT_DIR": str(agent_dir or "/nowhere")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stderr == ""
    return [json.loads(line) for line in result.stdout.splitlines()]


def question(session: Path, leaf: int = 16, kept: int = 13) -> dict[str, object]:
    return {
        "sessionId": SESSION_ID,
        "sessionFile": str(session),
        "leafId": f"{leaf:08x}",
        "contextWindow": 24_000,
        "firstKeptEntryId": f"{kept:08x}",
        "tokensBefore": 999,
        "instructions": "",
    }


def test_the_process_compacts_and_shows_a_session(tmp_path: Path) -> None:
    session = write_session(tmp_path / "s.jsonl", cwd=tmp_path)
    # Nobody answers a call of the server's here.
    (tmp_path / "longhaul.json").write_text('{"mode": "offline"}', encoding="utf-8")
    before = session.read_bytes()
    hello, compacted, again, shown = ask(
        ("hello", {"protocol": 2}),
        ("compact", question(session)),
        ("compact", question(session)),
        ("show", question(session)),
        agent_dir=tmp_path,
    )
    assert hello["result"]["protocol"] == 2
    result = compacted["result"]
    assert (result["sessionId"], result["leafId"]) == (SESSION_ID, "00000010")
    assert (result["firstKeptEntryId"], result["tokensBefore"]) == ("0000000d", 999)
    assert GOAL in result["summary"]
    assert RULE in result["summary"]
    assert result["notice"].startswith("kept 1 rule, ")
    assert again["result"] == result
    assert RULE in shown["result"]["text"]
    assert session.read_bytes() == before


def test_a_file_that_does_not_hold_the_path_is_refused(tmp_path: Path) -> None:
    session = write_session(tmp_path / "s.jsonl", cwd=tmp_path)
    answers = ask(
        ("compact", question(tmp_path / "none.jsonl")),
        ("compact", question(tmp_path)),
        ("compact", question(session, leaf=99)),
        ("compact", {**question(session), "sessionId": "another"}),
    )
    assert [answer["error"]["code"] for answer in answers] == [SESSION_UNREADABLE] * 4


def test_an_unknown_method_is_refused() -> None:
    (refused,) = ask(("forget", {}))
    assert refused["error"] == {"code": METHOD_NOT_FOUND, "message": "no method 'forget'"}


@pytest.mark.parametrize("body", ["time.sleep(600)", "sum(1 for _ in iter(int, 1))"])
def test_the_process_ends_with_its_input_though_a_request_hangs(body: str) -> None:
    code = f"""
import os, sys, time
from longhaul.pi.serve import serve
serve(sys.stdin.buffer, sys.stdout.buffer, lambda calls: lambda request: {body})
os._exit(0)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "a", "params": {}}\n')
        process.stdin.flush()
        time.sleep(0.3)
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0
