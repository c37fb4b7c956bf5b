"""The session into which the texts are put, and what its user said."""

from collections.abc import Sequence

from longhaul.transcript.entries import Entry
from tests.build import user
from tests.compaction.turns import work

GOAL = "Write a tide table reader in Python, with a command line."
RULES = (
    "Never push to origin without asking me.",
    "Always write commit subjects in lower case.",
    "From now on run the formatter after each edit.",
)
ROUNDS = (
    ("now add a man page for it", "and then a short tutorial"),
    ("the tutorial lacks an example", "then we look at the colours"),
)
"""Before and at each cut: what is said after the text, and what is kept behind the cut."""
SAID = (
    GOAL,
    f"{RULES[0]} {RULES[1]} Then read the station list.",
    f"{RULES[2]} And now plot one day.",
    *(words for both in ROUNDS for words in both),
)
"""Every word that the user says, beside what a place adds."""


BEGINNING: tuple[Entry, ...] = (
    user(SAID[0]),
    *work("git log --oneline -1", "4f2a91c start", "Committed as 4f2a91c."),
    user(SAID[1]),
    *work("python bench.py", "parsed in 165.9 ms", "It takes 165.9 ms."),
    user(SAID[2]),
    *work("pytest -q", "3 passed in 0.21s", "The plot is there."),
)


def closing(index: int) -> Sequence[Entry]:
    """Return what follows the text in a round: a turn, and the message at which is cut."""
    said, kept = ROUNDS[index]
    return (user(said), *work("make", f"built in {index + 2}.31 s", "Done."), user(kept))
