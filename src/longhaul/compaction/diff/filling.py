"""A digest while it is filled: the lines chosen by part, and the room that is left."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from longhaul.compaction.diff.framing import FRAME_END, FRAME_START, shorten
from longhaul.transcript.json_units import utf16_units

_NOTICE_CHARS = 120
FRAME_CHARS = len(FRAME_START) + len(FRAME_END) + 2 + _NOTICE_CHARS + 1
"""The frame, and room to say what was cut."""
LINE_CHARS = 2
"""What joins a line to the next, at most."""
HEADINGS = {
    "rules": "Rules in force:",
    "lifted": "Lifted in this stretch:",
    "notes": "Notes so far:",
    "earlier": "Said before this stretch, perhaps rules:",
    "earlier_values": "Values used before this stretch:",
    "summary": "Another program's summary of what came before, for the narrative only:",
    "turns": "The stretch:",
    "judged": "Judge:",
    "values": "Values printed and then used:",
}
_INLINE = frozenset(("judged", "values"))
"""Parts whose items stand on one line."""


@dataclass(slots=True)
class Filling:
    """What has been chosen so far, and the room that is left."""

    room: int
    chosen: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """By part: place in the part, and text."""
    left_out: Counter[str] = field(default_factory=Counter)
    shortened: Counter[str] = field(default_factory=Counter)

    def add(self, part: str, place: int, text: str) -> bool:
        """Add a line where there is room; return whether there was."""
        taken = cost(text) + (0 if part in self.chosen else len(HEADINGS[part]) + 1)
        if taken > self.room:
            return False
        self.room -= taken
        self.chosen.setdefault(part, []).append((place, text))
        return True

    def add_all(self, part: str, texts: Sequence[str], kind: str, *, to_leave: int = 0) -> None:
        """Add `texts`, given newest first, up to the first for which there is no room.

        At least `to_leave` characters of room are left.
        """
        for index, text in enumerate(texts):
            if self.room - cost(text) < to_leave or not self.add(part, -index, text):
                self.left_out[kind] += len(texts) - index
                return

    def text(self) -> str:
        """Return everything chosen, part by part, inside its frame."""
        parts = [FRAME_START]
        for part, heading in HEADINGS.items():
            texts = [text for _, text in sorted(self.chosen.get(part, []))]
            if texts and part in _INLINE:
                parts.append(f"{heading} {', '.join(texts)}")
            elif texts:
                parts += [heading, *texts]
        if self.clipped():
            parts.append(shorten(f"Cut for room: {'; '.join(self.clipped())}", _NOTICE_CHARS))
        return "\n".join([*parts, FRAME_END])

    def clipped(self) -> tuple[str, ...]:
        """Return what was cut or left out."""
        return (
            *(f"{kind}: {number} shortened" for kind, number in self.shortened.items() if number),
            *(f"{kind}: {number} left out" for kind, number in self.left_out.items() if number),
        )


def cost(text: str) -> int:
    """Return the characters that a line takes, and what joins it to the next."""
    return utf16_units(text) + LINE_CHARS


def fitting_chars(lengths: Iterable[int], room: int) -> int:
    """Return the largest number to which all `lengths` may be cut so that they fit in `room`.

    At least as large as the longest where all fit as they are.
    """
    rest = sorted(lengths)
    for index, length in enumerate(rest):
        share = room // (len(rest) - index)
        if length > share:
            return max(share, 0)
        room -= length
    return max(rest, default=0)
