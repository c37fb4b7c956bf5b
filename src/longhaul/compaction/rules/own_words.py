# ruff: noqa: RUF001 - full-width and Cyrillic signs are what is looked for
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
from longhaul.compaction.rules.pasted import FENCE, RawLine, pasted_lines

_MAX_INTRO_CHARS = 240
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

_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+•–]|\(?\d{1,3}[.)]|\(?[A-Za-z][.)])[ \t]+\S")
_HEADING = re.compile(r"\s*(?:#{1,6}\s|\*\*[^*]+\*\*\s*:?\s*$)")
_SPEAKER = re.compile(r"\s*(?:\[[\d:. ]{4,12}\]\s*|<)?@?(\w[\w.-]{0,20})>?\s?:\s+\S")
_LOG_LINE = re.compile(
    r"""\s*(?:
      \[?\d{1,2}:\d{2}(?::\d{2}|\s*\])                          # 17:22:40, [09:12]
    | \[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}
    | \[\d+[./]\d+[^\]]{0,20}\]
    | (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{1,2}\s+\d{2}:\d{2}
    | Traceback\s\(most | File\s" | at\s[\w.$<>/]+\s?\( | Caused\sby:
    | [\w.$]*(?:Error|Exception|Warning):\s
    | (?:npm|yarn|pnpm)\s(?:ERR|error|warn)\b
    | (?:error|warning|note|help|fatal|hint|info|debug|critical|panic)(?:\[\w+\])?:\s
    | (?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL|CRITICAL)\b
    | [EWID]\s\(\d+\) | make(?:\[\d+\])?:\s | \#\d+\s+0x
    | [\w./-]+:\d+(?::\d+)?:\s
    | \$\s\S | >>>\s | PS\s[A-Z]:\\ | [\w.-]+@[\w.-]+:\S*[$#]\s
    | diff\s--git | index\s[0-9a-f]{7} | @@\s | (?:\+\+\+|---)\s[ab/] | commit\s[0-9a-f]{7,40}\s*$
    | (?:From|To|Cc|Subject|Date|Sent|Von|An|Betreff|De|Objet|Asunto):\s
    | \|.*\| | --+>\s | \d+\s\| | [●├└│^]
    | </?\w[^>]*>\s*$
    )""",
    re.VERBOSE,
)
_CODE_LINE = re.compile(
    r"\s*(?:(?:import|from)\s\w[\w.]*(?:\s+import\s|;?\s*$)|(?:def|class|func|fn)\s\w+\s*[(:{<]"
    r"|(?:const|let|var)\s\w+\s*=|return\b[^.]*;\s*$|#include\b|@\w+\(|[\w.\[\]]+\s*[-+]?=\s*[\w.]+\("
    r"|[\w.]+\([^)]*\);?\s*$|[{}()\[\]]+[;,]?\s*$|\"?[\w.-]+\"?\s*[:=]\s*[\"{\[].*[,}\]\"]\s*$)"
)
_SHOWN_BY_OTHERS = re.compile(
    r"""\b(?:
      says?|said|wrote|writes|writing|posted|replied|replies|answered|told|asks?|asked|mailed
    | logs?|output|traceback|stack\s?trace|backtrace|bt|dump|diff|error|errors|warnings?
    | readme(?:\.\w+)?|contributing(?:\.\w+)?|docs?|documentation|docstring|manual
    | man\s?page|wiki|changelog
    | e-?mails?|mail|letter|slack|teams|forum|thread|chat|channel|discord|irc|newsletter|tweet
    | tickets?|issue|jira|report|audit|policy|terms|contract|licen[cs]e|guidelines?
    | handbook|rfc|spec\ssheet
    | sheet|handout|assignment|exercise|syllabus|review(?:er|ers)?|referee|editor|comments?|feedback
    | forwarded|pasted?|quote|quoting|excerpt|snippet|got\sthis
    | seen\sin|saw\sthis|transcript|description
    | schreibt|schrieb|sagt|meint|protokoll|ausgabe|fehler|fehlermeldung|rundmail|brief|anleitung
    | escribe|escribió|dice|dijo|correo|registro|salida|écrit|dit|courriel|sortie|journal
    | scrive|dice|registro|escreveu|disse|skriver|skrev|sade|pisze|napisał
    )\b | @\w+: | \#[\w-]+ | (?:пишет|написал|сказал|лог|ошибка|вывод|письмо)
    | 写道|发的|发来|日志|报错|邮件|通知|からの|ログ|エラー|メール""",
    re.VERBOSE | re.IGNORECASE,
)
_STOPS = tuple('.!?:。！？："”')
_PRINTED = re.compile(
    r"\b(?:it|he|she|they|which|that|command|script|tests?|program|tool|build|ci|server|and)\s"
    r"(?:just\s|then\s|only\s|has\s|had\s)?"
    r"(?:print(?:s|ed)|outputs?|outputted|said|says|wrote|writes|showed|shows|logged|logs|returned"
    r"|responded|replied|answered|gave(?:\sme)?)(?:\s(?:this|that|me|us))?\s*$",
    re.IGNORECASE,
)
_ELEMENT = re.compile(
    r"<([A-Za-z][\w:.-]{0,40})(?:\s[^<>]{0,200})?>[^<]*\s[^<]*</\1\s*>|<!--.*?-->"
)
_TICKET = re.compile(
    r"\s*(?:[A-Z]{2,10}-\d+\b.*[^.?!\s]\s*$|(?:\W*)(?:acceptance criteria|description"
    r"|steps to reproduce|(?:expected|actual) (?:behaviou?r|result)s?|definition of done"
    r"|user story)\W*$)",
    re.IGNORECASE,
)
_MINE = re.compile(
    r"\b(?:rules?\s(?:for|from\snow)|conventions?|my\s(?:rules?|preferences)|ground\srules|for\syou|"
    r"please|remember|from\snow\son|what\sapplies|how\s(?:we|i)\s|house\srules)\b",
    re.IGNORECASE,
)
_ADOPTED = re.compile(
    r"\b(?:work|act|behave|proceed|do\sit|write)\s(?:\w+\s)?(?:like\sthis|this\sway|by\s(?:this|these))|"
    r"\b(?:follow|obey|respect|stick\sto|go\sby|adhere\sto|apply|heed)\s(?:this|these|them|it|all)\b|"
    r"\b(?:applies|apply|counts?|holds?|valid)\s(?:to|for)\s(?:you|us|me)\b|\bexpect\s(?:from|of)\b|"
    r"\b(?:halte?\sdich|gilt\sfür\s(?:dich|uns)|respecte|sigue\sesto|segui\squeste)\b",
    re.IGNORECASE,
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


def is_list_item(line: str) -> bool:
    """Return whether `line` starts with a bullet, a number or a letter of a list, or is quoted."""
    return line.lstrip().startswith(">") or _LIST_ITEM.match(line) is not None


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
        paste.document |= paste.announced and bool(_HEADING.match(line))
        paste.inside, paste.announced = paste.announced or paste.loose or paste.inside, False
        return False
    return not _goes_on(line, paste, gap=gap)


def _continues(line: str, *, ended: bool) -> bool:
    """Return whether a line right below a quoted one goes on with it, not answers it."""
    return not ended or not (line.lstrip()[:1].islower() or "?" in line)


def _is_shown(line: str, paste: _Paste) -> bool:
    """Return whether the line's own form says that it is quoted, logged or code."""
    if (
        line.lstrip().startswith(">")
        or (paste.loose and _HEADING.match(line))
        or _LOG_LINE.match(line)
        or _CODE_LINE.match(line)
    ):
        return True
    indented = line.startswith(("    ", "\t")) or (paste.colon and line.startswith("  "))
    return indented and not paste.listed and not is_list_item(line)


def _goes_on(line: str, paste: _Paste, *, gap: bool) -> bool:
    """Return whether the line belongs to a paste announced before, and step past its end."""
    shaped = is_list_item(line) or bool(_HEADING.match(line)) or line[:1] in " \t"
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
    short = len(line) <= _MAX_INTRO_CHARS
    paste.adopted = paste.colon and short and bool(_ADOPTED.search(line))
    paste.loose = short and not paste.listed and not paste.adopted and _announces(line)
    printed = bool(_PRINTED.search(closes))
    paste.announced = (paste.colon and paste.loose) or printed or bool(_TICKET.match(line))


def _announces(line: str) -> bool:
    clause = re.split(r"[.!?]\s", line)[-1]
    return bool(_SHOWN_BY_OTHERS.search(clause)) and not _MINE.search(clause)


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
