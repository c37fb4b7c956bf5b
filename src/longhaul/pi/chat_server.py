"""Answering pi's chat completions over HTTP, whatever carries the connection."""

import contextlib
import hmac
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from socketserver import BaseServer, ThreadingMixIn
from types import TracebackType
from typing import ClassVar, Self

from longhaul.errors import LonghaulError
from longhaul.pi.chat import Answer, ChatError, ChatRequest, parse_chat, render_error, render_stream

_PATH = "/v1/chat/completions"
_MAX_BODY_BYTES = 200_000_000
KEEP_ALIVE_S = 10.0
"""Between signs of life while a reply is awaited: pi's client gives up on a silent connection."""
_POLL_S = 0.05
_KEEP_ALIVE = b": the reply is awaited\n\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Service:
    """How the connections of one server are answered."""

    answer: Answer
    key: str
    keep_alive_s: float


class QuietServer(ThreadingMixIn, BaseServer):
    """Serves each connection in a thread of its own, and says nothing of one that breaks."""

    daemon_threads = True
    # A reply that is still awaited at the end is not waited for.
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a connection that breaks: it is pi giving up on its request."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class ServedChat:
    """A server that runs while its `with` block is open."""

    def __init__(self, server: BaseServer) -> None:
        """Take a server that listens already."""
        self._server = server
        self._thread = threading.Thread(target=server.serve_forever, args=(_POLL_S,), daemon=True)

    def __enter__(self) -> Self:
        """Begin to answer."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End at once, whatever is still being answered."""
        self._server.shutdown()
        self._server.server_close()


class _ChatHandler(BaseHTTPRequestHandler):
    service: ClassVar[_Service]

    def do_POST(self) -> None:
        # A connection that breaks is pi giving up on its request: an abort.
        with contextlib.suppress(OSError):
            self._answer()

    def _answer(self) -> None:
        given = self.headers.get("Content-Length") or ""
        length = int(given) if given.isdecimal() else 0
        if self.path != _PATH or not 0 < length <= _MAX_BODY_BYTES:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        if not self._bears_key():
            self.send_error(HTTPStatus.UNAUTHORIZED)
            return
        try:
            request = parse_chat(self.rfile.read(length))
        except ChatError as error:
            self.send_error(HTTPStatus.BAD_REQUEST, str(error))
            return
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()  # without a length: the reply ends with the connection
        for part in _stream(self.service.answer, request, self.service.keep_alive_s):
            self.wfile.write(part)
            self.wfile.flush()

    def _bears_key(self) -> bool:
        key = self.service.key
        borne = self.headers.get("Authorization") or ""
        return not key or hmac.compare_digest(borne.encode(), f"Bearer {key}".encode())

    def address_string(self) -> str:
        return "pi"

    def log_message(self, *args: object) -> None:
        """Say nothing on stderr."""


def chat_handler(
    answer: Answer, *, key: str = "", keep_alive_s: float = KEEP_ALIVE_S
) -> type[BaseHTTPRequestHandler]:
    """Return the class that answers each connection of a server with `answer`.

    Where a `key` is given, only requests that bear it are answered. An error of Longhaul's that
    `answer` raises ends the stream as an error, with its words.
    """

    class Handler(_ChatHandler):
        service = _Service(answer=answer, key=key, keep_alive_s=keep_alive_s)

    return Handler


def _stream(answer: Answer, request: ChatRequest, keep_alive_s: float) -> Iterator[bytes]:
    """Yield a reply as it is sent, with signs of life as long as it is awaited."""
    replies: list[Iterator[bytes]] = []

    def work() -> None:
        try:
            replies.append(render_stream(answer(request), request))
        except LonghaulError as error:
            replies.append(iter((render_error(str(error)),)))

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    worker.join(keep_alive_s)
    while worker.is_alive():
        yield _KEEP_ALIVE
        worker.join(keep_alive_s)
    yield from replies[0] if replies else (render_error("the answer could not be made"),)
