"""The models that a compaction inside pi may ask: the session's own through pi, or another."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Literal

from longhaul.compaction.compact import Model
from longhaul.compaction.completion import Completion, CompletionRequest
from longhaul.compaction.secrets import mask_secrets
from longhaul.errors import ModelError, ReplyAwaitedError
from longhaul.pi.calls import Extension
from longhaul.pi.protocol import Params, Response
from longhaul.pi.usage import Usage, count_tokens, is_usage, usage_of
from longhaul.transcript.entries import JsonValue

MAX_REASON_CHARS = 200
GRACE_S = 1.0
"""What a model gets beyond its deadline, to say by itself what is wrong."""

_AWAITED = "no reply came within the wait that its name sets"
_NOT_WAITED = "no reply yet, and pi does not ask again: end the model's name in ?wait=SECONDS"


class PiModel:
    """The session's own model, asked by pi with the session's login: no key comes here."""

    def __init__(self, extension: Extension, *, deadline_s: float, allowance_s: float) -> None:
        """Ask `extension`, and wait `deadline_s` for a reply.

        `allowance_s` is what the work after a call that came to nothing may take.
        """
        self._extension = extension
        self._deadline_s = deadline_s
        self._allowance_s = allowance_s
        self.name = ""
        """Empty: pi says with a reply which model the session's own is."""
        self.usages: list[Usage] = []
        """What each call took, the failed ones included as far as pi says."""

    def complete(self, request: CompletionRequest) -> Completion:
        """Return the reply of the session's model.

        Raises:
            ModelError: pi got none, it came too late, or it is not one.
            ProtocolError: the compaction was aborted.
        """
        started = time.perf_counter()
        with _time_for(self._extension, self._deadline_s + self._allowance_s):
            response = self._extension.ask("complete", _params(request), timeout_s=self._deadline_s)
        if response is None:
            raise ModelError(f"no reply within {self._deadline_s:g} s")
        return self._parse(response, time.perf_counter() - started)

    def _parse(self, response: Response, seconds: float) -> Completion:
        answer = response.data if response.result is None else response.result
        usage = answer.get("usage")
        if is_usage(usage) and usage["totalTokens"]:
            self.usages.append(usage)
        if response.result is None:
            raise ModelError(_reason(response.error))
        return _parse_completion(answer, seconds)


class OtherModel:
    """A model that is not asked through pi; pi learns how long it may take, and what it took."""

    def __init__(
        self,
        model: Model,
        extension: Extension,
        *,
        deadline_s: float,
        allowance_s: float,
        name: str = "",
        waits: bool = False,
    ) -> None:
        """Ask `model`, and let go of it after `deadline_s`, whether it gives up by itself or not.

        `allowance_s` is what the work after a call that came to nothing may take; `waits` says
        whether a model that answers in files was told to wait for them. `name` is what it is
        called where it does not answer.
        """
        self._model = model
        self.name = name
        self._awaited = _AWAITED if waits else _NOT_WAITED
        self._extension = extension
        self._deadline_s = deadline_s
        self._allowance_s = allowance_s
        self.usages: list[Usage] = []

    def complete(self, request: CompletionRequest) -> Completion:
        """Return the model's reply.

        Raises:
            ModelError: there is none, or not in time; an awaited one has to come in its wait.
        """
        with _time_for(self._extension, self._deadline_s + GRACE_S + self._allowance_s):
            completion = self._ask(request)
        self.usages.append(usage_of(completion))
        return completion

    def _ask(self, request: CompletionRequest) -> Completion:
        executor = ThreadPoolExecutor(max_workers=1)
        try:
            return executor.submit(self._model.complete, request).result(self._deadline_s + GRACE_S)
        except TimeoutError as error:
            raise ModelError(f"no reply within {self._deadline_s:g} s") from error
        except ReplyAwaitedError as error:
            raise ModelError(self._awaited) from error
        finally:
            executor.shutdown(wait=False)


class AbsentModel:
    """Stands where no model may be asked, and says why."""

    def __init__(self, reason: str, *, name: str = "no model") -> None:
        """Keep the reason, in part of a line, and the `name` of what could not be asked."""
        self._reason = reason
        self.name = name
        self.usages: list[Usage] = []

    def complete(self, request: CompletionRequest) -> Completion:  # noqa: ARG002 - a Model's
        """Say why there is no reply.

        Raises:
            ModelError: always.
        """
        raise ModelError(self._reason)


@contextmanager
def _time_for(extension: Extension, seconds: float) -> Iterator[None]:
    """Let a call take `seconds`, and what comes after it the usual time."""
    extension.allow(seconds)
    try:
        yield
    finally:
        extension.allow(None)


def _params(request: CompletionRequest) -> Params:
    return {
        "messages": [{"role": one.role, "text": one.text} for one in request.messages],
        "schema": dict(request.schema),
        "thinking": request.thinking,
        "maxOutputTokens": request.max_output_tokens,
    }


def _parse_completion(answer: Params, seconds: float) -> Completion:
    text, model = answer.get("text"), answer.get("model")
    stop_reason = _parse_stop(answer.get("stopReason"))
    if not isinstance(text, str) or not isinstance(model, str) or stop_reason is None:
        raise ModelError("pi's half of Longhaul handed on no reply")
    tokens = count_tokens(answer.get("usage"))
    return Completion(
        text=text,
        stop_reason=stop_reason,
        model=model,
        tokens_in=tokens.tokens_in,
        tokens_out=tokens.tokens_out,
        tokens_cached=tokens.tokens_cached,
        seconds=seconds,
    )


def _parse_stop(value: JsonValue) -> Literal["stop", "length"] | None:
    match value:
        case "stop" | "length":
            return value
    return None


def _reason(text: str) -> str:
    """Return a provider's words about a failure as part of a line that may be kept.

    Its sentences end in a full stop, and pi adds the cause behind a colon.
    """
    told = text.replace(".:", ":").rstrip(" .")
    return mask_secrets(told)[:MAX_REASON_CHARS] or "pi got no reply and does not say why"
