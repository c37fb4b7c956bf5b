"""What a compaction kept and what went wrong in it, in words, wherever a user reads them."""

from typing import NamedTuple

from longhaul.compaction.compact import Report
from longhaul.compaction.diff.items import count_items
from longhaul.compaction.diff.record import CallRecord


def count(number: int, noun: str, plural: str = "") -> str:
    """Return `number` with its noun; the plural is the noun with an s where none is given."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def kept_text(report: Report) -> str:
    """Return what was kept, and its length."""
    kept = f"{count(report.n_rules, 'rule')}, {count(report.n_values, 'value')}"
    return f"{kept} in {count(report.n_chars, 'character')}"


def model_text(call: CallRecord) -> str:
    """Return what came of a model's word and what it cost, in part of a line; empty for no reply.

    What only marks a rule is counted as marked alone.
    """
    if not call.n_calls:
        return ""
    items = _tally(call)
    taken = count(items.n_taken, "item")
    marked = f"{items.n_marked:,} only marked, " if items.n_marked else ""
    said = f"{taken} of the model's taken, {marked}{items.n_dropped:,} dropped"
    tokens = f"{_tokens(call.tokens_in)} tokens in, {_tokens(call.tokens_out)} out"
    seconds = f", {call.seconds:,.1f} s" if call.seconds is not None else ""
    return f"{said} ({tokens}{seconds})"


def dropped_texts(call: CallRecord | None) -> tuple[str, ...]:
    """Return how much of what a model said was not believed; empty where all of it was."""
    items = _tally(call) if call else None
    if items is None or not items.n_dropped:
        return ()
    return (f"{items.n_dropped:,} of its {count(sum(items), 'item')} dropped",)


class _Tally(NamedTuple):
    """What became of the items of a diff; each is counted once."""

    n_taken: int
    n_marked: int
    """Of rules that stay in force, but marked."""
    n_dropped: int


def _tally(call: CallRecord) -> _Tally:
    n_marked = sum(dropped.marked for dropped in call.dropped)
    return _Tally(count_items(call.diff) - n_marked, n_marked, len(call.dropped) - n_marked)


def _tokens(number: int | None) -> str:
    return "?" if number is None else f"{number:,}"


def trouble_texts(report: Report) -> tuple[str, ...]:
    """Return what a user has to know beside it; empty where all went as it should.

    The reason for a new beginning is as the session had it: to be escaped where it is shown.
    """
    texts = []
    if report.over_budget:
        texts.append("over its budget: goal, objective and rules in force alone are longer")
    if report.call is not None and report.call.failure:
        lack = "without all that the model said" if report.call.n_calls else "made without a model"
        texts.append(f"{lack} ({report.call.failure})")
    if report.note:
        texts.append(f"built anew from the session ({report.note})")
    return tuple(texts)
