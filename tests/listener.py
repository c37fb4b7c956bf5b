"""A model elsewhere that only listens: what is kept on this machine must never reach it."""

import contextlib
import socket
import threading
from typing import Self


class Listener:
    """A socket that a model elsewhere would listen at; keeps what it gets, and answers nothing.

    0.0.0.0 leads to this machine, but does not say that it does.
    """

    def __init__(self) -> None:
        self.received = b""
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://0.0.0.0:{self._socket.getsockname()[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                with connection:
                    self.received += b"connected: " + connection.recv(65_536)
