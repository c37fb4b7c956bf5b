"""Which notes of a diff are kept: short lines about turns that there were."""

import re
from collections import defaultdict
from collections.abc import Iterable

from longhaul.compaction.diff.changes import Dropped, DropReason
from longhaul.compaction.diff.heard import Heard, turn_of
from longhaul.compaction.diff.items import NoteItem
from longhaul.compaction.diff.verified_items import VerifiedItems, drop
from longhaul.compaction.render.quoting import safe_line
from longhaul.compaction.state import Note, World, note_order

N_NOTES = 8
"""Most notes of one kind in a diff: those of the newest turns."""
NOTE_CHARS = 240
"""Most characters of a note."""
_HAS_WORD = re.compile(r"\w")
_NAME = re.compile(r"\b[ru][0-9]{1,6}\b")
"""How a request calls a rule or a message: a note that repeats nothing but names says nothing."""
_CLAIMS_A_PASS = re.compile(
    r"\b(?:tests?|specs?|suites?|checks?|builds?|lint(?:er|ing)?|type ?check(?:s|er|ing)?|ci|mypy"
    r"|pytest|ruff|eslint|tsc|everything)\b[^.;]{0,40}"
    r"\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|(?:is|are|all|now|were|was) (?:green|clean))\b",
    re.IGNORECASE,
)
"""How a note says of a check that it passes."""
_TAKES_IT_BACK = re.compile(
    r"\b(?:not|no|never|n[o']t|fail\w*|until|once|if|when|should|must|except|but|before|to make"
    r"|to get)\b|n't\b",
    re.IGNORECASE,
)
"""By which it may say that it does not, or not yet."""


def verify_notes(items: Iterable[NoteItem], heard: Heard) -> VerifiedItems[Note, NoteItem]:
    """Return the notes by turn, kind and text."""
    by_kind: dict[str, set[Note]] = defaultdict(set)
    dropped: list[Dropped] = []
    for item in items:
        result = _note(item, heard)
        if isinstance(result, Note):
            by_kind[result.kind].add(result)
        else:
            dropped.append(_dropped(item, result))
    kept: list[Note] = []
    for notes in by_kind.values():
        ordered = sorted(notes, key=note_order)
        dropped.extend(_dropped(_item(note), "too many") for note in ordered[:-N_NOTES])
        kept.extend(ordered[-N_NOTES:])
    kept.sort(key=note_order)
    return VerifiedItems(changes=tuple(kept), kept=tuple(map(_item, kept)), dropped=tuple(dropped))


def _note(item: NoteItem, heard: Heard) -> Note | DropReason:
    turn = turn_of(item.message)
    if turn is None or turn > heard.n_turns:
        return "unknown name"
    text = safe_line(item.text, NOTE_CHARS)
    if not _HAS_WORD.search(_NAME.sub("", text)):
        return "says nothing"
    if item.kind != "next" and _claims_a_pass(text) and _failed_last(heard.state.world, turn):
        return "against the evidence"
    return Note(kind=item.kind, turn=turn, text=text)


def _claims_a_pass(text: str) -> bool:
    return bool(_CLAIMS_A_PASS.search(text)) and not _TAKES_IT_BACK.search(text)


def _failed_last(world: World, turn: int) -> bool:
    """Return whether no check is known to have passed by the end of `turn`, and the last failed.

    False where a check ran again later: how it stood at that turn is not known any more.
    """
    checks = world.checks
    return (
        bool(checks)
        and checks[-1].outcome == "failed"
        and checks[-1].turn <= turn
        and all(check.outcome != "passed" for check in checks)
    )


def _item(note: Note) -> NoteItem:
    return NoteItem(kind=note.kind, message=f"u{note.turn}", text=note.text)


def _dropped(item: NoteItem, reason: DropReason) -> Dropped:
    return drop("note", f"{item.kind}, {item.message[:12]}: {item.text}", reason)
