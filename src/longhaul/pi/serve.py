"""The server behind the pi extension: reads requests on stdin, answers them on stdout.

pi starts it as `longhaul.cli.serve`. It imports only what an answer needs, and most of that
once it has greeted the extension. One thread reads, so that a cancellation, or the answer to a call
of the server's own, is heard while another thread works. It ends when its input does, which is what
happens when pi dies, however it dies.
"""

import math
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from importlib import metadata
from typing import BinaryIO, NoReturn, TypeAlias

from longhaul.errors import LonghaulError
from longhaul.pi.calls import Calls
from longhaul.pi.protocol import (
    CANCELLED,
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PROTOCOL_VERSION,
    Params,
    ProtocolError,
    Request,
    Response,
    parse_message,
    render_error,
    render_result,
)

REQUEST_LIMIT_S = 660
"""No request takes longer, or the kernel ends the process; a model call's time comes on top.

Beyond the longest deadline that a user can set for the extension.
"""

INTERRUPTED = 128 + signal.SIGINT
"""How a shell is told that Ctrl-C ended a command."""

LINGER_S = 1.0
"""How long requests that stand in the queue may still take once the input has ended."""

Answer: TypeAlias = Callable[[Request], Params]
Load: TypeAlias = Callable[[Calls], Answer]


def serve(stdin: BinaryIO, stdout: BinaryIO, load: Load) -> None:
    """Answer the requests on `stdin`, one JSON object a line, until it ends or says `shutdown`.

    `load` gives what answers them, the handshake apart; it is called after the first request, with
    what reaches the extension meanwhile.
    """
    server = _Server(stdout)
    worker: threading.Thread | None = None
    for line in stdin:
        if line.strip() and not server.receive(line):
            break
        if worker is None:
            worker = threading.Thread(target=server.work, args=(load(server.calls),), daemon=True)
            worker.start()
    server.finish()
    if worker is not None:
        worker.join(LINGER_S)


class _Server:
    """The queue between the thread that reads and the thread that works."""

    def __init__(self, stdout: BinaryIO) -> None:
        self._stdout = stdout
        self._requests: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._waiting: set[int | str] = set()
        """Ids of the requests that stand in the queue and are not cancelled."""
        self._writing = threading.Lock()
        self.calls = Calls(self._send, _set_alarm)

    def receive(self, line: bytes) -> bool:
        """Take in one line; returns False when it asks the server to end."""
        try:
            message = parse_message(line)
        except ProtocolError as error:
            self._send(render_error(error.request_id, error.code, str(error)))
            return True
        if isinstance(message, Response):
            self.calls.receive(message)
            return True
        return self._receive_request(message)

    def _receive_request(self, request: Request) -> bool:
        if request.method == "cancel":
            self._cancel(request)
        elif request.method == "shutdown":
            return False
        elif request.method == "hello" and request.id is not None:
            self._send(render_result(request.id, _greeting()))
        else:
            if request.id is not None:
                self._waiting.add(request.id)
            self._requests.put(request)
        return True

    def finish(self) -> None:
        """Let the worker end after what stands in the queue; nobody answers its calls any more."""
        self.calls.close()
        self._requests.put(None)

    def work(self, answer: Answer) -> None:
        """Answer requests one after the other until the queue says that it was the last."""
        while (request := self._requests.get()) is not None:
            if request.id is None:
                continue
            self.calls.begin(request.id)
            _set_alarm(None)
            self._send(self._respond(request, request.id, answer))
            signal.alarm(0)
            self.calls.end()

    def _respond(self, request: Request, request_id: int | str, answer: Answer) -> bytes:
        if request_id not in self._waiting:
            return render_error(request_id, CANCELLED, "cancelled")
        self._waiting.discard(request_id)
        try:
            return render_result(request_id, answer(request))
        except ProtocolError as error:
            return render_error(request_id, error.code, str(error))
        except LonghaulError as error:
            return render_error(request_id, INTERNAL_ERROR, str(error))
        except Exception as error:  # noqa: BLE001 - any failure leaves this compaction to pi
            return render_error(request_id, INTERNAL_ERROR, f"{type(error).__name__}: {error}")

    def _cancel(self, request: Request) -> None:
        cancelled_id = request.params.get("id")
        if isinstance(cancelled_id, int | str) and not isinstance(cancelled_id, bool):
            self._waiting.discard(cancelled_id)
            self.calls.cancel(cancelled_id)
        else:
            self._send(render_error(request.id, INVALID_REQUEST, "cancel: expected an id"))

    def _send(self, line: bytes) -> None:
        with self._writing:
            try:
                self._stdout.write(line)
                self._stdout.flush()
            except OSError:
                # pi is gone; nobody reads, and the input ends as well.
                return


def _set_alarm(seconds: float | None) -> None:
    """Let the kernel end the process where the work takes longer than `seconds` and its own limit.

    Code that hangs in C never lets another thread stop it.
    """
    signal.alarm(REQUEST_LIMIT_S + math.ceil(seconds or 0))


def _greeting() -> Params:
    return {"protocol": PROTOCOL_VERSION, "version": metadata.version("pi-longhaul")}


def serve_standard_streams(load: Load) -> NoReturn:
    """Serve on the standard streams until the input ends; what else is printed goes to stderr."""
    stdout = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        serve(sys.stdin.buffer, stdout, load)
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)
    # Not sys.exit: it would wait for code that hangs, and there is nothing to save.
    os._exit(0)
