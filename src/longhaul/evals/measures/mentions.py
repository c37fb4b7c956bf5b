"""The names and values of a session that its compactions make due: read once, for all of them.

The reference is what really came after a compaction: the next ten assistant messages.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from longhaul.evals.due import Cut, find_cuts
from longhaul.evals.measures.corrected import Corrections, find_corrections
from longhaul.evals.measures.places import Places, read_places
from longhaul.evals.measures.uses import Uses, find_uses
from longhaul.evals.measures.value_tokens import is_code_name
from longhaul.transcript.entries import AssistantMessage, MessageEntry, Path

N_REPLIES = 10
"""So many assistant messages after a compaction show what it should have kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the messages after one compaction used, each name once, in order."""

    paths: tuple[str, ...] = ()
    """As the file tools were given them."""
    commands: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    """Names of those paths without folders."""
    artifacts: tuple[str, ...] = ()
    """Names of files inside commands, without folders."""
    facts: tuple[str, ...] = ()
    """Values first seen in the span's tool output, not said in it and out of view, used again."""
    reused: tuple[str, ...] = ()
    """Values that are no code names, first seen there, whether or not said in it."""
    recalled: frozenset[str] = frozenset()
    """Those of the paths and commands that stand in closed entries, where recall finds them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """What each compaction of a path makes due without any label."""

    wanted: Mapping[int, Wanted]
    """By the index of the compaction."""
    corrections: Corrections
    """All of the path."""

    def after(self, cut: Cut) -> Wanted:
        """Return what the messages after a compaction of the path used."""
        return self.wanted[cut.index]


def read_mentions(path: Path) -> Mentions:
    """Return what the compactions of a path make due; nothing where it has none."""
    cuts = find_cuts(path)
    if not cuts:
        return Mentions(wanted={}, corrections=Corrections())
    uses = _uses_after(path, cuts)
    values = frozenset().union(*(used.values for used in uses))
    names = frozenset(name for used in uses for name in (*used.paths, *used.commands))
    places = read_places(path, values=values, names=names)
    wanted = (_wanted(cut, used, places) for cut, used in zip(cuts, uses, strict=True))
    return Mentions(
        wanted={cut.index: one for cut, one in zip(cuts, wanted, strict=True)},
        corrections=find_corrections(path),
    )


def _uses_after(path: Path, cuts: Sequence[Cut]) -> list[Uses]:
    """Return what the messages after each compaction use."""
    replies = [
        (index, entry.message)
        for index, entry in enumerate(path)
        if isinstance(entry, MessageEntry) and isinstance(entry.message, AssistantMessage)
    ]
    used: list[Uses] = []
    first = 0
    for cut in cuts:
        while first < len(replies) and replies[first][0] < cut.index:
            first += 1
        used.append(find_uses(message for _, message in replies[first : first + N_REPLIES]))
    return used


def _wanted(cut: Cut, used: Uses, places: Places) -> Wanted:
    new = [value for value in used.values if places.is_new_in(value, cut)]
    return Wanted(
        paths=used.paths,
        commands=used.commands,
        files=used.files,
        artifacts=used.artifacts,
        facts=tuple(value for value in new if not places.is_said_in(value, cut)),
        reused=tuple(value for value in new if not is_code_name(value)),
        recalled=frozenset(
            name for name in (*used.paths, *used.commands) if places.is_closed_at(name, cut)
        ),
    )
