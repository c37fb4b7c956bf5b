# ruff: noqa: RUF001 - full-width signs are what is looked for
"""Which lines of a message are the user's own words, and which are pasted.

A message mixes what its author says with what the author shows: code, logs, mails, documents.
Only the first can give a rule. Every test looks at one line and its neighbours, so time grows
linearly with the message.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longhaul.compaction.invisible import drop_invisible
from longhaul.compaction.rules.line_forms import (
    adopts_quoted,
    announces,
    announces_output,
    is_heading,
    is_list_item,
    is_printed,
    is_ticket,
)
from longhaul.compaction.rules.pasted import FENCE, RawLine, pasted_lines

_MIN_CHAT_LINES = 3
_MAX_READ = 16_000
"""How many lines of a message are read: more were not typed."""
_MAY_OPEN = re.compile(
    r"^[ \t]{0,8}(?:```|~~~|\"\"\"|'''|[<{\[]|--|/\*|[\w*-]+\s?:\s)", re.MULTILINE
)
"""What may open a paste among lines not read: after it, no line is surely own."""
_MAX_LINES = 4000
_MAX_CHARS = 200_000
_PROBE_CHARS = 400
"""How much of a line its tests read: a longer line is judged by its beginning."""

_SPEAKER = re.compile(r"\s*(?:\[[\d:. ]{4,12}\]\s*|<)?@?(\w[\w.-]{0,20})>?\s?:\s+\S")
_STOPS = tuple('.!?:。！？："”')
_ELEMENT = re.compile(
    r"<([A-Za-z][\w:.-]{0,40})(?:\s[^<>]{0,200})?>[^<]*\s[^<]*</\1\s*>|<!--.*?-->"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a message, without its line break."""

    start: int
    end: int
    text: str
    """The line's first characters as they are seen, enough for the tests on it."""
    own: bool
    """Whether the user says it, rather than shows it."""


def read_lines(text: str) -> tuple[Line, ...]:
    """Return the lines of `text` that hold anything, each marked as the user's own or not.

    Of a message with more than 16,000 lines the middle is left out, and the end as well where the
    middle may open something pasted. Of more than 4000 lines of the user's own, or 200,000
    characters, the first and the last half of these are marked so.
    """
    raw = list(_spans(text))
    lines = list(_marked(raw, pasted_lines(raw), text))
    return tuple(_within_limits(list(_without_chats(lines))))


def _spans(text: str) -> Iterator[RawLine]:
    """Yield what is read of the lines of `text`: of very many, the first and the last ones."""
    pieces = text.split("\n")
    half = _MAX_READ // 2
    if len(pieces) <= _MAX_READ:
        yield from _raw_lines(pieces, 0)
        return
    yield from _raw_lines(pieces[:half], 0)
    start = len(text) - sum(map(len, pieces[-half:])) - half + 1
    if not _MAY_OPEN.search(text, sum(map(len, pieces[:half])) + half, start):
        yield from _raw_lines(pieces[-half:], start)


def _raw_lines(pieces: Sequence[str], start: int) -> Iterator[RawLine]:
    gap = False
    for line in pieces:
        if line and not line.isspace():
            end = start + len(line)
            yield RawLine(start=start, end=end, text=drop_invisible(line[:_PROBE_CHARS]), gap=gap)
            gap = False
        else:
            gap = True
        start += len(line) + 1


@dataclass(slots=True)
class _Paste:
    """Where the walk over the lines stands: what has been opened and not closed yet."""

    announced: bool = False
    """The line before announced what somebody else wrote, or what a program printed."""
    loose: bool = False
    """The line before mentions somebody else's words, but does not end as if they followed."""
    adopted: bool = False
    """The line before makes the lines quoted below it the user's own."""
    inside: bool = False
    quoted: bool = False
    """The line before is a quoted one, which a line right below it continues."""
    ended: bool = False
    """The line before ends a sentence."""
    document: bool = False
    """A document with a heading has begun, which only the end of the message closes."""
    colon: bool = False
    listed: bool = False


def _marked(lines: Sequence[RawLine], pasted: bytearray, text: str) -> Iterator[Line]:
    paste = _Paste()
    for line, shown in zip(lines, pasted, strict=True):
        probe, end = line.text, line.end
        own = _is_own(probe, paste, gap=line.gap, pasted=bool(shown))
        if own and not (paste.adopted and probe.lstrip().startswith(">")):
            _note_announcement(probe, paste, closes=text[max(line.start, end - 60) : end])
        if own and ("</" in probe or "<!--" in probe):
            yield from _around_markup(line, text[line.start : line.end][:_PROBE_CHARS])
        else:
            yield Line(start=line.start, end=end, text=probe, own=own)


def _around_markup(line: RawLine, text: str) -> Iterator[Line]:
    """Yield a line, which begins with `text`, in pieces: markup is not the user's own."""
    start = line.start
    for element in _ELEMENT.finditer(text):
        left, right = line.start + element.start(), line.start + element.end()
        if left > start:
            yield Line(start=start, end=left, text=text[start - line.start :], own=True)
        yield Line(start=left, end=right, text=element[0], own=False)
        start = right
    if start < line.end:
        yield Line(start=start, end=line.end, text=text[start - line.start :], own=True)


def _is_own(line: str, paste: _Paste, *, gap: bool, pasted: bool) -> bool:
    if pasted and FENCE.match(line):
        paste.announced = paste.inside = paste.quoted = False
        return False
    quoted = line.lstrip().startswith(">")
    if paste.adopted and quoted:
        return True
    lazy = paste.quoted and not gap and not quoted and _continues(line, ended=paste.ended)
    paste.quoted = quoted or lazy
    paste.ended = line.rstrip()[-1:] in _STOPS
    if pasted or lazy or _is_shown(line, paste):
        paste.document |= paste.announced and is_heading(line)
        paste.inside, paste.announced = paste.announced or paste.loose or paste.inside, False
        return False
    return not _goes_on(line, paste, gap=gap)


def _continues(line: str, *, ended: bool) -> bool:
    """Return whether a line right below a quoted one goes on with it, not answers it."""
    return not ended or not (line.lstrip()[:1].islower() or "?" in line)


def _is_shown(line: str, paste: _Paste) -> bool:
    """Return whether the line's own form says that it is quoted, logged or code."""
    if line.lstrip().startswith(">") or (paste.loose and is_heading(line)) or is_printed(line):
        return True
    indented = line.startswith(("    ", "\t")) or (paste.colon and line.startswith("  "))
    return indented and not paste.listed and not is_list_item(line)


def _goes_on(line: str, paste: _Paste, *, gap: bool) -> bool:
    """Return whether the line belongs to a paste announced before, and step past its end."""
    shaped = is_list_item(line) or is_heading(line) or line[:1] in " \t"
    if paste.announced:
        paste.announced, paste.inside = False, True
        return True
    if paste.document or (paste.inside and (not gap or shaped)):
        return True
    paste.inside = False
    return False


def _note_announcement(line: str, paste: _Paste, *, closes: str) -> None:
    paste.listed = is_list_item(line) or (paste.listed and line[:1] in " \t")
    paste.colon = closes.rstrip().endswith((":", "："))
    paste.adopted = paste.colon and adopts_quoted(line)
    paste.loose = not paste.listed and not paste.adopted and announces(line)
    paste.announced = (paste.colon and paste.loose) or announces_output(closes) or is_ticket(line)


def _without_chats(lines: list[Line]) -> Iterator[Line]:
    """Mark lines of a pasted chat: at least three, one speaker more than once."""
    speakers = [match[1] if (match := _SPEAKER.match(line.text)) else None for line in lines]
    counts = Counter(name for name in speakers if name)
    chat = sum(counts.values()) >= _MIN_CHAT_LINES and max(counts.values()) > 1
    for line, name in zip(lines, speakers, strict=True):
        shown = chat and name is not None
        yield Line(start=line.start, end=line.end, text=line.text, own=line.own and not shown)


def _within_limits(lines: Sequence[Line]) -> Sequence[Line]:
    own = [index for index, line in enumerate(lines) if line.own]
    n_chars = sum(lines[index].end - lines[index].start for index in own)
    if len(own) <= _MAX_LINES and n_chars <= _MAX_CHARS:
        return lines
    kept = {*_first(lines, own), *_first(lines, own[::-1])}
    limit = _MAX_CHARS // 2
    return [
        Line(start=x.start, end=min(x.end, x.start + limit), text=x.text, own=index in kept)
        for index, x in enumerate(lines)
    ]


def _first(lines: Sequence[Line], own: Sequence[int]) -> Iterator[int]:
    left = _MAX_CHARS // 2
    for index in own[: _MAX_LINES // 2]:
        if left <= 0:
            return
        yield index
        left -= lines[index].end - lines[index].start
