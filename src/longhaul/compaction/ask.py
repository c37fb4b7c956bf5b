"""The one model call of a compaction: asked, parsed, held against the entries, and kept."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from longhaul.compaction.completion import Completion, CompletionRequest, PromptMessage
from longhaul.compaction.diff.build import (
    BuildOptions,
    Built,
    build_request,
    build_turn_requests,
    build_warm_request,
)
from longhaul.compaction.diff.changes import Changes
from longhaul.compaction.diff.items import Diff
from longhaul.compaction.diff.parse import Unusable, parse_diff
from longhaul.compaction.diff.record import CallRecord
from longhaul.compaction.diff.verify import verify_diff
from longhaul.compaction.render.quoting import safe_line
from longhaul.compaction.state import State
from longhaul.errors import ModelError, ReplyAwaitedError
from longhaul.transcript.entries import Path

Mode = Literal["offline", "state", "turns", "warm"]
Complete: TypeAlias = Callable[[CompletionRequest], Completion]
"""A model's `complete`."""
_MAX_LINE_CHARS = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOptions:
    """How a model is asked."""

    mode: Mode = "state"
    build: BuildOptions
    model_name: str = ""
    """What the model is called, for a record without a reply; empty for the session's own."""
    captured: tuple[PromptMessage, ...] = ()
    """For `warm`: the session's own last request; without one, it is asked as `state` is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a model's word changes, and the record of the call."""

    changes: Changes
    call: CallRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reply:
    """One request's outcome: the items of its reply, and what went wrong, if anything."""

    diff: Diff
    completion: Completion | None
    failure: str


def ask_model(
    complete: Complete, path: Path, state: State, *, start: int, end: int, options: AskOptions
) -> Asked:
    """Return what a model says that `path[start:end]` changed, as far as the entries bear it out.

    `state` is what code found in `path[:end]`. A model that fails, or whose reply cannot be used,
    changes nothing beyond what of its reply is valid; the record says why. `complete` raises
    ModelError where it has no reply.

    Raises:
        ReplyAwaitedError: a reply is written elsewhere and not there yet.
    """
    try:
        requests = _requests(path, state, start, end, options)
        replies = _replies(complete, requests)
    except ModelError as error:
        if isinstance(error, ReplyAwaitedError):
            raise
        requests, replies = (), [_failed(error)]  # the window holds no request
    said = _joined([reply.diff for reply in replies])
    ask_tools = options.build.ask_tools
    verified = verify_diff(said, state, path, start=start, end=end, ask_tools=ask_tools)
    call = _record([reply.completion for reply in replies if reply.completion], options)
    clipped = tuple(dict.fromkeys(text for built in requests for text in built.clipped))
    failures = dict.fromkeys(reply.failure for reply in replies if reply.failure)
    return Asked(
        changes=verified.changes,
        call=replace(
            call,
            failure=_line("; ".join(failures)),
            clipped=clipped,
            diff=verified.kept,
            dropped=verified.dropped,
        ),
    )


def _requests(
    path: Path, state: State, start: int, end: int, options: AskOptions
) -> tuple[Built, ...]:
    build = options.build
    if options.mode == "turns":
        return build_turn_requests(path, state, start=start, end=end, options=build)
    if options.mode == "warm" and options.captured:
        captured = options.captured
        return (build_warm_request(captured, path, state, start=start, end=end, options=build),)
    return (build_request(path, state, start=start, end=end, options=build),)


def _replies(complete: Complete, requests: Sequence[Built]) -> list[_Reply]:
    """Return one outcome a request; every request is made before an awaited reply is reported."""
    replies: list[_Reply] = []
    awaited: list[ReplyAwaitedError] = []
    for built in requests:
        try:
            replies.append(_read(complete(built.request)))
        except ReplyAwaitedError as error:
            awaited.append(error)
        except ModelError as error:
            replies.append(_failed(error))
            break  # what failed once would fail for each turn, and take its time each time
    if awaited:
        raise ReplyAwaitedError(f"{len(awaited)} of {len(requests)} replies missing; {awaited[-1]}")
    return replies


def _failed(error: ModelError) -> _Reply:
    return _Reply(diff=Diff(), completion=None, failure=str(error))


def _read(completion: Completion) -> _Reply:
    parsed = parse_diff(completion.text, stop_reason=completion.stop_reason)
    if isinstance(parsed, Unusable):
        return _Reply(diff=Diff(), completion=completion, failure=parsed.reason)
    cut = () if parsed.complete else (_cut_text(completion),)
    failure = "; ".join((*cut, *parsed.problems))
    return _Reply(diff=parsed.diff, completion=completion, failure=failure)


def _cut_text(completion: Completion) -> str:
    if completion.stop_reason == "length":
        return "the reply was cut at the output limit"
    return "the reply ends in the middle"


def _joined(diffs: Iterable[Diff]) -> Diff:
    parts = tuple(diffs)
    return Diff(
        rules=tuple(item for diff in parts for item in diff.rules),
        lifts=tuple(item for diff in parts for item in diff.lifts),
        one_offs=tuple(item for diff in parts for item in diff.one_offs),
        values=tuple(item for diff in parts for item in diff.values),
        notes=tuple(item for diff in parts for item in diff.notes),
    )


def _record(completions: Sequence[Completion], options: AskOptions) -> CallRecord:
    seconds = [one.seconds for one in completions if one.seconds is not None]
    return CallRecord(
        mode=options.mode,
        model=_line(completions[-1].model if completions else options.model_name),
        thinking=options.build.thinking,
        tokens_in=_total(one.tokens_in for one in completions),
        tokens_out=_total(one.tokens_out for one in completions),
        tokens_cached=_total(one.tokens_cached for one in completions),
        seconds=round(sum(seconds), 3) if seconds else None,
        n_calls=len(completions),
    )


def _total(counts: Iterable[int | None]) -> int | None:
    """Return the sum of what is known; None where nothing is."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _line(text: str) -> str:
    """Return an adapter's words as they may stand in a session: nothing in them acts."""
    return safe_line(text, _MAX_LINE_CHARS)
