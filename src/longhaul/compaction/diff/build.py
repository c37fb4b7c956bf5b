"""The request for a diff: what a model is told, and the digest of a span that it sees."""

import json
from dataclasses import dataclass, replace

from longhaul.compaction.completion import CompletionRequest, PromptMessage, ThinkingLevel
from longhaul.compaction.diff.candidates import Candidates, find_candidates
from longhaul.compaction.diff.digest import Digest, fill_digest
from longhaul.compaction.diff.framing import data_line, estimate_prompt_tokens, most_tokens
from longhaul.compaction.diff.instructions import CLOSING, INSTRUCTIONS
from longhaul.compaction.diff.pi_request import PiRequest, estimate_pi_request
from longhaul.compaction.carry import DETAILS_KEY
from longhaul.compaction.diff.room import (
    CHARS_PER_TOKEN,
    LEAST_DIGEST_TOKENS,
    digest_room_tokens,
    fit_window,
)
from longhaul.compaction.diff.schema import DIFF_SCHEMA, SCHEMA_TOKENS
from longhaul.compaction.diff.turn_lines import TurnLine, find_turn_lines
from longhaul.compaction.state import State
from longhaul.compaction.statements import ASK_TOOLS, count_turns
from longhaul.errors import ModelError
from longhaul.transcript.entries import CompactionEntry, Path

_SUMMARY_CHARS = 800
_FOCUS_CHARS = 500


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
    """Instructions, digest and schema: providers count a schema as input."""
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
    n_turns = state.n_turns - count_turns(path, start, end)
    lines = find_turn_lines(
        path, start=start, end=end, n_turns=n_turns, ask_tools=options.ask_tools
    )
    first_turn = lines[0].turn if lines else n_turns
    candidates = find_candidates(state, first_turn=first_turn)
    pi = estimate_pi_request(path, start=start, end=end, instructions=options.instructions)
    return _build(candidates, lines, _other_summary(path), pi, options)


def build_turn_requests(
    path: Path, state: State, *, start: int, end: int, options: BuildOptions
) -> tuple[Built, ...]:
    """Return a request for each turn of `path[start:end]`, oldest first; at least one.

    All have the same names, so that their diffs are merged by putting their lists behind each
    other. Each digest has the room that the one of `build_request` would have.
    """
    n_turns = state.n_turns - count_turns(path, start, end)
    lines = find_turn_lines(
        path, start=start, end=end, n_turns=n_turns, ask_tools=options.ask_tools
    )
    pi = estimate_pi_request(path, start=start, end=end, instructions=options.instructions)
    turns = sorted({line.turn for line in lines})
    built: list[Built] = []
    for turn in turns or [n_turns]:
        candidates = find_candidates(state, first_turn=turn, last_turn=turn)
        if built:  # what stands before the span is offered once
            candidates = replace(candidates, earlier=(), earlier_values=())
        of_turn = [line for line in lines if line.turn == turn]
        built.append(_build(candidates, of_turn, "", pi, options))
    return tuple(built)


def _build(
    candidates: Candidates,
    lines: list[TurnLine],
    summary: str,
    pi: PiRequest,
    options: BuildOptions,
) -> Built:
    room_tokens = digest_room_tokens(pi, overhead_tokens=_overhead_tokens(options))

    def fill(max_chars: int) -> Digest:
        return fill_digest(candidates, lines, summary=summary, max_chars=max_chars)

    digest = fit_window(fill, room_tokens * CHARS_PER_TOKEN, _window_left(options))
    messages = (
        PromptMessage("system", INSTRUCTIONS),
        PromptMessage("user", f"{digest.text}\n{_closing(options)}"),
    )
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
        request_tokens=sum(estimate_prompt_tokens(one.text) for one in messages) + SCHEMA_TOKENS,
        pi_tokens=pi.tokens,
        clipped=digest.clipped,
    )


def _overhead_tokens(options: BuildOptions) -> int:
    closing = estimate_prompt_tokens(_closing(options))
    return estimate_prompt_tokens(INSTRUCTIONS) + closing + SCHEMA_TOKENS + 1


def _closing(options: BuildOptions) -> str:
    """Return what stands behind the frame; what the user asked for with `/compact` is no rule."""
    if not options.instructions.strip():
        return CLOSING
    focus = data_line(options.instructions, _FOCUS_CHARS)
    return f"The user asks the narrative to look at: {focus}\n{CLOSING}"


def _window_left(options: BuildOptions) -> int | None:
    """Return the tokens that the window leaves for a digest; None where it is not known.

    Raises:
        ModelError: it leaves none.
    """
    if options.window_tokens is None:
        return None
    fixed = most_tokens(f"{INSTRUCTIONS}{_closing(options)}{json.dumps(DIFF_SCHEMA)}")
    left = options.window_tokens - options.max_output_tokens - fixed
    if left < LEAST_DIGEST_TOKENS:
        raise ModelError(
            f"a window of {options.window_tokens:,} tokens holds no request beside"
            f" {options.max_output_tokens:,} tokens of output: choose another model"
        )
    return left


def _other_summary(path: Path) -> str:
    """Return what another compactor wrote last, clipped; empty where Longhaul was the last."""
    newest = next((one for one in reversed(path) if isinstance(one, CompactionEntry)), None)
    if newest is None or DETAILS_KEY in (newest.details or {}):
        return ""
    return data_line(newest.summary, _SUMMARY_CHARS)
