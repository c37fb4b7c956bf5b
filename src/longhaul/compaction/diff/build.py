"""The request for a diff: what a model is told, and the digest of a span that it sees."""

from dataclasses import dataclass, replace

from longhaul.compaction.completion import CompletionRequest, PromptMessage, ThinkingLevel
from longhaul.compaction.diff.candidates import Candidates, find_candidates
from longhaul.compaction.diff.digest import Digest, fill_digest
from longhaul.compaction.diff.framing import data_line, estimate_prompt_tokens, most_tokens
from longhaul.compaction.diff.instructions import CLOSING, INSTRUCTIONS
from longhaul.compaction.diff.pi_request import PiRequest, estimate_pi_request
from longhaul.compaction.diff.record import DETAILS_KEY
from longhaul.compaction.diff.room import (
    CHARS_PER_TOKEN,
    digest_room_tokens,
    fit_window,
    overhead_tokens,
    window_left_tokens,
    words_tokens,
)
from longhaul.compaction.diff.schema import DIFF_SCHEMA
from longhaul.compaction.diff.turn_lines import TurnLine, find_turn_lines
from longhaul.compaction.diff.warm import WARM_PREAMBLE, find_messages_since, name_messages
from longhaul.compaction.state import State
from longhaul.compaction.statements import ASK_TOOLS, count_turns
from longhaul.transcript.entries import CompactionEntry, Path

_SUMMARY_CHARS = 800
"""Most characters of another compactor's summary."""
_FOCUS_CHARS = 500
"""Most characters of the user's words with `/compact`."""
_WARM_CHARS = 8_000
"""Room for the names beside a captured request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """What a caller sets of a request."""

    thinking: ThinkingLevel | None = None
    max_output_tokens: int = 4_096
    window_tokens: int | None = None
    """The window of the model that is to answer; None where it is not known."""
    instructions: str = ""
    """The user's words with `/compact`."""
    ask_tools: tuple[str, ...] = ASK_TOOLS
    repeat: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A request, and what it costs as pi estimates tokens."""

    request: CompletionRequest
    digest_tokens: int
    request_tokens: int
    """Instructions and digest; where a provider is sent the schema, `SCHEMA_TOKENS` more."""
    pi_tokens: int
    """What pi's own compaction would send for the same span."""
    clipped: tuple[str, ...]
    """What of the span was cut or left out, a phrase each; the request says so too."""


def build_request(
    path: Path, state: State, *, start: int, end: int, options: BuildOptions
) -> Built:
    """Return the one request of a compaction that closes `path[start:end]`.

    `state` is the offline state of `path[:end]`; `path` goes on to where the compaction was asked
    for. Equal arguments give equal requests.

    Raises:
        ModelError: the model's window cannot hold a request; the message says what to do.
    """
    span = _read_span(path, state, start, end, options)
    candidates = find_candidates(state, first_turn=span.first_turn)
    return _build(candidates, span.lines, _other_summary(path), span.pi, options)


def build_turn_requests(
    path: Path, state: State, *, start: int, end: int, options: BuildOptions
) -> tuple[Built, ...]:
    """Return a request for each turn of `path[start:end]`, oldest first; at least one.

    All have the same names, so that their diffs are merged by putting their lists behind each
    other. Each digest has the room that the one of `build_request` would have.
    """
    span = _read_span(path, state, start, end, options)
    turns = sorted({line.turn for line in span.lines})
    built: list[Built] = []
    for turn in turns or [span.first_turn]:
        candidates = find_candidates(state, first_turn=turn, last_turn=turn)
        if built:  # what stands before the span is offered once
            candidates = replace(candidates, earlier=(), earlier_values=())
        of_turn = [line for line in span.lines if line.turn == turn]
        built.append(_build(candidates, of_turn, "", span.pi, options))
    return tuple(built)


def build_warm_request(
    captured: tuple[PromptMessage, ...],
    path: Path,
    state: State,
    *,
    start: int,
    end: int,
    options: BuildOptions,
) -> Built:
    """Return a request that repeats `captured`, the session's own last one, and then asks.

    A provider reads the repeated part from its cache. Where it would not fit in the window, the
    request is the one of `build_request`.

    Raises:
        ModelError: as `build_request` does.
    """
    span = _read_span(path, state, start, end, options)
    candidates = find_candidates(state, first_turn=span.first_turn)
    names = fill_digest(candidates, name_messages(span.lines), max_chars=_WARM_CHARS)
    preamble = WARM_PREAMBLE.format(first=span.first_turn, last=state.n_turns)
    asked = f"{preamble}\n\n{INSTRUCTIONS}\n\n{names.text}\n{_closing(options)}"
    since = find_messages_since(captured, path, end)
    messages = (*captured, *since, PromptMessage("user", asked))
    most = sum(most_tokens(message.text) for message in messages)
    if options.window_tokens and most > options.window_tokens - options.max_output_tokens:
        return build_request(path, state, start=start, end=end, options=options)
    return _built(messages, names, span.pi, options)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    """What was read of a span."""

    lines: list[TurnLine]
    first_turn: int
    pi: PiRequest


def _read_span(path: Path, state: State, start: int, end: int, options: BuildOptions) -> _Span:
    n_turns = state.n_turns - count_turns(path, start, end)
    lines = find_turn_lines(
        path, start=start, end=end, n_turns=n_turns, ask_tools=options.ask_tools
    )
    return _Span(
        lines=lines,
        first_turn=lines[0].turn if lines else n_turns,
        pi=estimate_pi_request(path, start=start, end=end, instructions=options.instructions),
    )


def _build(
    candidates: Candidates,
    lines: list[TurnLine],
    summary: str,
    pi: PiRequest,
    options: BuildOptions,
) -> Built:
    closing = _closing(options)
    room_tokens = digest_room_tokens(
        pi, overhead_tokens=overhead_tokens(closing), words_tokens=words_tokens(candidates, lines)
    )
    left = window_left_tokens(options.window_tokens, options.max_output_tokens, closing=closing)

    def fill(max_chars: int) -> Digest:
        return fill_digest(candidates, lines, summary=summary, max_chars=max_chars)

    digest = fit_window(fill, room_tokens * CHARS_PER_TOKEN, left)
    messages = (
        PromptMessage("system", INSTRUCTIONS),
        PromptMessage("user", f"{digest.text}\n{closing}"),
    )
    return _built(messages, digest, pi, options)


def _built(
    messages: tuple[PromptMessage, ...], digest: Digest, pi: PiRequest, options: BuildOptions
) -> Built:
    request = CompletionRequest(
        messages=messages,
        schema=DIFF_SCHEMA,
        thinking=options.thinking,
        max_output_tokens=options.max_output_tokens,
        repeat=options.repeat,
    )
    return Built(
        request=request,
        digest_tokens=estimate_prompt_tokens(digest.text),
        request_tokens=sum(estimate_prompt_tokens(one.text) for one in messages),
        pi_tokens=pi.tokens,
        clipped=digest.clipped,
    )


def _closing(options: BuildOptions) -> str:
    """Return what stands behind the frame; what the user asked for with `/compact` is no rule."""
    if not options.instructions.strip():
        return CLOSING
    focus = data_line(options.instructions, _FOCUS_CHARS)
    return f"The user asks the narrative to look at: {focus}\n{CLOSING}"


def _other_summary(path: Path) -> str:
    """Return what another compactor wrote last, clipped; empty where Longhaul was the last."""
    newest = next((one for one in reversed(path) if isinstance(one, CompactionEntry)), None)
    if newest is None or DETAILS_KEY in (newest.details or {}):
        return ""
    return f"- {data_line(newest.summary, _SUMMARY_CHARS)}"
