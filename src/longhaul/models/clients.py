"""The client of each provider's API, bound to one address and one key."""

import httpx2
from google.genai.types import HttpRetryOptions
from openai import AsyncOpenAI
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import (
    OpenAIChatModel,
    OpenAIResponsesModel,
    OpenAIResponsesModelSettings,
)
from pydantic_ai.profiles import merge_profile
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import Provider
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.ollama import OllamaProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.providers.vllm import VLLMProvider

from longhaul.models.servers import PROVIDERS, Server

_NO_KEY = "none"
"""What a client that insists on a key gets for a server that asks for none."""
_CONNECT_S = 10.0
_FIRST_RETRY_S = 0.5
_LAST_RETRY_S = 8.0


def open_http(server: Server) -> httpx2.AsyncClient:
    """Return what carries the requests to `server`.

    It follows no redirect, and to this machine it uses no proxy, so that what is meant for a server
    here reaches no other. Deadlines are set by the request.
    """
    return httpx2.AsyncClient(
        timeout=httpx2.Timeout(None, connect=_CONNECT_S),
        trust_env=not server.is_loopback,
        follow_redirects=False,
    )


def build_client(server: Server, http: httpx2.AsyncClient) -> Model:
    """Return the client of the API that `server` speaks, over `http`."""
    match PROVIDERS[server.spec.provider].api:
        case "openai responses":
            return _openai_responses(server, http)
        case "openai chat":
            return _openai_chat(server, http)
        case "anthropic":
            return _anthropic(server, http)
        case "google":
            return _google(server, http)


def _openai_responses(server: Server, http: httpx2.AsyncClient) -> Model:
    provider = OpenAIProvider(
        base_url=server.address, api_key=server.key or _NO_KEY, http_client=http
    )
    # This API keeps every request for a month unless it is told not to.
    settings = OpenAIResponsesModelSettings(openai_store=False)
    return OpenAIResponsesModel(server.spec.model_id, provider=provider, settings=settings)


def _openai_chat(server: Server, http: httpx2.AsyncClient) -> Model:
    provider = _chat_provider(server, http)
    # Servers that run open models know the older name of the output limit, and not all the newer.
    limit = OpenAIModelProfile(
        openai_chat_supports_max_completion_tokens=server.spec.provider == "openai-compatible"
    )
    profile = merge_profile(provider.model_profile(server.spec.model_id), limit)
    return OpenAIChatModel(server.spec.model_id, provider=provider, profile=profile)


def _chat_provider(server: Server, http: httpx2.AsyncClient) -> Provider[AsyncOpenAI]:
    """Return what knows how each family of models is asked to think, and which fields it takes."""
    key = server.key or _NO_KEY
    match server.spec.provider:
        case "ollama":
            return OllamaProvider(base_url=server.address, api_key=key, http_client=http)
        case "vllm":
            return VLLMProvider(base_url=server.address, api_key=key, http_client=http)
        case name:
            return OpenAICompatibleProvider(
                name, base_url=server.address, api_key=key, http_client=http
            )


def _anthropic(server: Server, http: httpx2.AsyncClient) -> Model:
    provider = AnthropicProvider(
        base_url=server.address, api_key=server.key or _NO_KEY, http_client=http
    )
    return AnthropicModel(server.spec.model_id, provider=provider)


def _google(server: Server, http: httpx2.AsyncClient) -> Model:
    provider = GoogleProvider(
        base_url=server.address,
        api_key=server.key or _NO_KEY,
        http_client=http,
        retry_options=HttpRetryOptions(initial_delay=_FIRST_RETRY_S, max_delay=_LAST_RETRY_S),
    )
    return GoogleModel(server.spec.model_id, provider=provider)
