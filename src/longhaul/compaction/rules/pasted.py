"""Which lines of a message belong to something pasted that opens and closes by a sign of its own.

A mail, a terminal, a document in markup or data, a diff, a copied chat: from its opening on, every
line is somebody else's until its end. Time grows linearly with the message.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_MAX_HEAD_CHARS = 80
FENCE = re.compile(r"[ \t]{0,8}(`{3,}|~{3,}|\"\"\"|''')")
_MAIL = re.compile(
    r"\s*(?:-{2,}\s*(?:forwarded|original|weitergeleitete|ursprüngliche|message|mensaje)\b.*-{2,}"
    r"|(?:begin forwarded message|anfang der weitergeleiteten).*:|--)\s*$",
    re.IGNORECASE,
)
"""A line from which on everything is a mail, or the signature under one."""
_HEADER = re.compile(
    r"[\s*>]*(from|to|cc|bcc|reply-to|subject|date|sent|von|an|betreff|datum|gesendet|de|à|objet"
    r"|envoyé|para|asunto|fecha|enviado)\**\s?:[\s*]*\S",
    re.IGNORECASE,
)
_PROMPT = re.compile(
    r"\s*(?:\$\s\S|>>>\s|In\s\[\d+\]:|PS\s[A-Z]:\\|[A-Z]:\\[^>\s]*>|[➜❯]\s"  # noqa: RUF001
    r"|(?:\([\w.-]+\)\s)?\[?[\w.-]+@[\w.-]+[:\s]\S*[$#%]\s)"
)
_TAG_OPENS = re.compile(r"\s*<(?!br|hr|img|input)([A-Za-z][\w:.-]*)(?:\s[^<>]*)?(?<!/)>\s*$")
_DIFF = re.compile(r"diff --git |@@ -\d|--- (?:[ab]/|/dev/)|\+\+\+ (?:[ab]/|/dev/)|Index: \S")
_DIFF_GOES_ON = re.compile(r"[-+@ \\]|diff |index |Index: ")
_CHAT_HEAD = re.compile(
    r"\s*[^\W\d][\w.'-]*(?: [\w.'()-]+){0,3}?(?:\s{2,}| [—–|-] |\t|\s(?=[^\n]*[AP]M\b)|, ?|\s\[)"
    r"(?:(?:today|yesterday|\w{3,9}day|[\d/.-]{5,10})(?: at|,)? )?\d{1,2}:\d{2}(?::\d\d)?"
    r"(?:\s?[AP]\.?M\.?)?\]?\s*$",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\s*(?:#(?!#)|//|/\*|\*|--\s|;)\s*\S")
_SURE_COMMENT = re.compile(r"\s*(?://\s|///|/\*)")
_TRAILING = re.compile(
    r"\s*(?:[\w.\[\]\"']+(?::\s?\w+)?\s*[-+:]?=\s?[^#=]*|[^#\n]*[;{})])\s+(?:#|//)\s*\S"
)
"""Code with a comment behind it."""
_CODE = re.compile(
    r"\s*(?:[\w.\[\]]+(?::\s?\w+)?\s*[-+:]?=\s*\S|.*[;{}]\s*(?:(?://|#).*)?$|@[\w.]+"
    r"|(?:async\s)?(?:def|class|func|fn|function|if|for|while|elif|else|try|with|match)\b.*[:{]\s*$"
    r"|(?:import|from)\s[\w.{*]+|export\s\w+=|(?:return|pub|package|use|require|set)\s\S+\s*;?$"
    r"|(?:SELECT|INSERT|CREATE|UPDATE|DELETE|ALTER|DROP|FROM|RUN|COPY|CMD)\s)"
)
_DATA_OPENS = re.compile(r"\s*(?:[\[{]\s*$|\{\s*\"|\[\s*[\[{\"])")
_YAML_KEY = re.compile(r"\s*(?:-\s+)?[\"']?[a-z_][\w./-]*[\"']?:(?:\s|$)")
_YAML_ITEM = re.compile(r"\s*-\s+\S|\s{2,}\S")
_YAML_VALUE = re.compile(
    r"\s*[\w.-]+:\s+(?:[\d.]+|true|false|null|yes|no|[\[{\"'|>].*|[\w./:@-]+)\s*$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RawLine:
    """A line that holds anything: where it stands and its first characters."""

    start: int
    end: int
    text: str
    gap: bool
    """Whether a blank line stands before it."""


def pasted_lines(lines: Sequence[RawLine]) -> bytearray:
    """Return one byte a line: 1 where the line stands in something that was pasted."""
    shown = bytearray(len(lines))
    at = 0
    while at < len(lines):
        end = next((stop for find in _FINDERS if (stop := find(lines, at)) > at), at)
        shown[at:end] = b"\x01" * (end - at)
        at = max(end, at + 1)
    _mark_comments(lines, shown)
    _mark_chat(lines, shown)
    return shown


def _fenced(lines: Sequence[RawLine], at: int) -> int:
    """Return the line past a fence's closing, which is as long as its opening and bare."""
    opening = FENCE.match(lines[at].text)
    if opening is None:
        return at
    if lines[at].text.count(opening[1]) > 1:
        return at + 1
    for index in range(at + 1, len(lines)):
        text = lines[index].text
        fence = FENCE.match(text)
        if fence and fence[1].startswith(opening[1]) and not text[fence.end() :].strip():
            return index + 1
    return len(lines)


def _mail(lines: Sequence[RawLine], at: int) -> int:
    first = lines[at].text
    if _MAIL.match(first):
        return len(lines)
    name = _HEADER.match(first)
    second = _HEADER.match(lines[at + 1].text) if name and at + 1 < len(lines) else None
    if name and second and not lines[at + 1].gap and name[1].lower() != second[1].lower():
        return len(lines)
    return at


def _terminal(lines: Sequence[RawLine], at: int) -> int:
    return _to_gap(lines, at) if _PROMPT.match(lines[at].text) else at


def _markup(lines: Sequence[RawLine], at: int) -> int:
    """Return the line past an element or a comment that opens at `at`."""
    text = lines[at].text
    if text.lstrip().startswith("<!--"):
        return _past(lines, at, "-->")
    if opening := _TAG_OPENS.match(text):
        return _past(lines, at + 1, f"</{opening[1]}")
    return _past(lines, at, "*/") if text.lstrip().startswith("/*") else at


def _past(lines: Sequence[RawLine], at: int, closing: str) -> int:
    """Return the line after the first from `at` on that holds `closing`, or the end."""
    for index in range(at, len(lines)):
        if closing in lines[index].text:
            return index + 1
    return len(lines)


def _diff(lines: Sequence[RawLine], at: int) -> int:
    if not _DIFF.match(lines[at].text):
        return at
    end = at + 1
    while end < len(lines) and (not lines[end].gap or _DIFF_GOES_ON.match(lines[end].text)):
        end += 1
    return end


def _data(lines: Sequence[RawLine], at: int) -> int:
    """Return the line past a JSON value, counted by its brackets."""
    if not _DATA_OPENS.match(lines[at].text):
        return at
    depth = 0
    for index in range(at, len(lines)):
        text = re.sub(r'"(?:[^"\\]|\\.)*"', "", lines[index].text)
        depth += text.count("{") + text.count("[") - text.count("}") - text.count("]")
        if depth <= 0:
            return index + 1
    return len(lines)


def _yaml(lines: Sequence[RawLine], at: int) -> int:
    before = lines[at - 1].text if at and not lines[at].gap else ""
    if _YAML_KEY.match(before) or _YAML_ITEM.match(before):
        return at  # in a run that was found too unlike data at its first line
    opens = lines[at].text.rstrip() == "---"
    end, keys, sure = at + opens, 0, 2 * opens
    while end < len(lines) and not (end > at and lines[end].gap):
        text = lines[end].text
        if _YAML_KEY.match(text):
            keys += 1
            sure += bool(_YAML_VALUE.match(text)) or text[:1] in " \t"
        elif not keys or not _YAML_ITEM.match(text):
            break
        end += 1
    return end if sure and (keys > 1 or (keys and at == 0 and opens)) else at


_FINDERS: tuple[Callable[[Sequence[RawLine], int], int], ...] = (
    _fenced,
    _mail,
    _terminal,
    _markup,
    _diff,
    _data,
    _yaml,
)


def _to_gap(lines: Sequence[RawLine], at: int) -> int:
    end = at + 1
    while end < len(lines) and not lines[end].gap and not FENCE.match(lines[end].text):
        end += 1
    return end


def _mark_comments(lines: Sequence[RawLine], shown: bytearray) -> None:
    """Mark comments: by their sign alone, or since code stands beside their run of lines."""
    code = False
    run: list[int] = []
    for index, line in enumerate(lines):
        if line.gap:
            code, run = False, []
        if _SURE_COMMENT.match(line.text) or _TRAILING.match(line.text):
            shown[index] = 1
        elif _COMMENT.match(line.text):
            run.append(index)
            shown[index] |= code
        else:
            code = bool(_CODE.match(line.text))
            for earlier in run if code else ():
                shown[earlier] = 1
            run = []


def _mark_chat(lines: Sequence[RawLine], shown: bytearray) -> None:
    """Mark a copied chat, whose lines stand below a name and a time, to the last one's end."""
    heads = [index for index, line in enumerate(lines) if _is_chat_head(line.text)]
    if heads:
        end = _to_gap(lines, heads[-1])
        shown[heads[0] : end] = b"\x01" * (end - heads[0])


def _is_chat_head(line: str) -> bool:
    return len(line) <= _MAX_HEAD_CHARS and ":" in line and _CHAT_HEAD.match(line) is not None
