"""A model from its name. What a model needs is imported when it is opened, not before."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from longhaul.errors import ModelError
from longhaul.models.installing import pip_command
from longhaul.models.servers import Server, find_server
from longhaul.models.specs import BatchSpec, LocalSpec, ProviderSpec, parse_spec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from longhaul.compaction.compact import Model


def open_model(
    spec: str,
    *,
    timeout_s: float,
    environment: Mapping[str, str],
    say: Callable[[str], None] = lambda _: None,
) -> Model:
    """Return the model that `spec` names; no connection is made yet.

    `timeout_s`, in seconds, holds for one request, retries and loading included; `batch:` has its
    own. Addresses and keys are read from `environment`. `say` is told what `batch:` waits for.

    Raises:
        ModelError: the name is of no known form, or an extra, a key, an address or a file is
            missing; the message says what to do.
    """
    match parse_spec(spec):
        case ProviderSpec() as provider:
            return _open_provider(find_server(provider, environment), timeout_s)
        case LocalSpec() as local:
            return _open_local(local, spec, timeout_s)
        case BatchSpec() as batch:
            from longhaul.models.batch import BatchModel  # noqa: PLC0415 - see above

            return BatchModel(batch.folder, wait_s=batch.wait_s, say=say)


def is_on_this_machine(spec: str, environment: Mapping[str, str]) -> bool:
    """Return whether what is asked of `spec` stays on this machine; False where it is no name.

    True for `local:`, and for a server whose address is written as this machine's own (localhost,
    127.0.0.0/8, ::1), but for models that Ollama passes on. False for `batch:`: who answers there
    is not known.
    """
    try:
        parsed = parse_spec(spec)
        if isinstance(parsed, ProviderSpec):
            return find_server(parsed, environment).is_on_this_machine
    except ModelError:
        return False
    return isinstance(parsed, LocalSpec)


def _open_provider(server: Server, timeout_s: float) -> Model:
    _require("models", "pydantic_ai", "anthropic", "openai", "google", "google.genai")
    from longhaul.models.providers import ProviderModel  # noqa: PLC0415 - takes a second

    return ProviderModel(server, timeout_s=timeout_s)


def _open_local(spec: LocalSpec, name: str, timeout_s: float) -> Model:
    _require("local", "xllamacpp")
    from longhaul.models.embedded import EmbeddedModel, find_smollm2  # noqa: PLC0415 - see above

    path = spec.path or find_smollm2()
    if not path.is_file():
        raise ModelError(f"{path} is no file; local: takes the path of a GGUF file")
    return EmbeddedModel(path, name=name, timeout_s=timeout_s)


def _require(extra: str, *modules: str) -> None:
    if not all(map(importlib.util.find_spec, modules)):
        command = pip_command(f"pi-longhaul[{extra}]")
        raise ModelError(f"this model needs an extra: {command}")
