"""The tree that entries form by their parents, and the paths through it."""

from collections.abc import Mapping

from longhaul.transcript.entries import Entry, Path

Index = Mapping[str, Entry]
"""Entries by id; of several with one id, the last."""


def find_path(index: Index, leaf_id: str | None, known: Path = ()) -> Path:
    """Return the entries from the root down to a leaf; empty for None and for an unknown id.

    A parent that does not exist ends the path, as in pi. So does one that is already on it, where
    pi would go round for ever; `find_cycle` tells. Where the leaf goes on from the end of `known`,
    a path through entries that are all in `index` still, only the rest is walked.
    """
    path: list[Entry] = []
    seen: set[str] = set()
    last = known[-1] if known and find_cycle(index, known) is None else None
    entry = index.get(leaf_id) if leaf_id else None
    while entry is not None and entry is not last and entry.id not in seen:
        seen.add(entry.id)
        path.append(entry)
        entry = index.get(entry.parent_id) if entry.parent_id else None
    path.reverse()
    return (*known, *path) if last is not None and entry is last else tuple(path)


def find_cycle(index: Index, path: Path) -> Entry | None:
    """Return the root of a path whose parent exists all the same: then it is on the path again."""
    if path and path[0].parent_id and path[0].parent_id in index:
        return path[0]
    return None


def find_roots(index: Index) -> tuple[Entry, ...]:
    """Return the entries without a parent in the session, in file order; damage makes several."""
    return tuple(
        entry
        for entry in index.values()
        if entry.parent_id is None or entry.parent_id == entry.id or entry.parent_id not in index
    )


def find_leaves(index: Index) -> tuple[Entry, ...]:
    """Return the entries that no entry goes on from, in file order: the end of each branch."""
    parents = {entry.parent_id for entry in index.values()}
    return tuple(entry for entry in index.values() if entry.id not in parents)
