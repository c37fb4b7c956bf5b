"""What a provider's failure comes to, in one line that says what to do and holds no key."""

from collections.abc import Mapping

from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelRequestTimeout,
    ModelServerError,
    ModelUnavailableError,
)

from longhaul.compaction.render.escape import clip, escape_text
from longhaul.compaction.secrets import mask_secrets
from longhaul.models.servers import PROVIDERS, Server

_LATE = (
    "no answer in time; allow it more (callDeadlineSeconds in longhaul.json),"
    " or name a faster model"
)
_MEANINGS: tuple[tuple[type[AgentRunError], str], ...] = (
    (ModelRequestTimeout, _LATE),
    (ModelAuthenticationError, "the key was refused; check {keys}"),
    (ModelQuotaExceededError, "the credit or quota is used up; add to it, or name another model"),
    (ModelRateLimitError, "asked too often; try again later"),
    (ModelContextWindowExceededError, "the request is longer than its window; name another model"),
    (ModelNotFoundError, "no such model there; check its id and {address}"),
    (ModelRequestRejectedError, "the request was refused"),
    (ModelConnectionError, "cannot be reached; check the network and {address}"),
    (ModelUnavailableError, "the server failed; try again later"),
    (ModelServerError, "the server failed; try again later"),
)
"""What each kind of failure means; the first that fits counts."""
_NO_COMPLETION = "the answer is no completion; check {address}"
_MAX_DETAIL_CHARS = 200


def failure_text(error: AgentRunError, server: Server) -> str:
    """Return what `error` of a request to `server` means and what to do about it."""
    known = next((text for kind, text in _MEANINGS if isinstance(error, kind)), _NO_COMPLETION)
    provider = PROVIDERS[server.spec.provider]
    keys = " or ".join(provider.key_variables)
    what = known.format(keys=keys, address=provider.address_variable)
    return f"{server.name}: {what}{_detail(error, server.key)}"


def server_message(error: AgentRunError) -> str:
    """Return what the server itself says about a failure; empty where it says nothing."""
    body = error.body if isinstance(error, ModelAPIError) else None
    while isinstance(body, Mapping):
        body = body.get("error") or body.get("message") or body.get("detail")
    return body if isinstance(body, str) else ""


def _detail(error: AgentRunError, key: str | None) -> str:
    """Return the status and the server's own words in brackets, or nothing.

    About a refused key a server repeats parts of it, so its words are left out there.
    """
    status = f"HTTP {error.status_code}" if isinstance(error, ModelHTTPError) else ""
    said = "" if isinstance(error, ModelAuthenticationError) else server_message(error)
    bare = said.replace(key, "[key]") if key else said
    shown = clip(escape_text(mask_secrets(bare[: 10 * _MAX_DETAIL_CHARS])), _MAX_DETAIL_CHARS)
    detail = ": ".join(filter(None, (status, shown)))
    return f" ({detail})" if detail else ""
