"""An HTTP server on loopback that lives as long as a `with` block."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from longhaul.pi.chat_server import ServedChat


class LoopbackServer(ServedChat):
    """Serves on a free port while its `with` block is open."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        http.daemon_threads = True
        super().__init__(http)
        self._port = http.server_port

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"
