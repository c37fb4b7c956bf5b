"""The requests of a session, newest last, and what the entries prove of each."""

import re
from collections.abc import Iterable
from dataclasses import replace

from longhaul.compaction.passages import first_passage, fold
from longhaul.compaction.rules.finder import find_rules
from longhaul.compaction.state import Outcome, Quote, Request
from longhaul.compaction.statements import Statement, text_of
from longhaul.transcript.entries import AssistantMessage

N_REQUESTS = 40
REQUEST_CHARS = 300
CLOSING_CHARS = 200
_ASKS = ("?", "\uff1f")
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
    requests: tuple[Request, ...], events: Iterable[Statement | AssistantMessage]
) -> tuple[Request, ...]:
    """Return the newest requests after `events`: the words typed and the replies, in order."""
    current = list(requests)
    for event in events:
        if isinstance(event, AssistantMessage):
            _hear_reply(current, event)
        elif not event.is_answer:
            _hear_user(current, event)
    return tuple(current[-N_REQUESTS:])


def _hear_user(requests: list[Request], statement: Statement) -> None:
    text = statement.text.strip()
    if requests and _is_only(_DROPS, text):
        requests[-1] = replace(requests[-1], outcome="dropped")
    elif requests and _is_only(_GOES_ON, text):
        requests[-1] = replace(requests[-1], outcome="open")
    elif _asks_for_work(text):
        words = first_passage(text, REQUEST_CHARS)
        quote = Quote(entry_id=statement.entry_id, turn=statement.turn, text=words)
        requests.append(Request(quote=quote))
        del requests[:-N_REQUESTS]


def _is_only(form: re.Pattern[str], text: str) -> bool:
    return len(text) <= _SHORT_CHARS and form.fullmatch(text) is not None


def _asks_for_work(text: str) -> bool:
    """Tell a request from an acknowledgement and from a message that only gives rules."""
    if _is_only(_ACKNOWLEDGES, text):
        return False
    rule_words = sum(
        len(_WORD.findall(candidate.quote)) for candidate in find_rules(text) if candidate.sure
    )
    return not rule_words or len(_WORD.findall(text)) - rule_words >= _TASK_WORDS


def _hear_reply(requests: list[Request], message: AssistantMessage) -> None:
    """Note how the newest request stands; one that is over stays as it was."""
    if not requests or requests[-1].outcome in ("done", "dropped"):
        return
    said = fold(text_of(message.content))
    closing = tail_of(said, CLOSING_CHARS) if said else requests[-1].closing
    requests[-1] = replace(requests[-1], outcome=_outcome(message, said), closing=closing)


def _outcome(message: AssistantMessage, said: str) -> Outcome:
    if message.stop_reason in ("aborted", "error"):
        return "aborted"
    return "done" if message.stop_reason == "stop" and not said.endswith(_ASKS) else "open"


def tail_of(text: str, max_chars: int) -> str:
    """Return the end of folded `text`, whole sentences where they fit in `max_chars`."""
    if len(text) <= max_chars:
        return text
    tail = text[-max_chars:]
    boundary = re.search(r"(?<=[.!?。]) ", tail[: max_chars // 2])
    return tail[boundary.end() :] if boundary else tail.split(" ", 1)[-1]
