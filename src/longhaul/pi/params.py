"""What the requests of the extension carry, checked once."""

from dataclasses import dataclass
from typing import get_args

from longhaul.compaction.completion import THINKING_LEVELS, ThinkingLevel
from longhaul.compaction.corrections import Verb
from longhaul.pi.fields import parse_number, parse_records, parse_text, parse_text_or_null
from longhaul.pi.protocol import INVALID_PARAMS, Params, ProtocolError
from longhaul.transcript.shapes import find_literal

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
    session_file = parse_text_or_null(params, "sessionFile")
    window = params.get("contextWindow")
    return Source(
        session_id=parse_text(params, "sessionId"),
        leaf_id=parse_text(params, "leafId"),
        session_file=session_file,
        records=() if session_file is not None else parse_records(params, "records"),
        context_window=window if isinstance(window, int) and window > 0 else None,
        thinking=find_literal(params.get("thinkingLevel"), THINKING_LEVELS),
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
    return CompactParams(
        source=parse_source(params),
        first_kept_entry_id=parse_text(params, "firstKeptEntryId"),
        tokens_before=int(parse_number(params, "tokensBefore")),
        instructions=parse_text(params, "instructions") if "instructions" in params else "",
    )


def parse_correct(params: Params) -> CorrectParams:
    """Return the correction that a request asks for.

    Raises:
        ProtocolError: a field is missing or of another type; the message names it.
    """
    argument = parse_text(params, "argument")
    return CorrectParams(source=parse_source(params), verb=_verb(params), argument=argument)


def parse_rules(params: Params) -> RulesParams:
    """Return which rules a request asks for.

    Raises:
        ProtocolError: a field is missing or of another type; the message names it.
    """
    return RulesParams(source=parse_source(params), verb=_verb(params))


def _verb(params: Params) -> Verb:
    verb = find_literal(params.get("verb"), VERBS)
    if verb is None:
        raise ProtocolError(INVALID_PARAMS, f"verb: expected one of {', '.join(VERBS)}")
    return verb
