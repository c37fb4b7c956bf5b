"""Where a provider's model is reached, and whether that is this machine: read off the environment.

Whether a session's text may go there hangs on the answer, so an address counts as this machine's
only by how it is written, and is taken only in a form that no two parsers read differently.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Address, ip_address
from typing import Literal

from longhaul.errors import ModelError
from longhaul.models.specs import ProviderName, ProviderSpec

Api = Literal["openai responses", "openai chat", "anthropic", "google"]

_ADDRESS = re.compile(
    r"(?P<origin>https?://(?P<host>[A-Za-z0-9._-]+|\[[0-9A-Fa-f]*:[0-9A-Fa-f:.]+\])(?::\d{1,5})?)"
    r"(?P<path>/[A-Za-z0-9._~/-]*)?"
)
_LOOPBACK = IPv4Network("127.0.0.0/8")
_LOOPBACK_6 = IPv6Address("::1")
_FORWARDED = re.compile(r"(?:[:-]|^)cloud$", re.IGNORECASE)
"""How Ollama names models that its server on this machine passes on to another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """What is known of a provider beforehand."""

    api: Api
    address_variable: str
    default_address: str | None
    key_variables: tuple[str, ...]
    """Environment variables that hold the key; the first that is set counts."""
    needs_key: bool = False
    """True: only on this machine does it work without one."""
    default_path: str = ""
    """What an address without a path gets."""


PROVIDERS: Mapping[ProviderName, Provider] = {
    "openai": Provider(
        api="openai responses",
        address_variable="OPENAI_BASE_URL",
        default_address="https://api.openai.com/v1",
        key_variables=("OPENAI_API_KEY",),
        needs_key=True,
    ),
    "anthropic": Provider(
        api="anthropic",
        address_variable="ANTHROPIC_BASE_URL",
        default_address="https://api.anthropic.com",
        key_variables=("ANTHROPIC_API_KEY",),
        needs_key=True,
    ),
    "google": Provider(
        api="google",
        address_variable="GOOGLE_GEMINI_BASE_URL",
        default_address="https://generativelanguage.googleapis.com",
        key_variables=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        needs_key=True,
    ),
    "openai-compatible": Provider(
        api="openai chat",
        address_variable="OPENAI_BASE_URL",
        default_address=None,
        key_variables=("OPENAI_API_KEY",),
    ),
    "ollama": Provider(
        api="openai chat",
        address_variable="OLLAMA_BASE_URL",
        default_address="http://127.0.0.1:11434/v1",
        key_variables=("OLLAMA_API_KEY",),
        default_path="/v1",
    ),
    "llama.cpp": Provider(
        api="openai chat",
        address_variable="LLAMA_CPP_BASE_URL",
        default_address="http://127.0.0.1:8080/v1",
        key_variables=("LLAMA_API_KEY",),
        default_path="/v1",
    ),
    "vllm": Provider(
        api="openai chat",
        address_variable="VLLM_BASE_URL",
        default_address="http://127.0.0.1:8000/v1",
        key_variables=("VLLM_API_KEY",),
        default_path="/v1",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A provider's model at the address where it is reached."""

    spec: ProviderSpec
    address: str
    is_loopback: bool
    """The address is this machine's own."""
    key: str | None = field(repr=False)
    """None where none is set and none is needed."""

    @property
    def name(self) -> str:
        """Return `provider/model-id`."""
        return f"{self.spec.provider}/{self.spec.model_id}"

    @property
    def is_on_this_machine(self) -> bool:
        """Return whether the model answers here: a server here may pass a model on to another."""
        return self.is_loopback and not _FORWARDED.search(self.spec.model_id)


def find_server(spec: ProviderSpec, environment: Mapping[str, str]) -> Server:
    """Return where `spec` is reached.

    Raises:
        ModelError: the address or the key is missing, or the address is none; what is in either is
            not repeated.
    """
    provider = PROVIDERS[spec.provider]
    address = environment.get(provider.address_variable, "").strip() or provider.default_address
    if address is None:
        raise ModelError(f"{spec.provider}: set {provider.address_variable} to the server's URL")
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise ModelError(
            f"{provider.address_variable}: expected http(s)://host:port/path without a login;"
            f" a key goes into {provider.key_variables[0]}"
        )
    path = (match["path"] or "").rstrip("/") or provider.default_path
    loopback = _is_loopback(match["host"])
    key = _find_key(provider, environment)
    if key is None and provider.needs_key and not loopback:
        raise ModelError(f"{spec.provider}: set {' or '.join(provider.key_variables)} to your key")
    return Server(spec=spec, address=match["origin"] + path, is_loopback=loopback, key=key)


def _find_key(provider: Provider, environment: Mapping[str, str]) -> str | None:
    for variable in provider.key_variables:
        key = environment.get(variable, "").strip()
        if not (key.isascii() and key.isprintable()):
            raise ModelError(f"{variable}: holds what is in no key; set it anew")
        if key:
            return key
    return None


def _is_loopback(host: str) -> bool:
    """Return whether `host` is this machine by its own writing; no name is looked up."""
    if host.lower() == "localhost":
        return True
    try:
        address = ip_address(host.strip("[]"))
    except ValueError:
        return False
    return address in _LOOPBACK or address == _LOOPBACK_6
