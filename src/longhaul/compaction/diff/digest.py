"""A span as a model is shown it: what fits in a number of characters, and what gave way.

In the order in which it gives way: another compactor's summary, replies within a turn, calls, what
stands before the span (where no other compactor closed it: first of all), remarks, notes so far,
failed calls, last replies, lifted rules, names to judge, values. Then the user's messages are cut
in the middle, the longest first, then the oldest left out; then the oldest rules in force.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from longhaul.compaction.diff.candidates import Candidates
from longhaul.compaction.diff.framing import CLOSING, OPENING, shorten
from longhaul.compaction.diff.turn_lines import TurnLine
from longhaul.transcript.json_units import utf16_units

_LEAST_TEXT_CHARS = 60
_LEAST_RULE_CHARS = 32
_RULES_SHARE = 0.4
_EARLIER_SHARE = 0.25
"""Most of the room that what stands before the span may take."""
_NOTICE_CHARS = 120
_FRAME_CHARS = len(OPENING) + len(CLOSING) + 2 + _NOTICE_CHARS + 1
"""The frame, and room to say what was cut."""
_HEADINGS = {
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """The text, and what is not in it."""

    text: str
    clipped: tuple[str, ...]
    """What was cut or left out, a phrase each; empty where all is there."""


def fill_digest(
    candidates: Candidates, lines: Sequence[TurnLine], *, summary: str = "", max_chars: int
) -> Digest:
    """Return as much of a span as `max_chars` UTF-16 units hold.

    `summary` is what another compactor wrote of the time before, already one safe line; empty where
    there is none; with it, no model has labelled that time, so what stands there is worth more.
    Lines stand in the order in which things happened.
    """
    filling = _Filling(room=max_chars - _FRAME_CHARS)
    _fill_rules(filling, candidates.rules)
    _fill_messages(filling, lines)
    filling.add_all("values", candidates.values, "values")
    filling.add_all("judged", candidates.judged, "messages to judge")
    filling.add_all("lifted", candidates.lifted, "lifted rules")
    _fill_lines(filling, lines, "last replies", lambda line: line.is_last)
    _fill_lines(filling, lines, "failed calls", lambda line: line.is_failure)
    filling.add_all("notes", candidates.notes, "earlier notes")
    _fill_lines(filling, lines, "remarks", lambda line: line.kind == "remark")
    if summary:
        _fill_earlier(filling, candidates, max_chars)
    _fill_lines(filling, lines, "calls", lambda line: line.kind == "call" and not line.is_failure)
    _fill_lines(filling, lines, "replies", lambda line: line.kind == "reply" and not line.is_last)
    if summary:
        filling.add_all("summary", (summary,), "earlier summary")
    else:
        _fill_earlier(filling, candidates, max_chars)
    return Digest(text=filling.text(), clipped=filling.clipped())


@dataclass(slots=True)
class _Filling:
    """What has been chosen so far, and the room that is left."""

    room: int
    chosen: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """By part: place in the part, and text."""
    left_out: Counter[str] = field(default_factory=Counter)
    shortened: Counter[str] = field(default_factory=Counter)

    def add(self, part: str, place: int, text: str) -> bool:
        """Add a line where there is room; return whether there was."""
        cost = utf16_units(text) + 2 + (0 if part in self.chosen else len(_HEADINGS[part]) + 1)
        if cost > self.room:
            return False
        self.room -= cost
        self.chosen.setdefault(part, []).append((place, text))
        return True

    def add_all(
        self, part: str, texts: Sequence[str], kind: str, *, most: int | None = None
    ) -> None:
        """Add `texts`, given newest first, up to the first for which there is no room."""
        least = 0 if most is None else max(self.room - most, 0)
        for index, text in enumerate(texts):
            if self.room - utf16_units(text) < least or not self.add(part, -index, text):
                self.left_out[kind] += len(texts) - index
                return

    def text(self) -> str:
        """Return everything chosen, part by part, inside its frame."""
        parts = [OPENING]
        for part, heading in _HEADINGS.items():
            texts = [text for _, text in sorted(self.chosen.get(part, []))]
            if texts and part in _INLINE:
                parts.append(f"{heading} {', '.join(texts)}")
            elif texts:
                parts += [heading, *texts]
        if self.clipped():
            parts.append(shorten(f"Cut for room: {'; '.join(self.clipped())}", _NOTICE_CHARS))
        return "\n".join([*parts, CLOSING])

    def clipped(self) -> tuple[str, ...]:
        """Return what was cut or left out."""
        return (
            *(f"{kind}: {number} shortened" for kind, number in self.shortened.items() if number),
            *(f"{kind}: {number} left out" for kind, number in self.left_out.items() if number),
        )


def _fill_rules(filling: _Filling, rules: Sequence[str]) -> None:
    most = int(filling.room * _RULES_SHARE)
    limit = fitting_chars([utf16_units(rule) + 2 for rule in rules], most)
    fitting = [shorten(rule, max(limit - 2, _LEAST_RULE_CHARS)) for rule in rules]
    filling.shortened["rules"] = sum(map(len, rules)) > sum(map(len, fitting)) and sum(
        len(rule) > len(shown) for rule, shown in zip(rules, fitting, strict=True)
    )
    filling.add_all("rules", fitting, "rules", most=most + len(_HEADINGS["rules"]) + 1)


def _fill_messages(filling: _Filling, lines: Sequence[TurnLine]) -> None:
    """Add the user's messages whole, or all of them cut to a length at which they fit."""
    messages = [(at, line.text) for at, line in enumerate(lines) if line.kind == "message"]
    room = filling.room - len(_HEADINGS["turns"]) - 1
    limit = fitting_chars([utf16_units(text) + 2 for _, text in messages], room)
    for done, (at, text) in enumerate(reversed(messages)):
        shown = shorten(text, max(limit - 2, _LEAST_TEXT_CHARS))
        if not filling.add("turns", at, shown):
            filling.left_out["messages of the user"] = len(messages) - done
            return
        filling.shortened["messages of the user"] += shown != text


def _fill_earlier(filling: _Filling, candidates: Candidates, max_chars: int) -> None:
    most = int(max_chars * _EARLIER_SHARE)
    filling.add_all("earlier", candidates.earlier, "earlier messages", most=most)
    filling.add_all("earlier_values", candidates.earlier_values, "earlier values", most=most)


def _fill_lines(
    filling: _Filling, lines: Sequence[TurnLine], kind: str, is_meant: Callable[[TurnLine], bool]
) -> None:
    meant = [at for at, line in enumerate(lines) if is_meant(line)]
    for done, at in enumerate(reversed(meant)):
        if not filling.add("turns", at, lines[at].text):
            filling.left_out[kind] = len(meant) - done
            return


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
