"""What holding the items of one kind against the entries gave."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from longhaul.compaction.diff.changes import Dropped, DropReason, ItemKind
from longhaul.compaction.render.quoting import safe_line

Change = TypeVar("Change")
Item = TypeVar("Item")
_ITEM_CHARS = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedItems(Generic[Change, Item]):
    """The changes that items of one kind make, the items behind them, and what was not believed."""

    changes: tuple[Change, ...] = ()
    kept: tuple[Item, ...] = ()
    dropped: tuple[Dropped, ...] = ()


def drop(kind: ItemKind, words: str, reason: DropReason, *, marked: bool = False) -> Dropped:
    """Return an item that was not believed, named by its `words`."""
    return Dropped(kind=kind, item=safe_line(words, _ITEM_CHARS), reason=reason, marked=marked)
