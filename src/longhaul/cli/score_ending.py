"""Signals that end a run of the harness before it is through."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

_ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class SignalledError(Exception):
    """The run is to end now."""

    def __init__(self, number: int) -> None:
        """Keep the number of the signal."""
        super().__init__(number)
        self.number = number


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let signals end the block orderly, so that copies of sessions are removed on the way out.

    Raises:
        SignalledError: one came; what comes after it cuts nothing short any more.
    """

    def end(number: int, _frame: FrameType | None) -> NoReturn:
        for kind in _ENDINGS:
            signal.signal(kind, signal.SIG_IGN)
        raise SignalledError(number)

    # What `nohup` has taken away stays so. A job in the background ignores Ctrl-C's signal; sent to
    # it all the same, it is meant.
    heard = [
        kind
        for kind in _ENDINGS
        if kind == signal.SIGINT or signal.getsignal(kind) is not signal.SIG_IGN
    ]
    before = {kind: signal.signal(kind, end) for kind in heard}
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is end:
            for kind, handler in before.items():
                signal.signal(kind, handler)
