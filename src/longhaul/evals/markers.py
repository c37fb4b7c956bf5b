"""The regular expressions of label files, compiled and searched within a bound.

Whoever writes a label file writes regular expressions that run on every line of every text, and
Python's can take longer than anybody waits: `(a+)+$` on forty letters does. So none is given more
than a second of computing for a line; what it matches within that is what `re` says.
"""

import re
import signal
import threading
import warnings
from collections.abc import Callable
from functools import lru_cache
from types import FrameType
from typing import NoReturn, TypeVar

from longhaul.errors import LonghaulError

SECONDS = 1.0
"""Computing time of this process, not of the clock: a busy machine changes no outcome."""

_CHOICES = frozenset("*+?{|")
_FEW_STEPS = 1_000_000
"""What a marker without any of these matches is never tried twice at one place. So it needs no
more steps than the line and it have characters, multiplied; where those are few, it goes without a
bound, which costs several times what its search does."""
_N_KEPT = 1 << 12
"""Compiled markers that are kept: `re` itself keeps no more than 512."""
_MAX_SHOWN_CHARS = 60

_Found = TypeVar("_Found")


class MarkerError(LonghaulError):
    """A marker takes too long; the message quotes it."""


class _TooLongError(Exception):
    """The time is over."""


@lru_cache(_N_KEPT)
def compile_marker(marker: str) -> re.Pattern[str]:
    """Return a marker as it is searched: in any case.

    Raises:
        MarkerError: that takes longer than a second.
        re.error: it is no regular expression.
        RecursionError, OverflowError: the same.
    """
    try:
        return _bounded(lambda: _compile(marker))
    except _TooLongError:
        raise MarkerError(f"{_shown(marker)} takes longer than a second to compile") from None


def is_found(marker: str, line: str) -> bool:
    """Return whether a marker matches anywhere in a line.

    Raises:
        MarkerError: that takes longer than a second; so in all of these.
    """
    pattern = compile_marker(marker)
    return _searched(marker, line, lambda: pattern.search(line)) is not None


def find_matches(marker: str, line: str) -> tuple[tuple[int, int], ...]:
    """Return where in a line a marker matches, each from its first character to behind its last.

    A match without length is none.
    """
    pattern = compile_marker(marker)
    matches = _searched(marker, line, lambda: [*pattern.finditer(line)])
    return tuple(match.span() for match in matches if match[0])


def without_matches(marker: str, line: str) -> str:
    """Return a line with a space for everything in it that a marker matches.

    A match without length, such as a lookahead, stands for no words and takes none away.
    """
    pattern = compile_marker(marker)
    return _searched(marker, line, lambda: pattern.sub(lambda match: " " if match[0] else "", line))


def _compile(marker: str) -> re.Pattern[str]:
    with warnings.catch_warnings():
        # "Possible nested set" and the like are about Python's future, not about the marker.
        warnings.simplefilter("ignore")
        return re.compile(marker, re.IGNORECASE)


def _searched(marker: str, line: str, search: Callable[[], _Found]) -> _Found:
    if _CHOICES.isdisjoint(marker) and len(marker) * len(line) <= _FEW_STEPS:
        return search()
    try:
        return _bounded(search)
    except _TooLongError:
        raise MarkerError(
            f"{_shown(marker)} takes longer than a second on a line of {len(line):,} characters;"
            " write it without repetition inside repetition, as in (a+)+"
        ) from None


def _bounded(run: Callable[[], _Found]) -> _Found:
    """Return what `run` does, or raise `_TooLongError` once the time is over.

    Python's own matching looks for signals as it goes, and only the main thread gets them: other
    threads are not bounded. Labels are judged in the main thread.
    """
    if threading.current_thread() is not threading.main_thread():
        return run()
    before = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return run()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise _TooLongError


def _shown(marker: str) -> str:
    clipped = marker[:_MAX_SHOWN_CHARS]
    return f"/{clipped}{'…' if clipped < marker else ''}/"
