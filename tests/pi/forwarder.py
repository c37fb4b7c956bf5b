"""A loopback endpoint for pi whose compactions a real model answers, and its turns a script."""

import http.client
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from longhaul.pi.process import PiProcess
from tests.pi.loopback import LoopbackServer
from tests.pi.scripted_server import is_call, is_summary_request
from tests.pi.workspace import Workspace

PATIENCE_S = 1_800
"""How long a reply may take; whoever waits for it has deadlines of his own."""
RESERVE_TOKENS = 1_000
"""Little: a test says itself when to compact."""
MAX_DEADLINE_S = 600
"""The longest that a user can set for a model's reply."""
REPEATABLE = {"temperature": 0, "cache_prompt": False}
"""Makes an answer the same each time, and its time one that does not hang on earlier requests."""
_CHUNK_BYTES = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request that the model answered, and what it took."""

    asked_by: Literal["longhaul", "pi"]
    text: str
    finish: str
    """`stop`, or `length` where the output limit cut the reply."""
    tokens_in: int
    tokens_out: int
    started_s: float
    """On the clock that only measures differences, as is `ended_s`."""
    ended_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What pi knows of its model, and how much of a session it keeps verbatim."""

    window_tokens: int
    max_output_tokens: int
    keep_recent_tokens: int


class Forwarder(LoopbackServer):
    """Passes requests on while its `with` block is open, each whole and in its own time.

    What a compaction asks, Longhaul's or pi's own, goes to the server of a real model; everything
    else to the scripted one.
    """

    def __init__(self, *, model: str, script: str) -> None:
        """`model` and `script` are addresses."""
        self.exchanges: list[Exchange] = []
        """The requests that the model has answered, in the order of their ends."""
        self._addresses = {True: model, False: script}
        super().__init__(_handler(self))

    def forward(self, path: str, body: bytes) -> Iterator[tuple[int, str, bytes]]:
        """Yield status, content type and a part of the reply, for each part as it comes."""
        request = json.loads(body)
        is_for_model = is_call(request) or is_summary_request(request)
        if is_for_model:
            body = json.dumps({**request, **REPEATABLE}).encode()
        started_s = time.monotonic()
        parts = []
        for part in _post(self._addresses[is_for_model], path, body):
            parts.append(part[-1])
            yield part
        if is_for_model:
            self.exchanges.append(_exchange(request, b"".join(parts), started_s))


def start_pi(
    workspace: Workspace,
    forwarder: Forwarder,
    *,
    limits: Limits,
    session: Path | None = None,
) -> PiProcess:
    """Start pi in RPC mode with the forwarder's model as its own, patient enough for it."""
    models = json.loads((workspace.agent_dir / "models.json").read_text(encoding="utf-8"))
    provider = models["providers"]["scripted"]
    provider["baseUrl"] = forwarder.base_url
    provider["models"][0]["contextWindow"] = limits.window_tokens
    provider["models"][0]["maxTokens"] = limits.max_output_tokens
    workspace.write_json("models.json", models)
    when = {"reserveTokens": RESERVE_TOKENS, "keepRecentTokens": limits.keep_recent_tokens}
    workspace.write_json("settings.json", {"compaction": when, "retry": {"enabled": False}})
    workspace.write_json("longhaul.json", {"callDeadlineSeconds": MAX_DEADLINE_S})
    return PiProcess(
        [*workspace.command("rpc"), *(("--session", session) if session else ())],
        cwd=workspace.project,
        environment=workspace.environment(),
        timeout_s=PATIENCE_S,
    )


def _handler(forwarder: Forwarder) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            is_begun = False
            try:
                for status, kind, part in forwarder.forward(self.path, body):
                    if not is_begun:
                        is_begun = True
                        self.send_response(status)
                        self.send_header("Content-Type", kind)
                        self.end_headers()  # without a length: the reply ends with the connection
                    self.wfile.write(part)
            except OSError:
                self.close_connection = True  # pi has closed it: an abort

        def log_message(self, *args: object) -> None:
            """Say nothing on stderr."""

    return Handler


def _post(address: str, path: str, body: bytes) -> Iterator[tuple[int, str, bytes]]:
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE_S)
    try:
        connection.request("POST", path, body, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        kind = reply.headers.get("Content-Type", "")
        while part := reply.read1(_CHUNK_BYTES):
            yield reply.status, kind, part
    finally:
        connection.close()


def _exchange(request: Mapping[str, Any], reply: bytes, started_s: float) -> Exchange:
    chunks = list(_chunks(reply))
    choices = [choice for chunk in chunks for choice in chunk.get("choices", ())]
    usage: dict[str, int] = next((chunk["usage"] for chunk in chunks if chunk.get("usage")), {})
    return Exchange(
        asked_by="pi" if is_summary_request(request) else "longhaul",
        text="".join(choice["delta"].get("content") or "" for choice in choices),
        finish=next((one["finish_reason"] for one in choices if one.get("finish_reason")), ""),
        tokens_in=usage.get("prompt_tokens", 0),
        tokens_out=usage.get("completion_tokens", 0),
        started_s=started_s,
        ended_s=time.monotonic(),
    )


def _chunks(reply: bytes) -> Iterator[dict[str, Any]]:
    """Yield the JSON of each event of a stream."""
    for line in reply.decode(errors="replace").splitlines():
        if line.startswith("data: {"):
            yield json.loads(line.removeprefix("data: "))
