"""The lines of a text that may claim something, apart from quotes, plans and rules."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MAY_CLAIM = re.compile(
    r"pass|fail|green|clean|succe|broken|\bred\b|commit|\bHEAD\b", re.IGNORECASE
)
_FENCE = ("```", "~~~")
_HEADING = re.compile(r"#{1,6}\s+(?P<marked>.*)|\*\*(?P<bold>[^*]+)\*\*:?\s*$")
_ASKED = re.compile(
    r"\b(?:next|plan(?:ned|s)?|to.?do|remaining|open|constraints?|preferences?|rules?|goals?"
    r"|objectives?|said|requests?|recall|user)\b",
    re.IGNORECASE,
)
"""Words of a heading under which stands what is asked or to come."""
_TO_COME = re.compile(r"\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:\[ \]|(?:next|in progress) \(u\d+\))")
_LABEL = re.compile(r"[^:`]{1,80}:(?=\s|\*)")
"""What stands before the first colon of a line speaks of all of it: `Remaining: …`."""
_CODE_OR_QUOTE = re.compile(r"(`[^`\n]*`)|\"[^\"\n]*\"|“[^“”\n]*”|«[^«»\n]*»|‘[^‘’\n]*’")
"""Within a quotation none of its own kind opens, so that no mark is looked for twice."""
_TURN = re.compile(r"\(u(\d{1,9})\b|^\s*[-*+]\s+u(\d{1,9})\b")
_CLAUSE = re.compile(r"(?<=[.;!?])\s+|(?<!\s)\s+(?:but|though|although|[\u2014\u2013])\s+|;\s*")
_NO_CLAIM = re.compile(
    r"""\b(?:will|would|should|must|shall|needs?|needed|ha(?:s|ve)\ to|if|unless|until|once
    |when(?:ever)?|whether|before|so\ that|make\ sure|ensure|expect(?:s|ed)?|wants?|wanted|can|could
    |may|might|not|never|no|none|nothing|without|cannot|plan(?:s|ned)?|todo|next|please|always
    |(?:every|each)\ commit|only|except|unproven|unverified|untested|claim(?:s|ed)?|says?|told
    |suppos\w+|presumably|probably|likely|assum\w+|rules?|let|asks?|asked|seen|unknown|unclear)\b
    |n['’]t\b|\?|\bto\ (?:be|make|let|see|get|check|verify|pass|run|have)\b|:\ (?:definition|done)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What makes a clause a plan, a rule, a condition, a negation or hearsay, not a claim."""
_PAST = re.compile(
    r"\b(?:was|were|had|first|earlier|initially|previously|formerly|then|last|since|ago"
    r"|at (?:that|the) (?:time|start))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a text under its heading."""

    section: str
    """Words of the heading, small letters; empty before the first."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A part of a line that states something, quotes taken out, code spans left in."""

    text: str
    turn: int | None
    """7 where the line is bound to `u7`; None where to no message."""
    is_past: bool
    """It tells how things were, not how they stand."""


def find_lines(text: str) -> Iterator[Line]:
    """Yield the lines of a text outside code blocks and block quotes, headings left out."""
    section, is_code = "", False
    for line in text.splitlines():
        if line.lstrip().startswith(_FENCE):
            is_code = not is_code
        elif heading := _HEADING.match(line):
            section = (heading["marked"] or heading["bold"] or "").strip().lower()
        elif line.strip() and not is_code and not line.lstrip().startswith(">"):
            yield Line(section=section, text=line)


def find_clauses(line: Line) -> Iterator[Clause]:
    """Yield the clauses of a line that state something; none of a plan, a rule or a request."""
    if not _MAY_CLAIM.search(line.text) or _ASKED.search(line.section):
        return
    text = without_quotes(line.text)
    found = _LABEL.match(text)
    label = found[0] if found else ""
    if _TO_COME.match(text) or _ASKED.search(label) or _NO_CLAIM.search(label):
        return
    found = _TURN.search(text)
    turn = int(found[1] or found[2]) if found else None
    for part in _CLAUSE.split(text):
        bare = _CODE_OR_QUOTE.sub("", part)
        if _MAY_CLAIM.search(bare) and not _NO_CLAIM.search(bare):
            is_past = _PAST.search(bare) is not None or _PAST.search(label) is not None
            yield Clause(text=part, turn=turn, is_past=is_past)


def without_quotes(text: str) -> str:
    """Return a line without quotations; code spans stay."""
    return _CODE_OR_QUOTE.sub(lambda found: found[1] or '""', text)
