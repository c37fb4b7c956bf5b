"""Starting a server as the extension does, to hear who answers and how soon."""

import json
import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass

from longhaul.errors import InstallError
from longhaul.pi.install import isolated_environment
from longhaul.pi.protocol import PROTOCOL_VERSION

TIMEOUT_S = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeting:
    """A server's answer to `hello`."""

    protocol: int
    version: str
    elapsed_ms: int
    """From before the start of the process to its end, right after the answer."""


def greet(command: Sequence[str]) -> Greeting:
    """Return how the server that `command` starts answers the extension's first request.

    Raises:
        InstallError: it does not start, or does not answer as it should.
    """
    started = time.perf_counter()
    params = {"protocol": PROTOCOL_VERSION, "version": "doctor"}
    request = {"jsonrpc": "2.0", "id": 1, "method": "hello", "params": params}
    try:
        result = subprocess.run(
            command,
            input=json.dumps(request) + "\n",
            cwd="/",
            env=isolated_environment(os.environ),
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallError(f"cannot start {command[0]}: {error}") from error
    elapsed_ms = round((time.perf_counter() - started) * 1000)
    return _parse_greeting(command[0], result.stdout, result.stderr, elapsed_ms)


def _parse_greeting(interpreter: str, stdout: str, stderr: str, elapsed_ms: int) -> Greeting:
    try:
        answer = json.loads(stdout)["result"]
        protocol, version = int(answer["protocol"]), str(answer["version"])
    except (ValueError, KeyError, TypeError) as error:
        last_words = (stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise InstallError(f"{interpreter} does not start the server: {last_words}") from error
    return Greeting(protocol=protocol, version=version, elapsed_ms=elapsed_ms)
