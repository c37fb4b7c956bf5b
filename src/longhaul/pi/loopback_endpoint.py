"""A base URL on this machine that pi asks like any provider's; what answers runs in this process.

So any model can stand behind pi, and its key never reaches pi.
"""

import secrets
from http.server import HTTPServer

from longhaul.pi.chat import Answer
from longhaul.pi.chat_server import KEEP_ALIVE_S, QuietServer, ServedChat, chat_handler
from longhaul.transcript.entries import JsonValue

_HOST = "127.0.0.1"


class _Server(QuietServer, HTTPServer):
    pass


class LoopbackEndpoint(ServedChat):
    """Answers OpenAI's chat completions on a port of loopback while its `with` block is open.

    Every user and page of this machine can reach that port, so only who bears `key` is answered.
    """

    def __init__(self, answer: Answer, *, keep_alive_s: float = KEEP_ALIVE_S) -> None:
        """Answer with `answer`, called in a thread for each request; it may raise LonghaulError."""
        self.key = secrets.token_urlsafe()
        """What pi gives as its API key; it is worth nothing once the block is left."""
        handler = chat_handler(answer, key=self.key, keep_alive_s=keep_alive_s)
        server = _Server((_HOST, 0), handler)
        super().__init__(server)
        self._port = server.server_port

    @property
    def base_url(self) -> str:
        """What pi calls `baseUrl`."""
        return f"http://{_HOST}:{self._port}/v1"

    def provider(self, model: dict[str, JsonValue]) -> dict[str, JsonValue]:
        """Return this endpoint as a provider of pi's `models.json`, with one `model` of it."""
        return {
            "baseUrl": self.base_url,
            "api": "openai-completions",
            "apiKey": self.key,
            "models": [model],
        }
