"""The one way out of the sandbox: a Unix socket that speaks OpenAI's chat completions.

Whoever answers runs outside, with its key; what pi sees is a base URL on its own loopback.
"""

from pathlib import Path
from socketserver import UnixStreamServer

from longhaul.pi.chat import Answer
from longhaul.pi.chat_server import KEEP_ALIVE_S, QuietServer, ServedChat, chat_handler


class _Server(QuietServer, UnixStreamServer):
    request_queue_size = 32


class Endpoint(ServedChat):
    """Answers pi on a Unix socket while its `with` block is open."""

    def __init__(
        self, socket_file: Path, answer: Answer, *, keep_alive_s: float = KEEP_ALIVE_S
    ) -> None:
        """Listen at `socket_file`, a path of at most 100 bytes in a folder of its own."""
        super().__init__(_Server(str(socket_file), chat_handler(answer, keep_alive_s=keep_alive_s)))
