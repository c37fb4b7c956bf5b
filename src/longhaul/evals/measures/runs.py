"""What the tool results of a session prove: read for the harness, not by the compactor's ledger."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from longhaul.evals.measures.hash_places import HashPlaces
from longhaul.evals.measures.run_commits import MIN_HASH_CHARS, SeenCommit, is_same_hash
from longhaul.evals.measures.run_results import Result
from longhaul.evals.measures.run_steps import CheckKind


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRun:
    """One step of a command that ran, or may have run."""

    index: int
    """Of the entry that holds the result."""
    turn: int
    """7 for `u7`."""
    text: str
    """The step, white space folded, without redirections."""
    folder: str
    """Where the `cd` before it goes; empty where none stands before it."""
    kind: CheckKind | None
    is_alone: bool
    """Its command has no other step."""
    result: Result


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRun:
    """A whole shell command that ran."""

    index: int
    turn: int
    text: str
    """White space folded."""
    is_failure: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A file that a file tool wrote."""

    index: int
    file: str


_Placed = TypeVar("_Placed", StepRun, CommandRun, SeenCommit, Change)


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """What ran on a path and how it ended, all of it oldest first; see `before`."""

    hash_places: HashPlaces
    steps: Mapping[str, Sequence[StepRun]]
    """By text."""
    checks: Mapping[CheckKind, Sequence[StepRun]]
    commands: Sequence[CommandRun]
    commands_by_text: Mapping[str, Sequence[CommandRun]]
    texts: Sequence[str]
    """Those of the commands, sorted, so that those with one beginning stand together."""
    commits: Sequence[SeenCommit]
    commits_by_hash: Mapping[str, Sequence[SeenCommit]]
    """By the first seven digits."""
    head_moves: Sequence[int]
    """Entries after whose commands HEAD may have been another."""
    changes: Sequence[Change]


def before(items: Sequence[_Placed], end: int) -> Sequence[_Placed]:
    """Return those of a path's findings whose result stands in `path[:end]`."""
    return items[: bisect_left(items, end, key=lambda item: item.index)]


def find_seen(runs: Runs, hash_text: str, end: int) -> Sequence[SeenCommit]:
    """Return what git showed of a commit in `path[:end]`."""
    alike = before(runs.commits_by_hash.get(hash_text[:MIN_HASH_CHARS], ()), end)
    return [seen for seen in alike if is_same_hash(seen.hash, hash_text)]


def has_appeared(runs: Runs, hash_text: str, end: int) -> bool:
    """Return whether a hash, or its first seven digits, begins anywhere in `path[:end]`."""
    seen = find_seen(runs, hash_text, end)
    return bool(seen) or runs.hash_places.is_before(hash_text[:MIN_HASH_CHARS], end)
