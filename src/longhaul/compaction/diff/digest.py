"""A span as a model is shown it: what fits in a number of characters, and what gave way.

In the order in which it gives way: another compactor's summary, replies within a turn, calls, what
stands before the span (where no other compactor closed it: first of all), remarks, notes so far,
failed calls, last replies, lifted rules, names to judge, values. What was pasted into messages of
the user, and what of a message is longer than people type, gives way where it takes more than a
share. At the very end messages are cut in the middle, the longest first, then the oldest left out,
and the oldest rules in force.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from longhaul.compaction.diff.candidates import Candidates
from longhaul.compaction.diff.filling import (
    FRAME_CHARS,
    HEADINGS,
    LINE_CHARS,
    Filling,
    cost,
    fitting_chars,
)
from longhaul.compaction.diff.framing import shorten
from longhaul.compaction.diff.turn_lines import TurnLine

_MESSAGES_SHARE = 0.6
"""Of the room beside the rules, what the user's messages may take before they are cut at all."""
_TYPED_CHARS = 1_500
"""Down to this length messages give way to the rest; nothing takes their room below it."""
_LEAST_TEXT_CHARS = 60
_LEAST_RULE_CHARS = 32
"""Messages and rules in force are cut no shorter; for which there is no room then are left out."""
_RULES_SHARE = 0.4
"""Most of the room that the rules in force may take."""
_EARLIER_SHARE = 0.25
"""Most of the room that what stands before the span may take."""


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

    `summary` is what another compactor wrote of the time before the span, already one safe line. As
    no model has labelled that time, more of it is shown. Empty where there is none. Lines stand in
    the order in which things happened.
    """
    filling = Filling(room=max_chars - FRAME_CHARS)
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


def _fill_rules(filling: Filling, rules: Sequence[str]) -> None:
    most = int(filling.room * _RULES_SHARE)
    limit = fitting_chars(map(cost, rules), most) - LINE_CHARS
    fitting = [shorten(rule, max(limit, _LEAST_RULE_CHARS)) for rule in rules]
    filling.shortened["rules"] += sum(map(str.__ne__, rules, fitting))
    to_leave = filling.room - most - cost(HEADINGS["rules"]) - 1
    filling.add_all("rules", fitting, "rules", to_leave=to_leave)


def _fill_messages(filling: Filling, lines: Sequence[TurnLine]) -> None:
    """Add the user's messages: whole, or all of them cut to a length at which they fit.

    Where they leave little for the rest, what was pasted into them gives way, and then all beyond
    what people type; only then do they take what there is.
    """
    messages = [(at, line) for at, line in enumerate(lines) if line.kind == "message"]
    room = filling.room - len(HEADINGS["turns"]) - 1
    texts = [line.text for _, line in messages]
    if sum(map(cost, texts)) > room * _MESSAGES_SHARE:
        texts = [line.own or line.text for _, line in messages]
    costs = list(map(cost, texts))
    typed = min(_TYPED_CHARS, fitting_chars(costs, room))
    limit = max(fitting_chars(costs, int(room * _MESSAGES_SHARE)), typed) - LINE_CHARS
    chosen = list(zip(messages, texts, strict=True))
    for done, ((at, line), text) in enumerate(reversed(chosen)):
        shown = shorten(text, max(limit, _LEAST_TEXT_CHARS))
        if not filling.add("turns", at, shown):
            filling.left_out["messages of the user"] = len(chosen) - done
            return
        filling.shortened["messages of the user"] += shown != line.text


def _fill_earlier(filling: Filling, candidates: Candidates, max_chars: int) -> None:
    to_leave = filling.room - int(max_chars * _EARLIER_SHARE)
    filling.add_all("earlier", candidates.earlier, "earlier messages", to_leave=to_leave)
    filling.add_all(
        "earlier_values", candidates.earlier_values, "earlier values", to_leave=to_leave
    )


def _fill_lines(
    filling: Filling, lines: Sequence[TurnLine], kind: str, is_meant: Callable[[TurnLine], bool]
) -> None:
    meant = [at for at, line in enumerate(lines) if is_meant(line)]
    for done, at in enumerate(reversed(meant)):
        if not filling.add("turns", at, lines[at].text):
            filling.left_out[kind] = len(meant) - done
            return
        filling.shortened[kind] += lines[at].is_cut
