"""What is asked of a model, and what it answered: plain data, whoever carries it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from longhaul.transcript.entries import JsonValue

Role = Literal["system", "user", "assistant"]
ThinkingLevel = Literal["off", "minimal", "low", "medium", "high", "xhigh", "max"]
"""pi's own levels."""
THINKING_LEVELS: tuple[ThinkingLevel, ...] = get_args(ThinkingLevel)
StopReason = Literal["stop", "length", "refused", "aborted"]
"""`stop`: the reply is whole; `length`: the output limit cut it; `refused`: the provider kept it
back; `aborted`: it was ended from outside."""


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message of a request."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRequest:
    """All that a reply depends on; equal requests ask for the same."""

    messages: tuple[PromptMessage, ...]
    schema: Mapping[str, JsonValue]
    """JSON schema of the reply, for models that can be held to one."""
    thinking: ThinkingLevel | None = None
    """None leaves it to the model: inside pi, to the session's own level."""
    max_output_tokens: int = 4_096
    """Thinking included, where the model counts it so."""
    repeat: int = 1
    """Which of several answers to the same request this is, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A model's reply, and what it cost as far as that is known."""

    text: str
    stop_reason: StopReason = "stop"
    model: str = ""
    """`provider/model-id` of the model that answered; empty where the adapter cannot tell."""
    tokens_in: int | None = None
    """Tokens of the request, those read from a cache included; None where not known."""
    tokens_out: int | None = None
    tokens_cached: int | None = None
    """Of `tokens_in`, those read from a cache."""
    seconds: float | None = None
    """Wall time of the call; None where not known."""
