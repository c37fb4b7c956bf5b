"""What model calls took, in pi's own form."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

from longhaul.compaction.completion import Completion
from longhaul.pi.protocol import Params
from longhaul.transcript.entries import JsonValue

COUNTS = ("input", "output", "cacheRead", "cacheWrite")
"""What pi counts in tokens, and prices."""

Usage = dict[str, JsonValue]
"""What calls took, in pi's own form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCounts:
    """What one call took, as a completion has it; None where that is not known."""

    tokens_in: int | None = None
    """Those read from a cache included."""
    tokens_out: int | None = None
    tokens_cached: int | None = None


def count_tokens(usage: JsonValue) -> TokenCounts:
    """Return what a call took; nothing is known where `usage` is not as pi keeps it."""
    if not is_usage(usage):
        return TokenCounts()
    cached = _sum((usage,), "cacheRead")
    return TokenCounts(
        tokens_in=int(_sum((usage,), "input") + cached + _sum((usage,), "cacheWrite")),
        tokens_out=int(_sum((usage,), "output")),
        tokens_cached=int(cached),
    )


def usage_of(completion: Completion) -> Usage:
    """Return what a reply took in pi's form; what is not known is nothing, its price too."""
    cached = completion.tokens_cached or 0
    counts = {
        "input": max((completion.tokens_in or 0) - cached, 0),
        "output": completion.tokens_out or 0,
        "cacheRead": cached,
        "cacheWrite": 0,
    }
    cost: JsonValue = dict.fromkeys((*COUNTS, "total"), 0)
    return {**counts, "totalTokens": sum(counts.values()), "cost": cost}


def sum_usage(usages: Sequence[Usage]) -> Usage | None:
    """Return what several calls took together; None where none was made."""
    if not usages:
        return None
    costs = [cost for usage in usages if isinstance(cost := usage["cost"], dict)]
    return {
        **{name: _sum(usages, name) for name in (*COUNTS, "totalTokens")},
        "cost": {name: _sum(costs, name) for name in (*COUNTS, "total")},
    }


def is_usage(value: JsonValue) -> TypeGuard[Usage]:
    """Return whether a value is a usage as pi keeps it: all counts and costs are numbers."""
    if not isinstance(value, dict) or not isinstance(cost := value.get("cost"), dict):
        return False
    numbers = [value.get(name) for name in (*COUNTS, "totalTokens")]
    return all(map(_is_number, [*numbers, *(cost.get(name) for name in (*COUNTS, "total"))]))


def _is_number(value: JsonValue) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _sum(records: Sequence[Params], name: str) -> float:
    return sum(value for record in records if _is_number(value := record.get(name)))
