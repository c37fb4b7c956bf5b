"""The lines of World: HEAD and checks, files, commits and commands."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple

from longhaul.compaction.render.budget import Line
from longhaul.compaction.render.quoting import code, plain, quoted
from longhaul.compaction.state import Check, Command, Commit, World

_N_FIRST_CHECKS = 8
_N_FIRST_FILE_LINES = 6
_N_FIRST_COMMANDS = 10
_FILE_LINE_CHARS = 240
_HEAD, _CHECKS, _MODIFIED, _READ, _COMMITS, _COMMANDS = (step * 10_000 for step in range(1, 7))
"""Behind where each kind of line stands in the section, newest first."""


class WorldGroups(NamedTuple):
    """The lines of World by how long they stay; each group begins with the line to keep longest."""

    proofs: Iterable[Line]
    """HEAD and the newest checks."""
    files: Iterable[Line]
    """The files changed last."""
    commands: Iterable[Line]
    """The commands run last."""
    others: Iterable[Line]


def world_groups(world: World) -> WorldGroups:
    """Return all that the ledger proves, a line each."""
    checks = _lines(_CHECKS, map(_check_text, reversed(world.checks)))
    modified = _lines(_MODIFIED, _file_texts("modified", world.modified))
    commands = _lines(_COMMANDS, map(_command_text, reversed(world.commands)))
    commits = _lines(_COMMITS, map(_commit_text, reversed(world.commits)))
    read = _lines(_READ, _file_texts("read", world.read))
    return WorldGroups(
        proofs=chain(_lines(_HEAD, _head_texts(world)), islice(checks, _N_FIRST_CHECKS)),
        files=islice(modified, _N_FIRST_FILE_LINES),
        commands=islice(commands, _N_FIRST_COMMANDS),
        others=chain(commits, read, modified, checks, commands),
    )


def _lines(start: int, texts: Iterable[str]) -> Iterator[Line]:
    for order, text in enumerate(texts, start):
        yield Line(section="World", text=text, order=order)


def _head_texts(world: World) -> list[str]:
    if not world.head:
        return []
    title = next((made.title for made in world.commits if made.hash == world.head), "")
    return [f"- HEAD {code(world.head)}{f' {quoted(title)}' if title else ''}"]


def _check_text(check: Check) -> str:
    since = "; files changed since" if check.files_changed_since else ""
    return (
        f"- {code(check.command)} {check.outcome} in u{check.turn} ({plain(check.evidence)}){since}"
    )


def _commit_text(commit: Commit) -> str:
    return f"- commit {code(commit.hash)} {quoted(commit.title)} (u{commit.turn})"


def _command_text(command: Command) -> str:
    outcome = ", failed" if command.failed else ""
    return f"- ran {code(command.command)} (u{command.turn}{outcome})"


def _file_texts(kind: str, paths: tuple[str, ...]) -> Iterator[str]:
    """Yield lines with several paths each, the path used last first."""
    line = ""
    for path in map(code, reversed(paths)):
        if line and len(line) + len(path) >= _FILE_LINE_CHARS:
            yield line
            line = ""
        line = f"{line}, {path}" if line else f"- {kind}: {path}"
    if line:
        yield line
