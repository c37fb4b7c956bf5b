"""What a line is by its own form: list item, heading, log, code, or what announces a paste."""

import re

_MAX_INTRO_CHARS = 240
"""A longer line announces nothing: it has said it by itself."""
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+•–]|\(?\d{1,3}[.)]|\(?[A-Za-z][.)])[ \t]+\S")
_HEADING = re.compile(r"\s*(?:#{1,6}\s|\*\*[^*]+\*\*\s*:?\s*$)")
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
_PRINTED = re.compile(
    r"\b(?:it|he|she|they|which|that|command|script|tests?|program|tool|build|ci|server|and)\s"
    r"(?:just\s|then\s|only\s|has\s|had\s)?"
    r"(?:print(?:s|ed)|outputs?|outputted|said|says|wrote|writes|showed|shows|logged|logs|returned"
    r"|responded|replied|answered|gave(?:\sme)?)(?:\s(?:this|that|me|us))?\s*$",
    re.IGNORECASE,
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


def is_list_item(line: str) -> bool:
    """Return whether `line` starts with a bullet, a number or a letter of a list, or is quoted."""
    return line.lstrip().startswith(">") or _LIST_ITEM.match(line) is not None


def is_heading(line: str) -> bool:
    """Return whether a line is a Markdown heading, or all of it is bold."""
    return _HEADING.match(line) is not None


def is_printed(line: str) -> bool:
    """Return whether a line is one of a log, of code, of a mail's head or of a diff."""
    return _LOG_LINE.match(line) is not None or _CODE_LINE.match(line) is not None


def is_ticket(line: str) -> bool:
    """Return whether a line opens a ticket or a part of one."""
    return _TICKET.match(line) is not None


def announces(line: str) -> bool:
    """Return whether a line may announce what somebody else wrote or said."""
    if len(line) > _MAX_INTRO_CHARS:
        return False
    clause = re.split(r"[.!?]\s", line)[-1]
    return bool(_SHOWN_BY_OTHERS.search(clause)) and not _MINE.search(clause)


def announces_output(closes: str) -> bool:
    """Return whether the end of a line says that a program or somebody then printed or said it."""
    return _PRINTED.search(closes) is not None


def adopts_quoted(line: str) -> bool:
    """Return whether a line makes what is quoted below it the user's own words."""
    return len(line) <= _MAX_INTRO_CHARS and _ADOPTED.search(line) is not None
