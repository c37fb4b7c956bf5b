"""What the server asks the extension for while it answers a request, and how long that may take."""

import threading
from collections.abc import Callable
from typing import Protocol

from longhaul.pi.protocol import (
    CANCELLED,
    Params,
    ProtocolError,
    Response,
    render_notification,
    render_request,
)


class Extension(Protocol):
    """The other half, as one request's work sees it."""

    def ask(self, method: str, params: Params, *, timeout_s: float) -> Response | None:
        """Return what the extension answers; None where it does not in time.

        Raises:
            ProtocolError: the request worked on was cancelled, or the extension is gone.
        """
        ...

    def allow(self, seconds: float | None) -> None:
        """Say how long the work may go on from now; None for the extension's own deadline."""
        ...


class Calls:
    """The calls of the thread that works; the thread that reads hands it their answers.

    A call that nobody waits for any more is cancelled, and its answer dropped when it comes.
    """

    def __init__(
        self, send: Callable[[bytes], None], extend: Callable[[float | None], None]
    ) -> None:
        """Send lines with `send`; `extend` moves the process's own time limit."""
        self._send = send
        self._extend = extend
        self._changed = threading.Condition()
        self._request_id: int | str | None = None
        """The request that is worked on; None between two."""
        self._is_cancelled = False
        self._is_closed = False
        self._n_asked = 0
        self._awaited = ""
        """The id of the call whose answer is waited for; empty where there is none."""
        self._response: Response | None = None

    def begin(self, request_id: int | str) -> None:
        """Note which request is worked on from now."""
        with self._changed:
            self._request_id = request_id
            self._is_cancelled = False

    def end(self) -> None:
        """Note that it is answered."""
        with self._changed:
            self._request_id = None

    def cancel(self, request_id: int | str) -> None:
        """Let a call end at once if `request_id` is worked on; otherwise nothing."""
        with self._changed:
            if request_id == self._request_id:
                self._is_cancelled = True
                self._changed.notify_all()

    def close(self) -> None:
        """Let every call end at once, now and later: the extension is gone."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def receive(self, response: Response) -> None:
        """Take in an answer of the extension's."""
        with self._changed:
            if self._awaited and response.id == self._awaited:
                self._response = response
                self._changed.notify_all()

    def ask(self, method: str, params: Params, *, timeout_s: float) -> Response | None:
        """Ask the extension, as `Extension` says."""
        call_id = self._register()
        self._send(render_request(call_id, method, {"request": self._request_id, **params}))
        with self._changed:
            self._changed.wait_for(self._is_over, timeout_s)
            response, self._response, self._awaited = self._response, None, ""
            is_cancelled = self._is_cancelled or self._is_closed
        if response is None:
            self._send(render_notification("cancel", {"id": call_id}))
            if is_cancelled:
                raise ProtocolError(CANCELLED, "cancelled")
        return response

    def allow(self, seconds: float | None) -> None:
        """Say how long the work may go on from now, as `Extension` says."""
        self._extend(seconds)
        milliseconds = None if seconds is None else round(seconds * 1000)
        params: Params = {"request": self._request_id, "milliseconds": milliseconds}
        self._send(render_notification("deadline", params))

    def _register(self) -> str:
        with self._changed:
            if self._is_cancelled or self._is_closed:
                raise ProtocolError(CANCELLED, "cancelled")
            self._n_asked += 1
            self._awaited = f"s{self._n_asked}"
            return self._awaited

    def _is_over(self) -> bool:
        return self._response is not None or self._is_cancelled or self._is_closed
