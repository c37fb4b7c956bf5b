"""The one way out of the sandbox: a Unix socket that speaks OpenAI's chat completions.

Whoever answers runs outside, with its key; what pi sees is a base URL on its own loopback.
"""

import contextlib
import socketserver
import sys
import threading
from collections.abc import Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import TracebackType
from typing import Self

from longhaul.errors import LonghaulError
from longhaul.record.chat import ChatError, ChatRequest, parse_chat, render_error, render_stream
from longhaul.record.sources import Answer

_PATH = "/v1/chat/completions"
_MAX_BODY_BYTES = 200_000_000
KEEP_ALIVE_S = 10.0
"""Between signs of life while a reply is awaited: pi's client gives up on a silent connection."""
_KEEP_ALIVE = b": the reply is awaited\n\n"
_POLL_S = 0.05


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    # A reply that is still awaited when the recording ends is not waited for.
    block_on_close = False
    request_queue_size = 32

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a connection that breaks: it is pi giving up on its request."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class Endpoint:
    """Answers pi on a Unix socket while its `with` block is open."""

    def __init__(
        self, socket_file: Path, answer: Answer, *, keep_alive_s: float = KEEP_ALIVE_S
    ) -> None:
        """Listen at `socket_file`, a path of at most 100 bytes in a folder of its own."""
        self._server = _Server(str(socket_file), _handler(answer, keep_alive_s))
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(_POLL_S,), daemon=True
        )

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


def _handler(answer: Answer, keep_alive_s: float) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
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
            try:
                request = parse_chat(self.rfile.read(length))
            except ChatError as error:
                self.send_error(HTTPStatus.BAD_REQUEST, str(error))
                return
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()  # without a length: the reply ends with the connection
            for part in _stream(answer, request, keep_alive_s):
                self.wfile.write(part)
                self.wfile.flush()

        def address_string(self) -> str:
            return "sandbox"

        def log_message(self, *args: object) -> None:
            """Say nothing on stderr."""

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
