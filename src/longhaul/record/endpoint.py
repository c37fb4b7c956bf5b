"""The one way out of the sandbox: a Unix socket that speaks OpenAI's chat completions.

Whoever answers runs outside, with its key; what pi sees is a base URL on its own loopback.
"""

import socketserver
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from longhaul.pi.chat import Answer
from longhaul.pi.chat_server import KEEP_ALIVE_S, chat_handler

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
        self._server = _Server(str(socket_file), chat_handler(answer, keep_alive_s=keep_alive_s))
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
