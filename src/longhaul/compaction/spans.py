"""Where the spans of a path lie: between the cuts of its compactions, whoever made them."""

from collections.abc import Mapping

from longhaul.transcript.entries import CompactionEntry, Path
from longhaul.transcript.projection import find_kept_index


def span_start(path: Path) -> int:
    """Return where the span of the next compaction of `path` begins: at the newest cut."""
    for index in range(len(path) - 1, -1, -1):
        entry = path[index]
        if isinstance(entry, CompactionEntry):
            kept = find_kept_index(path, index, entry.first_kept_entry_id)
            return index + 1 if kept is None else kept
    return 0


def cut_index(places: Mapping[str, int], index: int, entry: CompactionEntry) -> int:
    """Return where the window that the compaction at `index` kept begins; behind it for none.

    For many compactions of a path at once: `places` are its `first_indices`.
    """
    kept = places.get(entry.first_kept_entry_id, index)
    return kept if kept < index else index + 1
