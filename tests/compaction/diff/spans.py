"""Spans that requests are built for: a recorded one cut many times, and built ones."""

from collections.abc import Iterator
from typing import NamedTuple

from longhaul.compaction.cut import CompactionSettings, prepare_compaction
from longhaul.compaction.diff.build import BuildOptions, Built, build_request
from longhaul.compaction.fold import advance
from longhaul.compaction.state import State
from longhaul.pi.sessions import load_session
from longhaul.transcript.entries import CompactionEntry, Entry, Path
from longhaul.transcript.projection import find_kept_index, project_path
from longhaul.transcript.tokens import estimate_tokens
from tests import build
from tests.pinned import ROOT

DEMO = load_session(ROOT / "eval" / "demo" / "tidewatch.jsonl").path


class Span(NamedTuple):
    """What a compaction closes: `path[start:end]`."""

    path: Path
    start: int
    end: int


def state_of(path: Path, end: int) -> State:
    return advance(State(), path, 0, end)


def build_whole(path: Path, options: BuildOptions | None = None) -> Built:
    """Return the request for all of a path but its last entry."""
    end = len(path) - 1
    return build_request(
        path, state_of(path, end), start=0, end=end, options=options or BuildOptions()
    )


def build_span(span: Span, options: BuildOptions | None = None) -> Built:
    path, start, end = span
    state = state_of(path, end)
    return build_request(path, state, start=start, end=end, options=options or BuildOptions())


def text_of(built: Built) -> str:
    """Return the digest and what stands behind it."""
    return built.request.messages[-1].text


def chained_spans(entries: Path, *, window: int, keep: int, summary: str) -> Iterator[Span]:
    """Yield the spans that pi's compactions of a session close, each time its context is full.

    `summary` stands for what each of them leaves in the context.
    """
    path: list[Entry] = []
    start = 0
    for entry in entries:
        path.append(entry)
        span = full_span(tuple(path), start, window=window, keep=keep)
        if span is not None:
            yield span
            start = span.end
            kept_id = path[start].id
            path.append(made_compaction(path, kept_id, summary))


def full_span(path: Path, start: int, *, window: int, keep: int) -> Span | None:
    tokens = sum(estimate_tokens(m) for one in project_path(path) for m in one.messages)
    made = prepare_compaction(path, CompactionSettings(keep_recent_tokens=keep))
    if tokens <= window or made is None:
        return None
    end = find_kept_index(path, len(path), made.first_kept_entry_id)
    return Span(path, start, end) if end is not None and end > start else None


def made_compaction(path: list[Entry], kept_id: str, summary: str) -> CompactionEntry:
    return CompactionEntry(
        id=f"compaction{len(path)}",
        parent_id=path[-1].id,
        summary=summary,
        first_kept_entry_id=kept_id,
        tokens_before=0,
    )


def long_session(n_turns: int, *, message: str = "", output_lines: int = 120) -> Path:
    """Return turns of real length: a request, two calls with long output, a report."""
    entries: list[Entry] = []
    for turn in range(n_turns):
        test = build.call("bash", command=f"python3 -m pytest tests/part_{turn} | tail -40")
        read = build.call("read", path=f"src/part_{turn}.py")
        lines = "\n".join(f"tests/part_{turn}/test_{n}.py passed" for n in range(output_lines))
        entries += [
            build.user(message or f"make part {turn} of the importer ready for review please"),
            build.assistant(f"I look at part {turn} first.", [read]),
            build.result(read, lines * 2),
            build.assistant("", [test]),
            build.result(test, f"{lines}\n{turn + 3} passed in 1.{turn:02}s"),
            build.assistant(f"Part {turn} is ready, {turn + 3} tests pass in 1.{turn:02}s."),
        ]
    return build.path(*entries, build.user("and now?"))
