"""Which request the work answers now, and how the two before it ended."""

from dataclasses import dataclass

from longhaul.compaction.state import Quote, Request

N_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Objective:
    """One request with the status that the entries support."""

    quote: Quote
    status: str
    """`now`, `done`, `dropped`, or `replaced by u9`; only `now` reads as an order."""


def find_objectives(requests: tuple[Request, ...]) -> tuple[Objective, ...]:
    """Return the newest requests, newest first, each with its status.

    `requests` are those of the whole path, the kept window included. A request whose turn was still
    going on when the next came was not given up: both stand as one order.
    """
    found: list[Objective] = []
    later: Request | None = None
    going_on = True
    for request in reversed(requests):
        status = _status(request, later, going_on=going_on)
        going_on = going_on and status == "now"
        found.append(Objective(quote=request.quote, status=status))
        later = request
        if len(found) == N_SHOWN:
            break
    return tuple(found)


def _status(request: Request, later: Request | None, *, going_on: bool) -> str:
    if request.outcome == "dropped":
        return "dropped"
    if request.outcome == "aborted" and later is not None:
        return f"replaced by u{later.quote.turn}"
    if request.outcome == "done" or not going_on:
        return "done"
    return "now"
