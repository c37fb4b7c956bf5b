# ruff: noqa: RUF001 - full-width and Cyrillic signs are what is looked for
"""Which lines of a message are the user's own words, and which are pasted.

A message mixes what its author says with what the author shows: code, logs, mails, documents.
Only the first can give a rule. Every test looks at one line and its neighbours, so time grows
linearly with the message.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

_MAX_INTRO_CHARS = 240
_MIN_CHAT_LINES = 3
_PROBE_CHARS = 400
"""How much of a line its tests read: a longer line is judged by its beginning."""

_FENCE = re.compile(r"[ \t]{0,8}(```|~~~|\"\"\"|''')")
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
    """The line's first characters, enough for the tests on it."""
    own: bool
    """Whether the user says it, rather than shows it."""


def read_lines(text: str) -> tuple[Line, ...]:
    """Return the lines of `text` that hold anything, each marked as the user's own or not."""
    lines = list(_marked(list(_spans(text)), text))
    return tuple(_without_chats(lines))


def is_list_item(line: str) -> bool:
    """Return whether `line` starts with a bullet, a number or a letter of a list, or is quoted."""
    return line.lstrip().startswith(">") or _LIST_ITEM.match(line) is not None


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.split("\n"):
        if line and not line.isspace():
            yield start, start + len(line)
        start += len(line) + 1


@dataclass(slots=True)
class _Paste:
    """Where the walk over the lines stands: what has been opened and not closed yet."""

    fence: str | None = None
    announced: bool = False
    """The line before announced what somebody else wrote, or what a program printed."""
    loose: bool = False
    """The line before mentions somebody else's words, but does not end as if they followed."""
    adopted: bool = False
    """The line before makes the lines quoted below it the user's own."""
    inside: bool = False
    colon: bool = False
    listed: bool = False


def _marked(spans: list[tuple[int, int]], text: str) -> Iterator[Line]:
    paste = _Paste()
    previous_end = 0
    for start, end in spans:
        probe = text[start : min(end, start + _PROBE_CHARS)]
        gap = text.count("\n", previous_end, start) > 1
        own = _is_own(probe, paste, gap=gap)
        if own and not (paste.adopted and probe.lstrip().startswith(">")):
            _note_announcement(probe, paste, closes=text[max(start, end - 2) : end])
        previous_end = end
        yield Line(start=start, end=end, text=probe, own=own)


def _is_own(line: str, paste: _Paste, *, gap: bool) -> bool:
    fence = _FENCE.match(line)
    if paste.fence is not None:
        if fence and fence[1] == paste.fence:
            paste.fence = None
        return False
    if fence:
        paste.fence = None if line.count(fence[1]) > 1 else fence[1]
        paste.announced = paste.inside = False
        return False
    if paste.adopted and line.lstrip().startswith(">"):
        return True
    if _is_shown(line, paste):
        paste.inside, paste.announced = paste.announced or paste.loose or paste.inside, False
        return False
    return not _goes_on(line, paste, gap=gap)


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
    if paste.inside and (not gap or shaped):
        return True
    paste.inside = False
    return False


def _note_announcement(line: str, paste: _Paste, *, closes: str) -> None:
    paste.listed = is_list_item(line) or (paste.listed and line[:1] in " \t")
    paste.colon = closes.rstrip().endswith((":", "："))
    short = len(line) <= _MAX_INTRO_CHARS
    paste.adopted = paste.colon and short and bool(_ADOPTED.search(line))
    paste.loose = short and not paste.listed and not paste.adopted and _announces(line)
    paste.announced = (paste.colon and paste.loose) or bool(_TICKET.match(line))


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
