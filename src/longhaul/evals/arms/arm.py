"""What an arm is given at one compaction, and what it gives back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from longhaul.evals.cases import RecordedSettings
from longhaul.evals.due import Cut
from longhaul.pi.sessions import Session
from longhaul.transcript.entries import JsonValue, Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """One arm's compaction: what an entry would hold, and what it cost."""

    text: str
    details: Mapping[str, JsonValue] | None = None
    """What the compactor keeps beside it; None where it keeps nothing."""
    from_hook: bool = True
    """False for pi's own compaction, whose file lists pi carries on."""
    tokens_in: int | None = None
    """Of all model calls together, those read from a cache included; None where none was made or
    the model does not say."""
    tokens_out: int | None = None
    tokens_cached: int | None = None
    seconds: float | None = None
    """Wall time of the model calls; of the whole compaction where none was made; None where
    neither is known, as for a text that was only read."""
    n_calls: int = 0
    note: str = ""
    """Why a model's word is missing, or not all of it was used; empty where nothing went wrong."""
    is_narrative_less: bool = False
    """A model was asked, and nothing of its reply could be used."""
    plan: str | None = None
    """What a model that was resumed on the text planned; None where none was asked or answered."""
    n_dropped: int = 0
    """Items of a model's diff that the entries did not bear out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handed:
    """What pi hands a compactor, and where in the recorded session that was."""

    name: str
    """The session's file name without `.jsonl`."""
    session: Session
    """As recorded."""
    path: Path
    """Up to the compaction, which is not on it. Chained, the compactions on it are the arm's own;
    as a takeover, those of the recording."""
    cut: Cut
    """The recorded compaction: the same place and the same cut for every arm."""
    made: Mapping[str, Made]
    """What the arm itself made earlier on this path, by the id of the compaction's entry."""
    settings: RecordedSettings
    """pi's, when the session was recorded."""
    source: Made | None = None
    """What the arm that this one is made from made here; None for an arm of its own."""
    repeat: int = 1
    """Which of several runs of the same arm this is, from 1."""


Arm: TypeAlias = Callable[[Handed], Made]
"""A compactor under test. What it raises breaks its chain and is reported, never scored."""
