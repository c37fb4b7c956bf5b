"""A base URL on this machine that pi asks like any provider's; what answers runs in this process.

So any model can stand behind pi, and its key never reaches pi.
"""

import secrets
import sys
import threading
from http.server import ThreadingHTTPServer
from types import TracebackType
from typing import Self

from longhaul.pi.chat import Answer
from longhaul.pi.chat_server import KEEP_ALIVE_S, chat_handler
from longhaul.transcript.entries import JsonValue

_HOST = "127.0.0.1"
_POLL_S = 0.05


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # A reply that is still awaited at the end is not waited for.
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a connection that breaks: it is pi giving up on its request."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class LoopbackEndpoint:
    """Answers OpenAI's chat completions on a port of loopback while its `with` block is open.

    Every user and page of this machine can reach that port, so only who bears `key` is answered.
    """

    def __init__(self, answer: Answer, *, keep_alive_s: float = KEEP_ALIVE_S) -> None:
        """Answer with `answer`, called in a thread for each request; it may raise LonghaulError."""
        self.key = secrets.token_urlsafe()
        """What pi gives as its API key; it is worth nothing once the block is left."""
        handler = chat_handler(answer, key=self.key, keep_alive_s=keep_alive_s)
        self._server = _Server((_HOST, 0), handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(_POLL_S,), daemon=True
        )

    @property
    def base_url(self) -> str:
        """What pi calls `baseUrl`."""
        return f"http://{_HOST}:{self._server.server_address[1]}/v1"

    def provider(self, model: dict[str, JsonValue]) -> dict[str, JsonValue]:
        """Return this endpoint as a provider of pi's `models.json`, with one `model` of it."""
        return {
            "baseUrl": self.base_url,
            "api": "openai-completions",
            "apiKey": self.key,
            "models": [model],
        }

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
