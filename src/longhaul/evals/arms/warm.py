"""The experimental arm that asks behind the session's own last request, as a cached prefix."""

import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

from longhaul.compaction.completion import PromptMessage
from longhaul.errors import PiError
from longhaul.evals.arms.arm import Arm, Handed, Made
from longhaul.evals.arms.longhaul import LonghaulSetup, run_longhaul
from longhaul.evals.arms.real_pi import PI_S, PiSetup, prepare_copy
from longhaul.pi.chat import ChatRequest, Reply, role_of, text_of
from longhaul.pi.loopback_endpoint import LoopbackEndpoint
from longhaul.pi.tool_prompt import past_calls
from longhaul.transcript.entries import JsonValue

_PING = "."
"""What pi is told, so that it makes the session's next request; it is no part of the prefix."""


def open_warm(setup: PiSetup, longhaul: LonghaulSetup) -> Arm:
    """Return the arm that repeats the session's last request, as pi makes it, and then asks."""

    def run(handed: Handed) -> Made:
        return run_longhaul(longhaul, handed, captured=capture_request(setup, handed))

    return run


def capture_request(setup: PiSetup, handed: Handed) -> tuple[PromptMessage, ...]:
    """Return what pi would send a model next, up to what the session holds.

    Raises:
        PiError: pi did not start, or asked for nothing.
    """
    seen = _Seen()
    with ExitStack() as stack:
        root = stack.enter_context(tempfile.TemporaryDirectory(prefix="longhaul-score-"))
        endpoint = stack.enter_context(LoopbackEndpoint(seen.answer))
        private, copy = prepare_copy(setup, handed, Path(root), endpoint)
        with private.start(("--session", copy, "-ne"), timeout_s=PI_S) as pi:
            pi.prompt(_PING)
    if seen.request is None:
        raise PiError("pi made no request of the session's")
    return tuple(_prompt(one) for one in seen.request.messages[:-1])


class _Seen:
    """Answers pi with a word, and keeps its first request of the session."""

    def __init__(self) -> None:
        self.request: ChatRequest | None = None
        self._lock = threading.Lock()

    def answer(self, request: ChatRequest) -> Reply:
        with self._lock:
            if self.request is None and request.is_of_the_session:
                self.request = request
        return Reply(text="Yes.")


def _prompt(message: Mapping[str, JsonValue]) -> PromptMessage:
    """Return a message of pi's as text, tool calls in words."""
    role, text = role_of(message), text_of(message)
    if role == "system":
        return PromptMessage("system", text)
    if role == "assistant":
        return PromptMessage("assistant", "\n".join(filter(None, (text, *_calls(message)))))
    return PromptMessage("user", text)


def _calls(message: Mapping[str, JsonValue]) -> Iterator[str]:
    for call in past_calls(message):
        arguments = call["arguments"]
        shown = str(arguments)
        if isinstance(arguments, dict):
            shown = ", ".join(f"{name}={value}" for name, value in arguments.items())
        yield f"[{call['name']}({shown})]"
