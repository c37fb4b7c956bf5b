"""Where the spans of a path lie: between the cuts of its compactions, whoever made them."""

from collections.abc import Mapping

from longhaul.transcript.entries import CompactionEntry, Path
from longhaul.transcript.projection import first_indices


def span_start(path: Path) -> int:
    """Return where the span of the next compaction of `path` begins: at the newest cut."""
    places = first_indices(path)
    for index in range(len(path) - 1, -1, -1):
        entry = path[index]
        if isinstance(entry, CompactionEntry):
            return cut_index(places, index, entry)
    return 0


def cut_index(places: Mapping[str, int], index: int, entry: CompactionEntry) -> int:
    """Return where the window that the compaction at `index` kept begins; behind it for none.

    `places` are the path's `first_indices`.
    """
    kept = places.get(entry.first_kept_entry_id, index)
    return kept if kept < index else index + 1
