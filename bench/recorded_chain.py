"""Recorded sessions as they would have gone on Longhaul: every compaction of a path made anew.

Each stands where the recorded one stands and cuts where that cut; what the path holds of earlier
compactions is Longhaul's own. Where pi would have asked for a compaction of these sessions, had
Longhaul's shorter texts stood in them from the start, is not looked at.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path as FilePath

from longhaul.compaction.compact import CompactOptions, Model, compact
from longhaul.evals.cases import find_settings
from longhaul.evals.due import Cut, find_cuts
from longhaul.transcript.entries import CompactionEntry, Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One compaction of a chain."""

    cut: Cut
    """The recorded compaction in its place."""
    before: Path
    """What Longhaul was handed: the path up to the compaction, the earlier ones its own."""
    made: CompactionEntry
    """What Longhaul made of it."""
    window_tokens: int | None
    """The window that the session was recorded with; None where it is not written down."""


def walk_chain(path: Path, *, model: Model | None = None) -> Iterator[Step]:
    """Yield the compactions of a recorded path, made anew, oldest first.

    Without a `model` by code alone. The budget of a text is that of the recorded window.
    """
    window_tokens = find_settings(path).window_tokens
    options = CompactOptions(window_tokens=window_tokens)
    made: dict[str, CompactionEntry] = {}
    for cut in find_cuts(path):
        before = tuple(made.get(entry.id, entry) for entry in path[: cut.index])
        done = compact(
            before,
            first_kept_entry_id=cut.entry.first_kept_entry_id,
            tokens_before=cut.entry.tokens_before,
            options=options,
            model=model,
        )
        entry = replace(cut.entry, summary=done.summary, details=done.details)
        made[cut.entry.id] = entry
        yield Step(cut=cut, before=before, made=entry, window_tokens=window_tokens)


def find_sessions(places: Iterable[FilePath]) -> tuple[FilePath, ...]:
    """Return the session files that command line arguments name: files, or all in a folder."""
    files: list[FilePath] = []
    for place in places:
        files += sorted(place.glob("*.jsonl")) if place.is_dir() else [place]
    return tuple(files)
