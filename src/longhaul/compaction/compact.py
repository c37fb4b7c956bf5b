"""One compaction: from a path and pi's cut to the text and its details.

Two pure halves around one model call: what code finds in the entries, and what it makes of a
model's word about them. Without a model, or when it fails, the first half is the compaction.
"""

from dataclasses import dataclass, replace
from typing import Protocol

from longhaul.compaction.ask import Asked, AskOptions, Mode, ask_model
from longhaul.compaction.carry import dump_details, fold_to
from longhaul.compaction.completion import (
    Completion,
    CompletionRequest,
    PromptMessage,
    ThinkingLevel,
)
from longhaul.compaction.corrected import correct_window
from longhaul.compaction.diff.apply import apply_changes
from longhaul.compaction.diff.build import BuildOptions
from longhaul.compaction.diff.record import CallRecord
from longhaul.compaction.fold import advance_window, drop_edited
from longhaul.compaction.render import Rendered, render
from longhaul.compaction.render.budget import MAX_BUDGET_CHARS, budget_chars
from longhaul.compaction.spans import span_start
from longhaul.compaction.state import State
from longhaul.compaction.statements import ASK_TOOLS
from longhaul.transcript.entries import JsonValue, Path
from longhaul.transcript.projection import find_kept_index

DIFF_TOKENS = 4_096
"""Output limit of a call without thinking; a diff takes a quarter of it."""
THINKING_TOKENS = 16_384
"""The same where a model thinks before it answers, and its thinking counts."""


class Model(Protocol):
    """What answers a request; `longhaul.models` holds those that there are."""

    def complete(self, request: CompletionRequest) -> Completion:
        """Return the reply.

        Raises:
            ModelError: there is none, or not in time; the message says why and what to do.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactOptions:
    """What a user or pi may set for one compaction."""

    instructions: str = ""
    """The user's words with `/compact`; empty where there are none."""
    window_tokens: int | None = None
    """The model's context window; None where it is not known."""
    budget_chars: int = MAX_BUDGET_CHARS
    ask_tools: tuple[str, ...] = ASK_TOOLS
    mode: Mode = "state"
    """How a model is asked, where one is given."""
    thinking: ThinkingLevel | None = None
    """None leaves it to the model: inside pi, to the session's own level."""
    max_output_tokens: int | None = None
    """Thinking included; None for what a diff needs at that level."""
    repeat: int = 1
    model_name: str = ""
    """What the model is called where it does not answer; empty for the session's own."""
    captured: tuple[PromptMessage, ...] = ()
    """For mode `warm`: the session's own last request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a compaction kept, for the one line that the user sees."""

    n_rules: int
    n_values: int
    n_chars: int
    gave_way: tuple[str, ...]
    """Sections of which lines were left out for the budget."""
    over_budget: bool
    note: str = ""
    """Why the carried state was not used; empty where nothing went wrong."""
    call: CallRecord | None = None
    """What the model was asked and what of its answer was used; None where none was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """What pi stores as a compaction entry."""

    summary: str
    first_kept_entry_id: str
    tokens_before: float
    details: dict[str, JsonValue]
    report: Report


def compact(
    path: Path,
    *,
    first_kept_entry_id: str,
    tokens_before: float,
    options: CompactOptions,
    model: Model | None = None,
) -> Compaction:
    """Return the compaction of `path` at the cut that pi chose.

    `first_kept_entry_id` is an entry of `path`; where it is not, nothing is kept and the whole path
    is closed. Without a `model` it is made by code alone, and equal arguments give equal bytes.

    Raises:
        ReplyAwaitedError: a reply is written elsewhere and not there yet.
    """
    kept = find_kept_index(path, len(path), first_kept_entry_id)
    end = len(path) if kept is None else kept
    closed = fold_to(path, end, ask_tools=options.ask_tools)
    asked = _ask(path, closed.state, end, options, model)
    state = apply_changes(closed.state, asked.changes) if asked else closed.state
    call = asked.call if asked else None
    rendered = render_at(state, path, end, options)
    return Compaction(
        summary=rendered.text,
        first_kept_entry_id=first_kept_entry_id,
        tokens_before=tokens_before,
        details=dump_details(
            state, instructions=options.instructions, ask_tools=options.ask_tools, call=call
        ),
        report=_report(rendered, note=closed.note, call=call),
    )


def _ask(
    path: Path, state: State, end: int, options: CompactOptions, model: Model | None
) -> Asked | None:
    """Return what a model says of the span; None where none is asked."""
    if model is None or options.mode == "offline":
        return None
    build = BuildOptions(
        thinking=options.thinking,
        max_output_tokens=options.max_output_tokens or _output_limit_tokens(options),
        window_tokens=options.window_tokens,
        instructions=options.instructions,
        ask_tools=options.ask_tools,
        repeat=options.repeat,
    )
    ask = AskOptions(
        mode=options.mode,
        build=build,
        model_name=options.model_name,
        captured=options.captured,
    )
    start = min(span_start(path), end)
    return ask_model(model.complete, path, state, start=start, end=end, options=ask)


def _output_limit_tokens(options: CompactOptions) -> int:
    """Return how long a reply may be: a few times what a diff takes, with room for thinking.

    At most a quarter of the model's window, where that is known.
    """
    most = DIFF_TOKENS if options.thinking in (None, "off") else THINKING_TOKENS
    if options.window_tokens is None:
        return most
    return max(1, min(most, options.window_tokens // 4))


def _report(rendered: Rendered, *, note: str, call: CallRecord | None) -> Report:
    return Report(
        n_rules=rendered.n_rules,
        n_values=rendered.n_values,
        n_chars=len(rendered.text),
        gave_way=rendered.gave_way,
        over_budget=rendered.over_budget,
        note=note,
        call=call,
    )


def render_at(state: State, path: Path, end: int, options: CompactOptions) -> Rendered:
    """Return the text of `state`, which holds `path[:end]`, as it stands before `path[end:]`.

    What the kept window shows decides which request is worked on now, and its edits and the user's
    corrections count.
    """
    requests = advance_window(state, path, end, ask_tools=options.ask_tools)
    seen = drop_edited(replace(state, requests=requests), path, end, len(path))
    return render(
        correct_window(seen, path, end),
        instructions=options.instructions,
        max_chars=budget_chars(options.window_tokens, options.budget_chars),
    )


def render_whole(path: Path, options: CompactOptions) -> Rendered:
    """Return the text of the state of a whole path, as if all of it were closed."""
    end = len(path)
    return render_at(fold_to(path, end, ask_tools=options.ask_tools).state, path, end, options)
