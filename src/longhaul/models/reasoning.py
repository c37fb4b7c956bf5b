"""What is known beforehand of how a model reasons: whether it can be told not to, who sees it."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from longhaul.models.servers import PROVIDERS, find_server
from longhaul.models.specs import LocalSpec, ProviderSpec, parse_spec

if TYPE_CHECKING:
    from collections.abc import Mapping

Control = Literal["does not reason", "can be turned off", "must reason", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reasoning:
    """How a model reasons, as far as that is known."""

    control: Control
    is_hidden: bool | None = None
    """Whether its provider keeps the reasoning back; None where that is not known, or there is
    none."""

    def __str__(self) -> str:
        """Return it in words: `reasoning hidden, can be turned off`."""
        if self.control in ("does not reason", "unknown"):
            return self.control
        hidden = "reasoning hidden, " if self.is_hidden else ""
        return f"{hidden}{self.control}"


def find_reasoning(spec: str, environment: Mapping[str, str]) -> Reasoning:
    """Return what is known of the model that `spec` names; nothing is asked of it.

    A model in process never reasons: its output is held to JSON from the first token. Of
    providers' models pydantic-ai knows many by name; where it knows of no reasoning, that may be
    because it does not know the model, so `unknown` it is. What answers in a folder is unknown.

    Raises:
        ModelError: the name is of no known form, or a key or an address is missing.
    """
    match parse_spec(spec):
        case LocalSpec():
            return Reasoning(control="does not reason")
        case ProviderSpec() as provider if importlib.util.find_spec("pydantic_ai"):
            return _provider_reasoning(provider, environment)
    return Reasoning(control="unknown")


def _provider_reasoning(spec: ProviderSpec, environment: Mapping[str, str]) -> Reasoning:
    from longhaul.models.clients import build_client, open_http  # noqa: PLC0415 - takes a second

    server = find_server(spec, environment)
    profile = build_client(server, open_http(server)).profile
    if not profile.get("supports_thinking", False):
        return Reasoning(control="unknown")
    always = profile.get("thinking_always_enabled", False)
    return Reasoning(
        control="must reason" if always else "can be turned off",
        is_hidden=_is_hidden(spec),
    )


def _is_hidden(spec: ProviderSpec) -> bool | None:
    """Return whether the API hands no reasoning out; None where that depends on the server."""
    match PROVIDERS[spec.provider].api:
        case "openai responses":
            return True
        case "anthropic":
            return False
    return None
