"""The requests of a session, newest last, and what the entries prove of each."""

import re
from collections.abc import Iterable
from dataclasses import replace

from longhaul.compaction.passages import find_passages
from longhaul.compaction.rules.finder import RuleFinder, find_rules
from longhaul.compaction.secrets import mask_secrets
from longhaul.compaction.state import Outcome, Request
from longhaul.compaction.statements import Statement, quote_from
from longhaul.compaction.white_space import fold_space
from longhaul.transcript.entries import AssistantMessage, content_text

N_REQUESTS = 40
REQUEST_CHARS = 300
CLOSING_CHARS = 200
_ASKS = ("?", "\uff1f")
_MAY_BE_A_RULE = 0.3
"""Score from which words count as a rule here: a prohibition that reads as done would be worse."""
_TASK_WORDS = 3
"""A message with fewer words beside its rules asks for no work of its own."""

_WORD = re.compile(r"\w+")
_SHORT_CHARS = 80
"""A longer message is no mere acknowledgement, whatever its words."""
_GOES_ON = re.compile(
    r"(?:please |ok(?:ay)?,? |yes,? |and )*"
    r"(?:continue|go on|go ahead|proceed|carry on|keep going|resume|retry|try again"
    r"|weiter|mach weiter|continua|continuez|sigue|继续|続けて)"
    r"(?: please)?[.! ]*",
    re.IGNORECASE,
)
_ACKNOWLEDGES = re.compile(
    r"(?:(?:ok(?:ay)?|k|yes|yep|yeah|sure|thanks?(?: you)?|thx|ty|great|nice|perfect|cool|lovely"
    r"|good|fine|done|right|alright|got it|looks good|lgtm|hi|hello|hey"
    r"|danke|merci|gracias|super|gut)\b[,.!) :]*)+",
    re.IGNORECASE,
)
_DROPS = re.compile(
    r"(?:ok(?:ay)?,? |no,? |actually,? |wait,? )*"
    r"(?:never ?mind|forget (?:it|that|about it)|scratch that|stop|cancel(?: that)?"
    r"|leave it|drop (?:it|that)|abort)"
    r"(?: (?:for now|then|please))?[.! ]*",
    re.IGNORECASE,
)


def advance_requests(
    requests: tuple[Request, ...],
    events: Iterable[Statement | AssistantMessage],
    *,
    find: RuleFinder = find_rules,
) -> tuple[Request, ...]:
    """Return the newest requests after `events`: the words typed and the replies, in order."""
    current = list(requests)
    replies: list[AssistantMessage] = []
    for event in events:
        if isinstance(event, AssistantMessage):
            replies.append(event)
        elif not event.is_answer:
            _hear_replies(current, replies)
            replies.clear()
            _hear_user(current, event, find)
    _hear_replies(current, replies)
    return tuple(current[-N_REQUESTS:])


def _hear_user(requests: list[Request], statement: Statement, find: RuleFinder) -> None:
    text = statement.text.strip()
    if requests and _is_only(_DROPS, text):
        requests[-1] = replace(requests[-1], outcome="dropped")
    elif requests and _is_only(_GOES_ON, text):
        requests[-1] = replace(requests[-1], outcome="open")
    elif _asks_for_work(statement.text, find):
        words = next(find_passages(text, REQUEST_CHARS), "")
        if not words:
            return
        requests.append(Request(quote=quote_from(statement, words)))
        del requests[:-N_REQUESTS]


def _is_only(form: re.Pattern[str], text: str) -> bool:
    return len(text) <= _SHORT_CHARS and form.fullmatch(text) is not None


def _asks_for_work(text: str, find: RuleFinder) -> bool:
    """Tell a request from an acknowledgement and from a message that only gives rules."""
    if _is_only(_ACKNOWLEDGES, text.strip()):
        return False
    rule_words = sum(
        len(_WORD.findall(candidate.quote))
        for candidate in find(text)
        if candidate.score >= _MAY_BE_A_RULE
    )
    return not rule_words or len(_WORD.findall(text)) - rule_words >= _TASK_WORDS


def _hear_replies(requests: list[Request], replies: list[AssistantMessage]) -> None:
    """Note how the newest request stands after its replies; what follows its end is not of it."""
    if not requests or not replies or requests[-1].outcome in ("done", "dropped"):
        return
    ends = (at for at, reply in enumerate(replies) if _outcome(reply) == "done")
    heard = replies[: next(ends, len(replies)) + 1]
    texts = (content_text(one.content) for one in reversed(heard))
    said = fold_space(mask_secrets(next(filter(str.strip, texts), "")))
    closing = tail_of(said, CLOSING_CHARS) if said else requests[-1].closing
    requests[-1] = replace(requests[-1], outcome=_outcome(heard[-1]), closing=closing)


def _outcome(message: AssistantMessage) -> Outcome:
    if message.stop_reason in ("aborted", "error"):
        return "aborted"
    if message.stop_reason != "stop":
        return "open"
    return "open" if content_text(message.content).rstrip().endswith(_ASKS) else "done"


def tail_of(text: str, max_chars: int) -> str:
    """Return the end of folded `text`, whole sentences where they fit in `max_chars`."""
    if len(text) <= max_chars:
        return text
    tail = text[-max_chars:]
    boundary = re.search(r"(?<=[.!?。]) ", tail[: max_chars // 2])
    return tail[boundary.end() :] if boundary else tail.split(" ", 1)[-1]
