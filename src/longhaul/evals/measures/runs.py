"""What the tool results of a session prove, read for the harness: not by the compactor's ledger."""

from dataclasses import dataclass

from longhaul.transcript.entries import Path


@dataclass(frozen=True, slots=True)
class Runs:
    """Commands of a path with their outcomes."""

    path: Path


def read_runs(path: Path) -> Runs:
    """Return what the tool results of a path prove."""
    return Runs(path)
