"""What a model is sent for a session's next compaction, or what each of many would cost.

Usage: python tools/show_request.py SESSION [--keep TOKENS] [--entries N] [--window TOKENS]
                                        [--turns]
       python tools/show_request.py SESSION --cuts WINDOW [--keep TOKENS]

The first prints the whole request. The second compacts the session each time its context exceeds
WINDOW tokens, and prints for each cut the tokens of digest and request beside pi's own request.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from longhaul.compaction.cut import CompactionSettings, prepare_compaction
from longhaul.compaction.diff.build import (
    BuildOptions,
    Built,
    build_request,
    build_turn_requests,
)
from longhaul.compaction.fold import advance
from longhaul.compaction.spans import span_start
from longhaul.compaction.state import State
from longhaul.pi.sessions import load_session
from longhaul.transcript.entries import CompactionEntry, Entry
from longhaul.transcript.entries import Path as EntryPath
from longhaul.transcript.projection import find_kept_index, project_path
from longhaul.transcript.tokens import estimate_tokens

_SUMMARY = "so " * 500
"""Stands in the context for what a compaction leaves there: 1,500 characters."""


def main() -> None:
    """Print what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("session", type=Path)
    parser.add_argument("--keep", type=int, default=3_000)
    parser.add_argument("--entries", type=int, default=None)
    parser.add_argument("--window", type=int, default=None)
    parser.add_argument("--turns", action="store_true")
    parser.add_argument("--cuts", type=int, default=None)
    asked = parser.parse_args()
    path = load_session(asked.session).path[: asked.entries]
    if asked.cuts is not None:
        for start, end, built in cut_again(path, window=asked.cuts, keep=asked.keep):
            print(f"entries {start:>4}-{end:<4} {cost(built)}")
        return
    cut = next_cut(path, asked.keep)
    if cut is None:
        print("nothing to compact")
        return
    options = BuildOptions(window_tokens=asked.window)
    state = advance(State(), path, 0, cut)
    build = build_turn_requests if asked.turns else build_one
    for built in build(path, state, start=span_start(path), end=cut, options=options):
        for message in built.request.messages:
            print(f"--- {message.role}\n{message.text}")
        print(f"--- {cost(built)}")


def build_one(
    path: EntryPath, state: State, *, start: int, end: int, options: BuildOptions
) -> tuple[Built, ...]:
    """Return the one request of mode `state`."""
    return (build_request(path, state, start=start, end=end, options=options),)


def cost(built: Built) -> str:
    """Return what a request costs, in a line."""
    digest, request, pi = built.digest_tokens, built.request_tokens, built.pi_tokens
    shares = f"digest {digest:>6,} ({digest / pi:.0%})  request {request:>6,} ({request / pi:.0%})"
    return f"{shares}  pi {pi:>7,}  {'; '.join(built.clipped)}"


def next_cut(path: EntryPath, keep: int) -> int | None:
    """Return where pi would cut now; None where there is nothing to compact."""
    made = prepare_compaction(path, CompactionSettings(keep_recent_tokens=keep))
    return None if made is None else find_kept_index(path, len(path), made.first_kept_entry_id)


def cut_again(path: EntryPath, *, window: int, keep: int) -> Iterator[tuple[int, int, Built]]:
    """Yield each span that a full context closes, and its request."""
    grown: list[Entry] = []
    start = 0
    for entry in path:
        grown.append(entry)
        so_far = tuple(grown)
        shown = (m for one in project_path(so_far) for m in one.messages)
        end = next_cut(so_far, keep) if sum(map(estimate_tokens, shown)) > window else None
        if end is None or end <= start:
            continue
        state = advance(State(), so_far, 0, end)
        yield start, end, build_request(so_far, state, start=start, end=end, options=BuildOptions())
        grown.append(
            CompactionEntry(
                id=f"made-{len(grown)}",
                parent_id=entry.id,
                summary=_SUMMARY,
                first_kept_entry_id=so_far[end].id,
                tokens_before=0,
            )
        )
        start = end


if __name__ == "__main__":
    main()
