"""What a text keeps on the compactions of a session of a few lines."""

from collections.abc import Callable

from longhaul.compaction.state import State
from longhaul.evals.measures.amounts import Count
from longhaul.evals.measures.subject import Subject, find_occasions
from longhaul.transcript.entries import Path

Judge = Callable[[Subject], Count]


def judged(judge: Judge, path: Path, text: str, *, number: int = 1, is_own: bool = False) -> Count:
    """Return what `judge` counts of a text at a compaction, the newest where `number` is 0.

    `is_own` is for an arm of Longhaul's.
    """
    occasion = find_occasions(path, None)[number - 1]
    return judge(Subject(text=text, occasion=occasion, state=State() if is_own else None))
