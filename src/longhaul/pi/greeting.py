"""Starting a server as the extension does, to hear who answers and how soon."""

import contextlib
import json
import os
import subprocess
import threading
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
    """From before the start of the process to its answer."""


def greet(command: Sequence[str]) -> Greeting:
    """Return how the server that `command` starts answers the extension's first request.

    Raises:
        InstallError: it does not start, does not answer as it should, or cannot load the rest.
    """
    params = {"protocol": PROTOCOL_VERSION, "version": "doctor"}
    request = {"jsonrpc": "2.0", "id": 1, "method": "hello", "params": params}
    started = time.perf_counter()
    try:
        process = subprocess.Popen(
            command,
            cwd="/",
            env=isolated_environment(os.environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except OSError as error:
        raise InstallError(f"cannot start {command[0]}: {error.strerror}") from error
    limit = threading.Timer(TIMEOUT_S, process.kill)
    with process:
        limit.start()
        answer = _exchange(process, json.dumps(request).encode() + b"\n")
        elapsed_ms = round((time.perf_counter() - started) * 1000)
        _, stderr = process.communicate()
        limit.cancel()
    if process.returncode != 0:
        raise _no_server(command[0], stderr)
    return _parse_greeting(command[0], answer, stderr, elapsed_ms)


def _exchange(process: "subprocess.Popen[bytes]", line: bytes) -> bytes:
    """Send a line and return the next; empty where the process ends instead."""
    assert process.stdin is not None, "started with a pipe"
    assert process.stdout is not None, "started with a pipe"
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(line)
        process.stdin.flush()
    return process.stdout.readline()


def _parse_greeting(interpreter: str, answer: bytes, stderr: bytes, elapsed_ms: int) -> Greeting:
    try:
        result = json.loads(answer)["result"]
        protocol, version = int(result["protocol"]), str(result["version"])
    except (ValueError, KeyError, TypeError) as error:
        raise _no_server(interpreter, stderr) from error
    return Greeting(protocol=protocol, version=version, elapsed_ms=elapsed_ms)


def _no_server(interpreter: str, stderr: bytes) -> InstallError:
    last_words = (stderr.decode(errors="replace").strip().splitlines() or ["it said nothing"])[-1]
    return InstallError(f"{interpreter} does not start the server: {last_words}")
