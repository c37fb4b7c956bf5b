"""A scripted OpenAI-compatible model on loopback: says what a test tells it, keeps what it got."""

import json
import math
import select
import socket
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from types import TracebackType
from typing import Any

from tests.pi.loopback import LoopbackServer

SUMMARY = "## Goal\nWhat the scripted model says when pi asks it for a summary.\n"
"""The answer to every summary request of pi's own compaction."""

NO_CHANGES = '{"rules": [], "lifts": [], "oneOffs": [], "values": [], "narrative": []}'
"""The answer to Longhaul's own call, unless a test scripts another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One assistant message of the script, or an error in its place."""

    text: str = ""
    tools: tuple[tuple[str, Mapping[str, object]], ...] = ()
    """Tool name and arguments of each call."""
    prompt_tokens: int | None = None
    """What the usage says the prompt took; None counts four characters to a token."""
    error: str = ""
    """Sent instead of a message."""
    status: int = 400
    """What the error is sent with."""
    finish: str = ""
    """Why the message ends; empty where that follows from its tool calls."""
    hangs: bool = False
    """Nothing is sent until the server ends."""


@dataclass(slots=True)
class _Script:
    replies: deque[Reply]
    requests: list[dict[str, Any]] = field(default_factory=list)
    summary_requests: list[dict[str, Any]] = field(default_factory=list)
    call_replies: deque[Reply] = field(default_factory=deque)
    call_requests: list[dict[str, Any]] = field(default_factory=list)
    n_given_up: int = 0
    is_ending: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, request: dict[str, Any]) -> Reply:
        """Note a request and return what it is answered with."""
        if is_summary_request(request):
            self.summary_requests.append(request)
            return Reply(text=SUMMARY)
        with self.lock:
            if is_call(request):
                self.call_requests.append(request)
                return self.call_replies.popleft() if self.call_replies else Reply(text=NO_CHANGES)
            self.requests.append(request)
            return self.replies.popleft() if self.replies else Reply(text="Done.")

    def hang(self, connection: socket.socket) -> None:
        """Wait until the server ends, or pi closes the connection, which is an OSError."""
        while not self.is_ending.is_set():
            if select.select([connection], [], [], 0.02)[0]:
                self.n_given_up += 1
                raise ConnectionAbortedError


class ScriptedServer(LoopbackServer):
    """Serves `/v1/chat/completions` while its `with` block is open."""

    def __init__(self, replies: Iterable[Reply] = ()) -> None:
        self._script = _Script(deque(replies))
        super().__init__(_handler(self._script))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._script.is_ending.set()
        super().__exit__(kind, error, trace)

    @property
    def requests(self) -> list[dict[str, Any]]:
        """What the session itself asked."""
        return self._script.requests

    @property
    def summary_requests(self) -> list[dict[str, Any]]:
        """What pi's own compaction asked."""
        return self._script.summary_requests

    @property
    def call_requests(self) -> list[dict[str, Any]]:
        """What Longhaul asked through pi."""
        return self._script.call_requests

    @property
    def n_given_up(self) -> int:
        """How many hanging requests pi has closed the connection of."""
        return self._script.n_given_up

    def script_calls(self, *replies: Reply) -> None:
        """Append answers to Longhaul's own calls; after the last one nothing has changed."""
        self._script.call_replies.extend(replies)

    def script(self, *replies: Reply) -> None:
        """Append replies; after the last one every message is `Done.`."""
        self._script.replies.extend(replies)


def is_summary_request(request: Mapping[str, Any]) -> bool:
    """Say whether pi's own compaction sent this, rather than the session."""
    return "context summarization assistant" in json.dumps(request["messages"][:1])


def is_call(request: Mapping[str, Any]) -> bool:
    """Say whether Longhaul sent this: the session itself always declares its tools."""
    return not request.get("tools") and not is_summary_request(request)


def text_of(request: Mapping[str, Any]) -> str:
    """Return all message text of a request."""
    return "\n".join(_texts(request["messages"]))


def _texts(messages: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for message in messages:
        content = message.get("content") or ""
        if isinstance(content, str):
            yield content
        else:
            yield from (part.get("text", "") for part in content)


def _handler(script: _Script) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            request = json.loads(body)
            reply = script.answer(request)
            try:
                if reply.hangs:
                    script.hang(self.connection)
                self._send(reply, request)
            except OSError:
                # pi has closed the connection: an abort.
                self.close_connection = True

        def _send(self, reply: Reply, request: Mapping[str, Any]) -> None:
            data = _error(reply.error) if reply.error else _stream(reply, request)
            self.send_response(reply.status if reply.error else 200)
            kind = "application/json" if reply.error else "text/event-stream"
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: object) -> None:
            """Say nothing on stderr."""

    return Handler


def _error(message: str) -> bytes:
    return json.dumps({"error": {"message": message, "type": "invalid_request_error"}}).encode()


def _stream(reply: Reply, request: Mapping[str, Any]) -> bytes:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": reply.text}]
    deltas += [_call(index, *tool) for index, tool in enumerate(reply.tools)]
    chunks = [_chunk({"index": 0, "delta": delta, "finish_reason": None}) for delta in deltas]
    finish = reply.finish or ("tool_calls" if reply.tools else "stop")
    chunks.append(_chunk({"index": 0, "delta": {}, "finish_reason": finish}))
    chunks.append(_chunk(None, usage=_usage(reply, request)))
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return ("".join(lines) + "data: [DONE]\n\n").encode()


def _call(index: int, name: str, arguments: Mapping[str, object]) -> dict[str, Any]:
    # Two calls of one session must not share an id.
    call_id = f"call_{time.monotonic_ns()}_{index}"
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"index": index, "id": call_id, "type": "function", "function": function}
    return {"tool_calls": [call]}


def _chunk(choice: dict[str, Any] | None, **more: object) -> dict[str, Any]:
    choices = [] if choice is None else [choice]
    head = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
    return {**head, "choices": choices, **more}


def _usage(reply: Reply, request: Mapping[str, Any]) -> dict[str, int]:
    asked = len(json.dumps(request["messages"])) + len(json.dumps(request.get("tools", [])))
    prompt = math.ceil(asked / 4) if reply.prompt_tokens is None else reply.prompt_tokens
    said = math.ceil((len(reply.text) + len(json.dumps(reply.tools))) / 4)
    return {"prompt_tokens": prompt, "completion_tokens": said, "total_tokens": prompt + said}
