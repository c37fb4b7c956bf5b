# ruff: noqa: RUF001 - full-width and Cyrillic signs are what is looked for
"""Sentences of what a user says in their own words, with where they stand in the message."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from longhaul.compaction.rules.line_forms import is_list_item
from longhaul.compaction.rules.own_words import Line, read_lines
from longhaul.compaction.rules.quotations import CLOSING_MARKS, OPENING_MARK, past_quotation
from longhaul.compaction.rules.reported import adopts, reported_part, reports_on

_MIN_QUOTATION_CHARS = 12
"""A sentence of one shorter quotation is a name or a label, not somebody else's sentence."""
_WRAPPED_CHARS = 50
"""A line at least this long that goes on in lower case is wrapped, not ended."""

_STOP = re.compile(rf"{OPENING_MARK}|[.!?…؟]+|[。！？।]+|\n")
_CLOSERS = re.compile(r"[)\]\"'”’»*_」』]*")
_ABBREVIATION = re.compile(
    r"(?:e\.g|i\.e|eg|ie|vs|cf|etc|approx|ca|nr|no|fig|figs|eq|sec|vol|ed|eds|dr|mr|mrs|ms|prof|"
    r"st|jr|sr|inc|ltd|co|dept|min|max|incl|excl|resp|z\.b|d\.h|u\.a|bzw|ggf|evtl|usw|inkl|abs|"
    r"art|str|tel|p\.ej|p\.ex|ej|sra|núm|pág|t\.ex|bl\.a|tzn|np|m\.in|т\.е|т\.д|т\.п|напр|стр)"
)
_CLOSES_TEXT = frozenset(("etc", "usw", "т.д", "т.п"))
_MARKER = re.compile(
    r"(?:[ \t]*>)*[ \t]*(?:(?:[-*+•–]|\(?\d{1,3}[.)]|\(?[A-Za-z][.)]|#{1,6})[ \t]+(?:\[[ xX]\] )?)?"
)
_NUMBERED = re.compile(r"(?:^|[\n:;,.(] ?|\band |\bthen )\d{1,2}\Z")
"""What stands before the dot of a number that begins an item: `in this order: 1. read, 2. ask`."""
_WORD_BEFORE = re.compile(r"[\w.]*\Z")
_HAS_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence, verbatim: `text` is `message[start:end]`."""

    text: str
    start: int
    end: int
    list_item: bool = False
    paragraph: int = 0
    """Which run of lines without a blank or pasted line between them it belongs to, from 0."""


@lru_cache(maxsize=16)
def split_sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of what the user says in `text`, in order.

    Code blocks, quoted lines, logs, pasted documents and whole-sentence quotations give none; a
    list item is a sentence of its own. Offsets are in characters of `text`.
    """
    found: list[Sentence] = []
    paragraph = 0
    for piece in _paragraphs(text):
        for item in _items(piece):
            for run in _runs(text, list(_sentences(text, item))):
                found.extend(replace(one, paragraph=paragraph) for one in run)
                paragraph += 1
            paragraph -= 1
        paragraph += 1
    return tuple(found)


def _runs(text: str, sentences: list[Sentence]) -> Iterator[list[Sentence]]:
    """Yield runs of neighbours between which nothing stands that is not the user's own."""
    run: list[Sentence] = []
    reported_end = 0
    for index, one in enumerate(sentences):
        following = sentences[index + 1].text if index + 1 < len(sentences) else ""
        skipped = _skipped(text, one, following, reported_end)
        if skipped:
            yield run
            run = []
            if one.end > reported_end and reports_on(one.text):
                newline = text.find("\n", one.end)
                reported_end = newline if newline >= 0 else len(text)
        if skipped < len(one.text):
            run.append(replace(one, text=one.text[skipped:], start=one.start + skipped))
    yield run


def _skipped(text: str, one: Sentence, following: str, reported_end: int) -> int:
    """Return how many characters at the sentence's beginning are somebody else's."""
    if _is_quotation(text, one.start, one.end):
        return len(one.text)
    if one.end <= reported_end:
        return 0 if one.text.endswith("?") else len(one.text)
    return 0 if adopts(following) else reported_part(one.text)


def _paragraphs(text: str) -> Iterator[list[Line]]:
    """Yield runs of the user's own lines; a blank line or a pasted one ends a run."""
    run: list[Line] = []
    for line in read_lines(text):
        if run and (not line.own or line.start > run[-1].end + 1):
            yield run
            run = []
        if line.own:
            run.append(line)
    if run:
        yield run


def _items(lines: list[Line]) -> Iterator[list[Line]]:
    """Yield the lines of each list item, or of the prose between lists."""
    item: list[Line] = []
    for line in lines:
        if item and is_list_item(line.text):
            yield item
            item = []
        item.append(line)
    yield item


def _sentences(text: str, lines: list[Line]) -> Iterator[Sentence]:
    listed = is_list_item(lines[0].text)
    start, end = lines[0].start, lines[-1].end
    if listed and (marker := _MARKER.match(text, start, end)):
        start = marker.end()
    for left, right in (_trimmed(text, *cut) for cut in _cuts(text, start, end)):
        if left < right and _HAS_WORD.search(text, left, right):
            yield Sentence(text=text[left:right], start=left, end=right, list_item=listed)


def _cuts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    left = position = start
    while match := _STOP.search(text, position, end):
        position = match.end()
        if match[0] == "'" or match[0] in CLOSING_MARKS:
            position = past_quotation(text, match.start(), end)
            cut = _ends_inside(text, match.start(), position)
        else:
            cut = _is_end(text, match, end)
        if cut:
            closers = _CLOSERS.match(text, position, end)
            position = closers.end() if closers and match[0] != "\n" else position
            yield left, position
            left = position
    yield left, end


def _ends_inside(text: str, opening: int, position: int) -> bool:
    """Return whether a quotation ends its sentence from within: `he said "stop."`."""
    closed = position > opening + 1 and text[position - 2] in ".!?。！？"
    after = text[position : position + 2]
    return closed and (not after or (after[0].isspace() and not after[1:].islower()))


def _is_end(text: str, match: re.Match[str], end: int) -> bool:
    stop, after = match[0], text[match.end() : min(end, match.end() + 4)].lstrip(")]\"'”’»*_")
    if stop == "\n":
        return not _is_wrapped(text, match.start(), end)
    if stop[0] in "。！？।":
        return True
    if after and not after[0].isspace() and after[0].isascii():
        return False
    following = after.lstrip()[:1]
    if stop in ("..", "...", "…") and following.islower():
        return False
    return stop != "." or not _is_abbreviation(text, match.start(), following)


def _is_wrapped(text: str, newline: int, end: int) -> bool:
    begin = text.rfind("\n", max(0, newline - _WRAPPED_CHARS), newline)
    following = text[newline + 1 : min(end, newline + 20)].lstrip()[:1]
    ended = text[newline - 1 : newline] in ".!?:;。！？："
    return begin < 0 and newline >= _WRAPPED_CHARS and following.islower() and not ended


def _is_abbreviation(text: str, dot: int, following: str) -> bool:
    if _NUMBERED.search(text[max(0, dot - 12) : dot]):
        return True
    before = _WORD_BEFORE.search(text[max(0, dot - 12) : dot])
    word = before[0].lower() if before else ""
    if word in _CLOSES_TEXT:
        return following.islower()
    initial = len(word.rpartition(".")[2]) == 1 and word[-1:].isalpha() and word not in ("i", "y")
    return bool(_ABBREVIATION.fullmatch(word)) or (
        initial and (len(word) > 1 or following.isupper())
    )


def _trimmed(text: str, left: int, right: int) -> tuple[int, int]:
    while left < right and text[left].isspace():
        left += 1
    while right > left and text[right - 1].isspace():
        right -= 1
    return left, right


def _is_quotation(text: str, left: int, right: int) -> bool:
    """Return whether the sentence is nothing but words in quote marks."""
    if text[left] == "'" and past_quotation(text, left, right) < right - 1:
        return False
    closing = "'" if text[left] == "'" else CLOSING_MARKS.get(text[left])
    if closing is None or text[left] == "`" or right - left < _MIN_QUOTATION_CHARS:
        return False
    return text[left:right].rstrip(".!?,;:)。")[-1:] in closing
