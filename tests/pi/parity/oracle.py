"""One Node process that answers with the pinned pi's own functions."""

import json
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

from longhaul.transcript.entries import JsonValue
from tests.pinned import NODE, PI_PACKAGE, pi_environment

SCRIPT = Path(__file__).parent / "oracle.mjs"


class PiError(Exception):
    """Pi threw; the message is its own."""


class Oracle:
    """Asks pi; started once for all tests, since a start costs most of a second."""

    def __init__(self, home: Path) -> None:
        self._process = subprocess.Popen(
            [NODE, SCRIPT, PI_PACKAGE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(pi_environment(home / "agent", home)),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate(timeout=10)

    def ask(self, ask: str, **request: object) -> JsonValue:
        """Return pi's answer to one request.

        Raises:
            PiError: pi threw.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"ask": ask, **request}).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the Node process ended; its error stands above"
        reply = json.loads(line)
        if "error" in reply:
            raise PiError(reply["error"])
        answer: JsonValue = reply["answer"]
        return answer
