"""A server on loopback that speaks the providers' APIs from a script."""

import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

CHAT = "/v1/chat/completions"
AT_ONCE = {"retry-after-ms": "1"}
"""Headers that let a client try again without a pause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the server does with one request."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    fault: Literal["none", "hang", "cut"] = "none"
    """`hang`: nothing is sent until the server ends; `cut`: the connection ends halfway."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A request as it arrived."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass(slots=True)
class ApiServer:
    """The running server, and what it was asked."""

    port: int
    seen: list[Seen] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def json_answer(
    value: object, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> Answer:
    body = json.dumps(value).encode()
    return Answer(
        status=status, body=body, headers={"content-type": "application/json", **(headers or {})}
    )


def failure(status: int, message: str, *, headers: Mapping[str, str] | None = None) -> Answer:
    error = {"message": message, "type": "error", "code": None, "status": "FAILED"}
    return json_answer({"error": error}, status=status, headers=headers)


def chat(text: str | None, *, finish: str = "stop", refusal: str | None = None) -> Answer:
    """Return a completion as OpenAI's Chat Completions API gives it."""
    message = {"role": "assistant", "content": text, "refusal": refusal}
    return json_answer(
        {
            "id": "c1",
            "object": "chat.completion",
            "created": 1,
            "model": "m-1",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {
                "prompt_tokens": 30,
                "completion_tokens": 7,
                "total_tokens": 37,
                "prompt_tokens_details": {"cached_tokens": 20},
            },
        }
    )


def response(text: str, *, incomplete: str | None = None, refusal: str | None = None) -> Answer:
    """Return a response as OpenAI's Responses API gives it."""
    content = (
        {"type": "refusal", "refusal": refusal}
        if refusal
        else {"type": "output_text", "text": text, "annotations": []}
    )
    return json_answer(
        {
            "id": "r1",
            "object": "response",
            "created_at": 1,
            "model": "m-1",
            "status": "incomplete" if incomplete else "completed",
            "incomplete_details": {"reason": incomplete} if incomplete else None,
            "output": [
                {
                    "id": "o1",
                    "type": "message",
                    "role": "assistant",
                    "status": "completed",
                    "content": [content],
                }
            ],
            "parallel_tool_calls": False,
            "tool_choice": "auto",
            "tools": [],
            "usage": {
                "input_tokens": 30,
                "output_tokens": 7,
                "total_tokens": 37,
                "input_tokens_details": {"cached_tokens": 20},
                "output_tokens_details": {"reasoning_tokens": 0},
            },
        }
    )


def message(text: str, *, stop: str = "end_turn") -> Answer:
    """Return a message as Anthropic's API gives it."""
    return json_answer(
        {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "model": "m-1",
            "content": [{"type": "text", "text": text}],
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 7, "cache_read_input_tokens": 20},
        }
    )


def generated(text: str, *, finish: str = "STOP") -> Answer:
    """Return generated content as Google's API gives it."""
    return json_answer(
        {
            "candidates": [
                {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": finish}
            ],
            "modelVersion": "m-1",
            "responseId": "g1",
            "usageMetadata": {
                "promptTokenCount": 30,
                "candidatesTokenCount": 7,
                "totalTokenCount": 37,
                "cachedContentTokenCount": 20,
            },
        }
    )


@contextmanager
def serving(answers: Iterable[Answer]) -> Iterator[ApiServer]:
    """Run a server on a free port that gives `answers` in their order, each once."""
    left = iter(answers)
    ended = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            api.seen.append(Seen(path=self.path, headers=headers, body=json.loads(data)))
            give(self, next(left, failure(400, "the test's server has no answer left")))

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    def give(handler: Handler, answer: Answer) -> None:
        if answer.fault == "hang":
            ended.wait()
            handler.close_connection = True
            return
        handler.send_response(answer.status)
        for name, value in answer.headers.items():
            handler.send_header(name, value)
        handler.send_header("content-length", str(len(answer.body)))
        handler.end_headers()
        is_cut = answer.fault == "cut"
        handler.wfile.write(answer.body[: len(answer.body) // 2] if is_cut else answer.body)
        handler.close_connection = is_cut

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        api = ApiServer(port=server.server_port)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield api
        finally:
            ended.set()
            server.shutdown()
            thread.join()
