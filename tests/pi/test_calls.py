"""What the server asks the extension reaches the thread that works, or ends it in time."""

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from longhaul.pi.calls import Calls
from longhaul.pi.protocol import CANCELLED, ProtocolError, Response

LONG_S = 60
SHORT_S = 0.02


class Line:
    """The line to an extension that does `react` with each message; all of them are kept."""

    def __init__(self, react: Callable[[Calls, dict[str, Any]], None]) -> None:
        self.sent: list[dict[str, Any]] = []
        self.limits: list[float | None] = []
        self._react = react
        self.calls = Calls(self._receive, self.limits.append)
        self.calls.begin(7)

    def _receive(self, line: bytes) -> None:
        message = json.loads(line)
        self.sent.append(message)
        # As in the server, another thread than the one that waits.
        threading.Thread(target=self._react, args=(self.calls, message)).start()


def say_nothing(_calls: Calls, _message: dict[str, Any]) -> None:
    pass


def reply(calls: Calls, message: dict[str, Any]) -> None:
    if "id" in message:
        calls.receive(Response(id="s999", result={"text": "another's"}))
        calls.receive(Response(id=message["id"], result={"text": message["params"]["x"]}))


def test_an_answer_reaches_the_call_it_is_for() -> None:
    line = Line(reply)
    answers = [line.calls.ask("complete", {"x": x}, timeout_s=LONG_S) for x in (1, 2)]
    assert answers == [
        Response(id="s1", result={"text": 1}),
        Response(id="s2", result={"text": 2}),
    ]
    assert line.sent == [
        {"jsonrpc": "2.0", "id": "s1", "method": "complete", "params": {"request": 7, "x": 1}},
        {"jsonrpc": "2.0", "id": "s2", "method": "complete", "params": {"request": 7, "x": 2}},
    ]


def test_an_answer_to_nothing_is_not_kept_for_the_next_call() -> None:
    line = Line(say_nothing)
    line.calls.receive(Response(id="", result={"text": "early"}))
    assert line.calls.ask("complete", {}, timeout_s=SHORT_S) is None


def test_a_call_that_is_too_late_is_cancelled_and_its_answer_dropped() -> None:
    line = Line(say_nothing)
    assert line.calls.ask("complete", {}, timeout_s=SHORT_S) is None
    assert line.sent[1] == {"jsonrpc": "2.0", "method": "cancel", "params": {"id": "s1"}}
    line.calls.receive(Response(id="s1", result={"text": "late"}))
    assert line.calls.ask("complete", {}, timeout_s=SHORT_S) is None


@pytest.mark.parametrize(
    "strike", [lambda calls: calls.cancel(7), lambda calls: calls.close()], ids=["cancel", "close"]
)
def test_a_call_ends_with_what_it_is_for(strike: Callable[[Calls], None]) -> None:
    line = Line(lambda calls, _message: strike(calls))
    with pytest.raises(ProtocolError) as caught:
        line.calls.ask("complete", {}, timeout_s=LONG_S)
    assert caught.value.code == CANCELLED
    with pytest.raises(ProtocolError):
        line.calls.ask("complete", {}, timeout_s=LONG_S)


def test_only_the_request_worked_on_is_cancelled_and_only_once() -> None:
    line = Line(reply)
    line.calls.cancel(6)
    assert line.calls.ask("complete", {"x": 1}, timeout_s=LONG_S)
    line.calls.cancel(7)
    line.calls.end()
    line.calls.cancel(8)
    line.calls.begin(8)
    assert line.calls.ask("complete", {"x": 1}, timeout_s=LONG_S)


def test_a_longer_limit_is_said_to_the_extension_and_to_the_process() -> None:
    line = Line(say_nothing)
    line.calls.allow(140)
    line.calls.allow(None)
    assert line.limits == [140, None]
    assert [message["params"] for message in line.sent] == [
        {"request": 7, "milliseconds": 140_000},
        {"request": 7, "milliseconds": None},
    ]
    assert {message["method"] for message in line.sent} == {"deadline"}
