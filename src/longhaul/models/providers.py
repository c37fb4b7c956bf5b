"""Models of providers, and of servers that speak a provider's API."""

import asyncio
import re
import time
from collections.abc import Coroutine

from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelHTTPError,
    UnexpectedModelBehavior,
    UserError,
)
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings

from longhaul.compaction.completion import (
    Completion,
    CompletionRequest,
    PromptMessage,
    StopReason,
)
from longhaul.errors import ModelError
from longhaul.models.clients import build_client, open_http
from longhaul.models.failures import failure_text, server_message
from longhaul.models.servers import Server

_N_RETRIES = 2
_SCHEMA_NAME = "reply"
_NO_SCHEMA = re.compile(r"response.?format|json.?schema|structured|grammar", re.IGNORECASE)
_REFUSED_FIELD = frozenset((400, 404, 415, 422, 501))
_MISREAD = (AttributeError, LookupError, TypeError, ValueError)
"""What the client's code comes to where an answer has not the shape it trusts in."""
_IN_WORDS = ModelRequestParameters(output_mode="text")
_STOP_REASONS: dict[str | None, StopReason] = {"length": "length", "content_filter": "refused"}


class ProviderModel:
    """A model behind an API, asked once for each request.

    What fails before a reply was made (no connection, HTTP 408, 409, 429 and 5xx) is tried again up
    to two times, later each time, all within the deadline. A reply is never asked for again because
    of what it says.
    """

    def __init__(self, server: Server, *, timeout_s: float) -> None:
        """Answer from `server`; `timeout_s`, in seconds, holds for a request with its retries."""
        self._server = server
        self._timeout_s = timeout_s

    def complete(self, request: CompletionRequest) -> Completion:
        """Return the reply.

        The reply is held to the request's schema by the provider where it can do that. A server
        that refuses a request because of the schema has made no reply and is asked without it.

        Raises:
            ModelError: there is none, or not in time; the message holds no key.
        """
        started = time.monotonic()
        # No chain of errors is kept: a traceback would show bodies, which may repeat the key.
        try:
            response = _run(self._ask(request))
        except AgentRunError as error:
            raise ModelError(failure_text(error, self._server)) from None
        except UserError:
            raise ModelError(
                f"{self._server.name}: its client cannot ask for this; name another model"
            ) from None
        return self._completion(response, seconds=time.monotonic() - started)

    async def _ask(self, request: CompletionRequest) -> ModelResponse:
        async with open_http(self._server) as http:
            client = build_client(self._server, http)
            settings = self._settings(request)
            messages = _messages(request.messages)
            parameters = _parameters(request, client)
            deadline = time.monotonic() + self._timeout_s
            try:
                return await _request(client, messages, settings, parameters)
            except ModelHTTPError as error:
                if parameters.output_mode == "text" or not _refuses_schema(error):
                    raise
            settings["request_timeout"] = max(deadline - time.monotonic(), 0.0)
            return await _request(client, messages, settings, _IN_WORDS)

    def _settings(self, request: CompletionRequest) -> ModelSettings:
        settings = ModelSettings(
            max_tokens=request.max_output_tokens,
            max_retries=_N_RETRIES,
            request_timeout=self._timeout_s,
        )
        thinking = self._server.spec.thinking or request.thinking
        if thinking is not None:
            settings["thinking"] = False if thinking == "off" else thinking
        return settings

    def _completion(self, response: ModelResponse, *, seconds: float) -> Completion:
        usage = response.usage
        is_counted = bool(usage.input_tokens or usage.output_tokens)
        model_id = response.model_name or self._server.spec.model_id
        return Completion(
            text="".join(part.content for part in response.parts if isinstance(part, TextPart)),
            stop_reason=_STOP_REASONS.get(response.finish_reason, "stop"),
            model=f"{self._server.spec.provider}/{model_id}",
            tokens_in=usage.input_tokens if is_counted else None,
            tokens_out=usage.output_tokens if is_counted else None,
            tokens_cached=usage.cache_read_tokens if is_counted else None,
            seconds=seconds,
        )


async def _request(
    client: Model,
    messages: list[ModelMessage],
    settings: ModelSettings,
    parameters: ModelRequestParameters,
) -> ModelResponse:
    try:
        return await model_request(
            client, messages, model_settings=settings, model_request_parameters=parameters
        )
    except _MISREAD as error:
        raise UnexpectedModelBehavior("the answer cannot be read") from error


def _parameters(request: CompletionRequest, client: Model) -> ModelRequestParameters:
    """Return how to ask for the reply's form: by the schema, or in words alone."""
    if not request.schema or not client.profile.get("supports_json_schema_output", False):
        return _IN_WORDS
    return ModelRequestParameters(
        output_mode="native",
        # The messages describe the form already.
        prompted_output_template=False,
        output_object=OutputObjectDefinition(json_schema=dict(request.schema), name=_SCHEMA_NAME),
    )


def _messages(messages: tuple[PromptMessage, ...]) -> list[ModelMessage]:
    """Return the messages in the library's form: a request holds all up to the next answer."""
    out: list[ModelMessage] = []
    for message in messages:
        if message.role == "assistant":
            out.append(ModelResponse(parts=[TextPart(message.text)]))
            continue
        kind = SystemPromptPart if message.role == "system" else UserPromptPart
        last = out[-1] if out else None
        if isinstance(last, ModelRequest):
            last.parts = [*last.parts, kind(message.text)]
        else:
            out.append(ModelRequest(parts=[kind(message.text)]))
    return out


def _refuses_schema(error: ModelHTTPError) -> bool:
    if error.status_code not in _REFUSED_FIELD:
        return False
    return _NO_SCHEMA.search(server_message(error)) is not None


def _run(asked: Coroutine[object, object, ModelResponse]) -> ModelResponse:
    """Return what `asked` comes to, on a loop of its own.

    The loop is closed without waiting for its threads: a name that takes minutes to look up must
    not hold up a deadline.
    """
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(asked)
    finally:
        loop.run_until_complete(_end_tasks())
        loop.close()


async def _end_tasks() -> None:
    """End what is left on this loop: clients that are put away start tasks of their own."""
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
