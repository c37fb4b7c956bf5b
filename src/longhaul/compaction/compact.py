"""One compaction without a model: from a path and pi's cut to the text and its details."""

from dataclasses import dataclass, replace
from typing import Protocol

from longhaul.compaction.carry import dump_details, fold_to
from longhaul.compaction.completion import Completion, CompletionRequest
from longhaul.compaction.fold import advance_window, drop_edited
from longhaul.compaction.render import Rendered, render
from longhaul.compaction.render.budget import MAX_BUDGET_CHARS, budget_chars
from longhaul.compaction.state import State
from longhaul.compaction.statements import ASK_TOOLS
from longhaul.transcript.entries import JsonValue, Path
from longhaul.transcript.projection import find_kept_index


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """What pi stores as a compaction entry."""

    summary: str
    first_kept_entry_id: str
    tokens_before: float
    details: dict[str, JsonValue]
    report: Report


def compact_offline(
    path: Path, *, first_kept_entry_id: str, tokens_before: float, options: CompactOptions
) -> Compaction:
    """Return the compaction of `path` at the cut that pi chose, made by code alone.

    `first_kept_entry_id` is an entry of `path`; where it is not, nothing is kept and the whole path
    is closed. Equal arguments give equal bytes.
    """
    kept = find_kept_index(path, len(path), first_kept_entry_id)
    end = len(path) if kept is None else kept
    closed = fold_to(path, end, ask_tools=options.ask_tools)
    rendered = render_at(closed.state, path, end, options)
    report = Report(
        n_rules=rendered.n_rules,
        n_values=rendered.n_values,
        n_chars=len(rendered.text),
        gave_way=rendered.gave_way,
        over_budget=rendered.over_budget,
        note=closed.note,
    )
    return Compaction(
        summary=rendered.text,
        first_kept_entry_id=first_kept_entry_id,
        tokens_before=tokens_before,
        details=dump_details(
            closed.state, instructions=options.instructions, ask_tools=options.ask_tools
        ),
        report=report,
    )


def render_at(state: State, path: Path, end: int, options: CompactOptions) -> Rendered:
    """Return the text of `state`, which holds `path[:end]`, as it stands before `path[end:]`.

    What the kept window shows decides which request is worked on now, and its edits count.
    """
    requests = advance_window(state, path, end, ask_tools=options.ask_tools)
    seen = drop_edited(replace(state, requests=requests), path, end, len(path))
    return render(
        seen,
        instructions=options.instructions,
        max_chars=budget_chars(options.window_tokens, options.budget_chars),
    )


def render_whole(path: Path, options: CompactOptions) -> Rendered:
    """Return the text of the state of a whole path, as if all of it were closed."""
    end = len(path)
    return render_at(fold_to(path, end, ask_tools=options.ask_tools).state, path, end, options)
