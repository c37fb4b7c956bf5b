"""Requests to the models under test, and the providers that the tests go through."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from longhaul.compaction.completion import Completion, CompletionRequest, PromptMessage
from longhaul.errors import ModelError
from longhaul.models import open_model
from longhaul.transcript.entries import JsonValue
from tests.models.api_server import Answer, ApiServer, chat, generated, message, response, serving

KEY = "sk-live-0123456789abcdefghij"
ANIMALS: dict[str, JsonValue] = {
    "type": "object",
    "properties": {
        "animals": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "maxLength": 20},
                    "legs": {"type": "integer"},
                },
                "required": ["name", "legs"],
                "additionalProperties": False,
            },
            "maxItems": 2,
        }
    },
    "required": ["animals"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A model's name, where its server is set, and a whole answer in its API's form."""

    spec: str
    address_variable: str
    key_variable: str
    path: str
    answer: Answer
    """Holds `{"animals": []}`, 30 tokens in, 20 of them cached, 7 out, of the model `m-1`."""


EMPTY = '{"animals": []}'
ROUTES = (
    Route(
        spec="openai-compatible/some-model",
        address_variable="OPENAI_BASE_URL",
        key_variable="OPENAI_API_KEY",
        path="/v1/chat/completions",
        answer=chat(EMPTY),
    ),
    Route(
        spec="openai/gpt-5.2",
        address_variable="OPENAI_BASE_URL",
        key_variable="OPENAI_API_KEY",
        path="/v1/responses",
        answer=response(EMPTY),
    ),
    Route(
        spec="anthropic/claude-opus-5",
        address_variable="ANTHROPIC_BASE_URL",
        key_variable="ANTHROPIC_API_KEY",
        path="/v1/messages",
        answer=message(EMPTY),
    ),
    Route(
        spec="google/gemini-3-pro",
        address_variable="GOOGLE_GEMINI_BASE_URL",
        key_variable="GOOGLE_API_KEY",
        path="/v1beta/models/gemini-3-pro:generateContent",
        answer=generated(EMPTY),
    ),
)


def animals(text: str = "Name two animals.", *, max_output_tokens: int = 60) -> CompletionRequest:
    """Return a request for animals, after a system message and an earlier turn."""
    return CompletionRequest(
        messages=(
            PromptMessage("system", "You answer in JSON."),
            PromptMessage("user", "Hello."),
            PromptMessage("assistant", "Hi."),
            PromptMessage("user", text),
        ),
        schema=ANIMALS,
        max_output_tokens=max_output_tokens,
    )


def environment_of(route: Route, api: ApiServer) -> dict[str, str]:
    """Return the variables that lead `route` to the test's server, and a key."""
    suffix = "/v1" if route.address_variable == "OPENAI_BASE_URL" else ""
    return {route.address_variable: api.origin + suffix, route.key_variable: KEY}


def ask(route: Route, answers: Sequence[Answer], *, timeout_s: float = 30) -> Completion:
    """Return what the model behind `route` replies where its server gives `answers`."""
    with serving(answers) as api:
        model = open_model(route.spec, timeout_s=timeout_s, environment=environment_of(route, api))
        return model.complete(animals())


def failure_of(
    route: Route, answers: Sequence[Answer], *, timeout_s: float = 30
) -> tuple[str, int]:
    """Return the message of the failure that `answers` come to, and how often was asked."""
    with serving(answers) as api:
        model = open_model(route.spec, timeout_s=timeout_s, environment=environment_of(route, api))
        with pytest.raises(ModelError) as caught:
            model.complete(animals())
        assert caught.value.__suppress_context__
        return str(caught.value), len(api.seen)
