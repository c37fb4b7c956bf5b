"""One thing that `longhaul doctor` looked at."""

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    subject: str
    """What was looked at, in a word or two."""
    level: Level
    text: str
    mend: str = ""
    """What to do about it; empty where nothing is to be done."""
