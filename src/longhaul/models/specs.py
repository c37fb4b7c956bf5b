"""What names a model: `provider/model-id:thinking`, `local:FILE`, `batch:FOLDER?wait=SECONDS`."""

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from longhaul.compaction.completion import THINKING_LEVELS, ThinkingLevel
from longhaul.compaction.render.escape import clip, escape_text
from longhaul.config.values import SMOLLM2
from longhaul.errors import ModelError
from longhaul.transcript.shapes import find_literal

ProviderName = Literal[
    "openai", "anthropic", "google", "openai-compatible", "ollama", "llama.cpp", "vllm"
]
PROVIDER_NAMES: tuple[ProviderName, ...] = get_args(ProviderName)

_MODEL_ID = re.compile(r"[\w.:/@+-]+", re.ASCII)
_WAIT = re.compile(r"(?P<folder>.+)\?wait=(?P<seconds>\d+(?:\.\d+)?)", re.DOTALL)
_MAX_SHOWN_CHARS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSpec:
    """A model behind a provider's API, or behind a server that speaks OpenAI's."""

    provider: ProviderName
    model_id: str
    thinking: ThinkingLevel | None
    """None leaves it to the request."""


@dataclass(frozen=True, slots=True)
class LocalSpec:
    """A GGUF file, run in a process of its own on this machine."""

    path: Path | None
    """None: SmolLM2, wherever its package is installed."""


@dataclass(frozen=True, slots=True)
class BatchSpec:
    """A folder that requests are written to and replies are read from."""

    folder: Path
    wait_s: float
    """How long to wait for a reply, in seconds; 0: not at all."""


ModelSpec: TypeAlias = ProviderSpec | LocalSpec | BatchSpec


def parse_spec(text: str) -> ModelSpec:
    """Return what `text` names; whether that exists is found when it is opened.

    Raises:
        ModelError: it is of no known form; the message lists the forms.
    """
    scheme, _, rest = text.partition(":")
    if scheme == "local" and rest:
        return LocalSpec(None if rest == SMOLLM2 else _absolute(rest))
    if scheme == "batch" and rest:
        return _parse_batch(rest)
    return _parse_provider(text)


def _show(text: str) -> str:
    """Return `text`, from outside, as it may stand in an error: on one line, not too long."""
    return clip(escape_text(text), _MAX_SHOWN_CHARS)


def _parse_batch(rest: str) -> BatchSpec:
    match = _WAIT.fullmatch(rest)
    if match is None and "?" in rest:
        raise ModelError(f"batch:{_show(rest)}: expected batch:FOLDER or batch:FOLDER?wait=SECONDS")
    if match is None:
        return BatchSpec(_absolute(rest), 0.0)
    seconds = float(match["seconds"])
    if math.isinf(seconds):
        raise ModelError(f"batch:{_show(rest)}: nobody waits that long; write fewer seconds")
    return BatchSpec(_absolute(match["folder"]), seconds)


def _parse_provider(text: str) -> ProviderSpec:
    name, _, model_id = text.partition("/")
    provider = find_literal(name, PROVIDER_NAMES)
    if provider is None:
        known = ", ".join(PROVIDER_NAMES)
        raise ModelError(
            f"no model is named {_show(text)!r}; use provider/model-id with a provider of {known},"
            " or local:FILE.gguf, local:smollm2, batch:FOLDER or batch:FOLDER?wait=SECONDS"
        )
    bare, _, suffix = model_id.rpartition(":")
    thinking = find_literal(suffix, THINKING_LEVELS) if bare else None
    chosen = bare if thinking else model_id
    if not _MODEL_ID.fullmatch(chosen):
        raise ModelError(f"{_show(text)!r} names no model; write {provider}/ and the model's id")
    return ProviderSpec(provider=provider, model_id=chosen, thinking=thinking)


def _absolute(text: str) -> Path:
    try:
        return Path(text).expanduser().absolute()
    except RuntimeError as error:
        raise ModelError(f"{_show(text)}: no such home folder; write the whole path") from error
