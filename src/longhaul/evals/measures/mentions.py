"""The names and values of a session, where each stands: read once, for all of its compactions."""

from dataclasses import dataclass

from longhaul.transcript.entries import Path


@dataclass(frozen=True, slots=True)
class Mentions:
    """Where names and values stand on a path."""

    path: Path


def read_mentions(path: Path) -> Mentions:
    """Return the names and values of a path."""
    return Mentions(path)
