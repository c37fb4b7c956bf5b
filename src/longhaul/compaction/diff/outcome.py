"""What holding the items of one kind against the entries gave."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from longhaul.compaction.diff.changes import Dropped, DropReason, ItemKind
from longhaul.compaction.render.escape import clip, escape_text
from longhaul.compaction.secrets import mask_secrets

Change = TypeVar("Change")
Item = TypeVar("Item")
_ITEM_CHARS = 160
_MOST_PASSES = 6
"""A cut may leave what looks like a secret, hardly ever more than once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(Generic[Change, Item]):
    """The changes that items of one kind make, the items behind them, and what was not believed."""

    changes: tuple[Change, ...] = ()
    kept: tuple[Item, ...] = ()
    dropped: tuple[Dropped, ...] = ()


def drop(kind: ItemKind, words: str, reason: DropReason, *, marked: bool = False) -> Dropped:
    """Return an item that was not believed, named by its `words`."""
    return Dropped(kind=kind, item=safe_line(words, _ITEM_CHARS), reason=reason, marked=marked)


def safe_line(text: str, max_chars: int) -> str:
    """Return `text` on one line of at most `max_chars`, with nothing in it that acts, and masked.

    All of it is masked before any is cut off, or a cut secret would not be seen. Doing it twice
    changes nothing.
    """
    shown = text
    for _ in range(_MOST_PASSES):
        before, shown = shown, clip(escape_text(mask_secrets(shown)), max_chars)
        if shown == before:
            break
    return shown
