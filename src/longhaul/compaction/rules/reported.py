"""Sentences in which the user reports what somebody else said."""

import re

_WHO = r"""(?:
    (?i:he|she|they|someone|somebody|everybody|everyone|er|sie|il|elle|ils|él|ella)
  | (?i:my|our|the|a|an|his|her|their|some|one\sof\s\w+|der|die|das|mein|meine|unser|unsere
    |le|la|les|mon|ma|notre|el|mi|nuestro)\s[\w'’-]+(?:\s(?!said|says)[\w'’-]+){0,4}?
  | (?!(?:I|We|You|It|This|That|What|If|When|As|Who|Never|Always|i|we|you|it|this|that|what|if
    |when|as|who|never|always)\b)[^\W\d][\w.-]*(?:\s[A-Z(][\w.)-]*){0,2}(?:\sfrom\s\w+(?:\s\w+)?)?
)"""
_VERB = r"""(?i:
    said|says|saying|wrote|writes|(?:told|tells|asked|asks|reminded)\s(?:me|us|everyone|everybody)
  | claims|claimed|insists|insisted|replied|answered|posted|announced|stated|states|demands|demanded
  | sagt|sagte|meint|meinte|schreibt|schrieb|behauptet|dit|a\sdit|écrit|a\sécrit|dice|dijo
  | escribió|escribe
)"""
_REPORT = re.compile(
    rf"""\W*(?:(?i:and|but|also|fyi|hey|hi|ok|okay|well|today|yesterday|just\snow|btw)[,:]?\s+){{0,3}}
    {_WHO}(?:\s(?i:just|also|once|always|has|had|hat|still|even|then))?\s{_VERB}
    (?:\s(?i:to\s)?(?i:me|us|him|her|them|today|yesterday|in\s\w+(?:\s\w+)?|on\s\w+|mir|uns))*
    \s*(?:(?P<colon>[:：]\s*\S)|,?\s*(?i:that|dass|que)\s|,?\s*["'“‘„«](?=\w+\s\w+\s\w))""",  # noqa: RUF001
    re.VERBOSE,
)
_ADOPTED = re.compile(
    r"(?:^|[,;.:–—\"'”’»-]\s*)(?:and\s)?(?:please\s)?"
    r"(?:so|therefore|hence|do\s(?:as|that|it|so|what)|follow|let's\sdo|we(?:'ll|\swill)?\sdo"
    r"|deshalb|daher|donc|así\sque)\b"
    r"|\b(?:do|act|work)\sas\b|\bfor\s(?:you|us)\s(?:too|as\swell)\b",
    re.IGNORECASE,
)
_OPENING = "\"'“‘„«"
_CLOSED = re.compile(
    r"[\"'”“’»](?:\s*[,;:–—-]+|[.!?]*(?=\s+(?:but|and|is|are|was|does|do|can|however|why|should)\b))\s*"
)
_PROBE_CHARS = 300


def reported_part(sentence: str) -> int:
    """Return how many characters of `sentence` only tell what a third person said or wrote.

    0 where it reports nothing, or makes it the user's own. What follows a quotation, `..., check
    that`, is the user's own again.
    """
    report = _REPORT.match(sentence[:_PROBE_CHARS])
    if report is None or _ADOPTED.search(sentence, report.end() - 1):
        return 0
    opening = report.end() - 1
    closing = _CLOSED.search(sentence, opening + 1) if sentence[opening] in _OPENING else None
    return closing.end() if closing else len(sentence)


def reports_on(sentence: str) -> bool:
    """Return whether what follows a reporting `sentence` in its line is reported as well."""
    report = _REPORT.match(sentence[:_PROBE_CHARS])
    return (
        report is not None
        and report["colon"] is not None
        and sentence[report.end() - 1] not in _OPENING
    )


def adopts(sentence: str) -> bool:
    """Return whether `sentence` makes what was reported before it the user's own."""
    return _ADOPTED.match(sentence) is not None and not sentence.endswith("?")
