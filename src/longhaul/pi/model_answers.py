"""One model behind all that pi asks: a session's turns, with tools put in words, and summaries.

What each request took stands beside it, as the model itself says.
"""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from longhaul.compaction.compact import Model
from longhaul.compaction.completion import Completion, CompletionRequest, PromptMessage, Role
from longhaul.errors import ModelError
from longhaul.pi.chat import ChatRequest, Reply, build_reply, role_of, text_of
from longhaul.pi.tool_prompt import MAX_REPLY_TOKENS, build_request, parse_reply
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import find_literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What one request of pi's took."""

    is_of_the_session: bool
    """False where a compactor asked."""
    seconds: float
    """Wall time: what the model says of its call, else the whole wait for it."""
    tokens_in: int | None = None
    """Those read from a cache included; None where not known."""
    tokens_out: int | None = None
    tokens_cached: int | None = None
    failure: str = ""
    """Why there was no reply; empty where there was one."""


class ModelAnswers:
    """Answers every request of pi's with one model, and keeps what each took.

    pi may ask for two summaries at a time; what a model cannot do at a time is its own to order.
    """

    def __init__(self, model: Model) -> None:
        """Ask `model`."""
        self._model = model
        self._lock = threading.Lock()
        self.exchanges: list[Exchange] = []
        """In the order in which they ended."""

    def answer(self, request: ChatRequest) -> Reply:
        """Return the model's reply: with tool calls where tools are declared, else text alone.

        Raises:
            ModelError: the model gave none.
        """
        started = time.perf_counter()
        asked = (
            build_request(request, thinking=request.thinking)
            if request.tools
            else build_plain_request(request)
        )
        try:
            completion = self._model.complete(asked)
        except ModelError as error:
            self._keep(request, time.perf_counter() - started, failure=str(error))
            raise
        seconds = time.perf_counter() - started
        number = self._keep(request, seconds, completion)
        if not request.tools:
            return build_reply(completion, completion.text)
        text, calls = parse_reply(completion.text, number=number)
        return build_reply(completion, text, calls)

    def _keep(
        self,
        request: ChatRequest,
        waited_s: float,
        completion: Completion | None = None,
        *,
        failure: str = "",
    ) -> int:
        """Keep an exchange and return its number."""
        said_s = completion.seconds if completion else None
        exchange = Exchange(
            is_of_the_session=request.is_of_the_session,
            seconds=waited_s if said_s is None else said_s,
            tokens_in=completion.tokens_in if completion else None,
            tokens_out=completion.tokens_out if completion else None,
            tokens_cached=completion.tokens_cached if completion else None,
            failure=failure,
        )
        with self._lock:
            self.exchanges.append(exchange)
            return len(self.exchanges)


def build_plain_request(request: ChatRequest) -> CompletionRequest:
    """Return what a model is asked where pi declares no tools: its own words, schema and level."""
    return CompletionRequest(
        messages=prompt_messages(request),
        schema=request.schema,
        thinking=request.thinking,
        max_output_tokens=request.max_output_tokens or MAX_REPLY_TOKENS,
    )


def prompt_messages(request: ChatRequest) -> tuple[PromptMessage, ...]:
    """Return the messages of `request` as they are; an unknown role is the user's."""
    return tuple(PromptMessage(_role(one), text_of(one)) for one in request.messages)


def _role(message: Mapping[str, JsonValue]) -> Role:
    return find_literal(role_of(message), get_args(Role)) or "user"
