"""What the requests of the extension carry, checked once."""

from dataclasses import dataclass
from typing import get_args

from longhaul.compaction.completion import ThinkingLevel
from longhaul.compaction.corrections import Verb
from longhaul.pi.protocol import INVALID_PARAMS, Params, ProtocolError
from longhaul.transcript.entries import JsonValue

THINKING_LEVELS: tuple[ThinkingLevel, ...] = get_args(ThinkingLevel)
VERBS: tuple[Verb, ...] = get_args(Verb)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where one path of a session is to be read from, and what pi has set for it."""

    session_id: str
    leaf_id: str
    session_file: str | None
    """Absolute path of the session file; None where `records` are sent."""
    records: tuple[Params, ...] = ()
    """The header and the entries from root to leaf, of a session that has no file."""
    context_window: int | None = None
    """Tokens of the session's model; None where pi does not know."""
    model: str = ""
    """`provider/model-id` of the session's model; empty where none is chosen."""
    thinking: ThinkingLevel | None = None
    """The session's own level; None where pi does not say."""
    model_is_local: bool = False
    """Whether pi asks the session's model on this machine."""
    is_local_only: bool = True
    """Whether the session must not leave the machine, as far as the extension can tell."""
    project_is_trusted: bool = False
    """Whether the user trusts the project that the session belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectParams:
    """A correction that the user asks for."""

    source: Source
    verb: Verb
    argument: str
    """What stands behind the verb: a rule's name, or the words of a rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesParams:
    """Which rules a correction may name."""

    source: Source
    verb: Verb


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactParams:
    """What pi is about to compact."""

    source: Source
    first_kept_entry_id: str
    tokens_before: int
    instructions: str = ""
    """What the user wrote after `/compact`."""


def parse_source(params: Params) -> Source:
    """Return where the session of a request is.

    Raises:
        ProtocolError: a field is missing or of another type; the message names it.
    """
    session_file = params.get("sessionFile")
    if session_file is not None and not isinstance(session_file, str):
        raise _unexpected("sessionFile", "str or null", session_file)
    window, thinking = params.get("contextWindow"), params.get("thinkingLevel")
    return Source(
        session_id=_text(params, "sessionId"),
        leaf_id=_text(params, "leafId"),
        session_file=session_file,
        records=() if session_file is not None else _records(params, "records"),
        context_window=window if isinstance(window, int) and window > 0 else None,
        model=_text(params, "model") if params.get("model") is not None else "",
        thinking=next((level for level in THINKING_LEVELS if level == thinking), None),
        model_is_local=params.get("modelIsLocal") is True,
        # Where it is not said, the session must not leave the machine, and nothing is trusted.
        is_local_only=params.get("localOnly") is not False,
        project_is_trusted=params.get("projectTrusted") is True,
    )


def parse_compact(params: Params) -> CompactParams:
    """Return the compaction that a request asks for.

    Raises:
        ProtocolError: a field is missing or of another type; the message names it.
    """
    tokens_before = params.get("tokensBefore")
    if isinstance(tokens_before, bool) or not isinstance(tokens_before, int | float):
        raise _unexpected("tokensBefore", "number", tokens_before)
    return CompactParams(
        source=parse_source(params),
        first_kept_entry_id=_text(params, "firstKeptEntryId"),
        tokens_before=int(tokens_before),
        instructions=_text(params, "instructions") if "instructions" in params else "",
    )


def parse_correct(params: Params) -> CorrectParams:
    """Return the correction that a request asks for.

    Raises:
        ProtocolError: a field is missing or of another type; the message names it.
    """
    argument = _text(params, "argument")
    return CorrectParams(source=parse_source(params), verb=_verb(params), argument=argument)


def parse_rules(params: Params) -> RulesParams:
    """Return which rules a request asks for.

    Raises:
        ProtocolError: a field is missing or of another type; the message names it.
    """
    return RulesParams(source=parse_source(params), verb=_verb(params))


def _verb(params: Params) -> Verb:
    verb = next((verb for verb in VERBS if verb == params.get("verb")), None)
    if verb is None:
        raise ProtocolError(INVALID_PARAMS, f"verb: expected one of {', '.join(VERBS)}")
    return verb


def _text(params: Params, name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise _unexpected(name, "str", value)
    return value


def _records(params: Params, name: str) -> tuple[Params, ...]:
    value = params.get(name)
    if not isinstance(value, list):
        raise _unexpected(name, "list", value)
    return tuple(item for item in value if isinstance(item, dict))


def _unexpected(name: str, expected: str, value: JsonValue) -> ProtocolError:
    message = f"{name}: expected {expected}, got {type(value).__name__}"
    return ProtocolError(INVALID_PARAMS, message)
