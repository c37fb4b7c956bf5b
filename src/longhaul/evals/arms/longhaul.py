"""Longhaul's own arms: the package's compaction, as pi's extension asks for it."""

import time
from dataclasses import dataclass, replace
from functools import partial

from longhaul.compaction.ask import Mode
from longhaul.compaction.compact import Compaction, CompactOptions, Model, compact
from longhaul.compaction.completion import PromptMessage, ThinkingLevel
from longhaul.compaction.diff.items import count_items
from longhaul.compaction.diff.record import CallRecord
from longhaul.evals.arms.arm import Arm, Handed, Made

_VALUES_HEADING = "## Learned values"


@dataclass(frozen=True, slots=True, kw_only=True)
class LonghaulSetup:
    """How Longhaul compacts."""

    mode: Mode
    model: Model | None = None
    """None asks no model."""
    model_name: str = ""
    thinking: ThinkingLevel | None = None
    window_tokens: int | None = None
    """Sets the state's budget; None takes the window that the session was recorded with, as it
    would inside pi."""
    max_output_tokens: int | None = None
    """None for what a diff needs."""


def open_longhaul(setup: LonghaulSetup) -> Arm:
    """Return the arm that compacts so."""
    return partial(run_longhaul, setup)


def run_longhaul(
    setup: LonghaulSetup, handed: Handed, *, captured: tuple[PromptMessage, ...] = ()
) -> Made:
    """Return Longhaul's compaction; `captured` is the session's own last request, for `warm`."""
    recorded = handed.cut.entry
    options = CompactOptions(
        mode=setup.mode,
        window_tokens=setup.window_tokens or handed.settings.window_tokens,
        thinking=setup.thinking,
        max_output_tokens=setup.max_output_tokens,
        model_name=setup.model_name,
        repeat=handed.repeat,
        captured=captured,
    )
    start = time.perf_counter()
    compaction = compact(
        handed.path,
        first_kept_entry_id=recorded.first_kept_entry_id,
        tokens_before=recorded.tokens_before,
        options=options,
        model=setup.model,
    )
    return describe(compaction, seconds=time.perf_counter() - start)


def describe(compaction: Compaction, *, seconds: float) -> Made:
    """Return a compaction of Longhaul's as an arm gives it; `seconds` is how long all of it took.

    Where a model was asked, its own time counts, as for every arm.
    """
    made = Made(
        text=compaction.summary,
        details=compaction.details,
        seconds=seconds,
        note=compaction.report.note,
    )
    call = compaction.report.call
    return made if call is None else describe_call(made, call)


def describe_call(made: Made, call: CallRecord) -> Made:
    """Return a compaction of Longhaul's with what its model call took, and what came of it."""
    return replace(
        made,
        tokens_in=call.tokens_in,
        tokens_out=call.tokens_out,
        tokens_cached=call.tokens_cached,
        seconds=call.seconds,
        n_calls=call.n_calls,
        note=call.failure or made.note,
        is_narrative_less=_is_narrative_less(call),
        n_dropped=sum(not dropped.marked for dropped in call.dropped),
    )


def without_values(made: Made) -> Made:
    """Return a compaction of Longhaul's with its section of learned values taken out.

    It cost no call, and nothing goes on from it: the state that is carried is as it was.
    """
    kept: list[str] = []
    inside = False
    for line in made.text.splitlines(keepends=True):
        if line.startswith("## "):
            inside = line.strip() == _VALUES_HEADING
        if not inside:
            kept.append(line)
    return Made(text="".join(kept).rstrip() + "\n", details=made.details)


def _is_narrative_less(call: CallRecord) -> bool:
    return bool(call.failure) and not count_items(call.diff)
