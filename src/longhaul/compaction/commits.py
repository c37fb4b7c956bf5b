"""Commits and HEAD, as far as the output of git commands shows them."""

import re
from dataclasses import dataclass

from longhaul.compaction.changes import git_subcommand, moves_head
from longhaul.compaction.shell import Step

_MADE = re.compile(r"\[[^\[\]]{1,200} ([0-9a-f]{7,40})\] (.*)")
_HEAD_NOW = re.compile(r"^HEAD is now at ([0-9a-f]{7,40})\b", re.MULTILINE)
_FAST_FORWARD = re.compile(r"^Updating [0-9a-f]{7,40}\.\.([0-9a-f]{7,40})$", re.MULTILINE)
_UNMOVED = re.compile(r"^(?:Already up to date\.|Current branch \S+ is up to date\.)", re.MULTILINE)
_LOG_LINE = re.compile(r"(?:commit )?([0-9a-f]{7,40})(?: \([^()]*\))?(?: (.*))?")
_TITLED = frozenset(("commit", "merge", "cherry-pick", "revert", "am", "rebase"))
_QUIET = re.compile(r"--quiet|-[aepsv]*q[a-z]*")
_SILENT = frozenset(("cd", "mkdir", "export", "set", "true", ":"))
_SILENT_GIT = frozenset(("add", "config", "tag"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A commit that an output shows being made."""

    hash: str
    title: str
    is_amended: bool = False
    """True where it took the place of the commit that was HEAD."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Git:
    """What one shell command did to the history."""

    made: tuple[Made, ...]
    head: str | None
    """The hash HEAD has now, empty where that is not known; None where HEAD did not move."""


def find_git(steps: tuple[Step, ...], output: str, *, failed: bool) -> Git:
    """Return what the git commands among `steps` made and where they left HEAD."""
    programs = [step.program for step in steps]
    gits = [git_subcommand(program[1:]) for program in programs if program[:1] == ("git",)]
    shown = _shown_head(programs, output)
    made: tuple[Made, ...] = ()
    if any(name in _TITLED for name, _ in gits):
        is_amended = any(name == "commit" and "--amend" in rest for name, rest in gits)
        made = tuple(
            Made(hash=found[1], title=found[2].strip(), is_amended=is_amended)
            for line in output.splitlines()
            if line.startswith("[") and (found := _MADE.fullmatch(line))
        )
        if shown and not made and any(name == "commit" for name, _ in gits) and shown[1]:
            made = (Made(hash=shown[0], title=shown[1], is_amended=is_amended),)
    if shown:
        return Git(made=made, head=shown[0])
    moving = [program for program in programs if moves_head(program)]
    if not moving or _stood_still(moving, output, failed=failed, has_made=bool(made)):
        return Git(made=made, head=None)
    return Git(made=made, head=_told_head(moving[-1], output, made))


def _stood_still(
    moving: list[tuple[str, ...]], output: str, *, failed: bool, has_made: bool
) -> bool:
    """Return whether the output says that nothing moved, or only a loud commit failed."""
    if _UNMOVED.search(output) and len(moving) == 1:
        return True
    commits_only = all(git_subcommand(program[1:])[0] == "commit" for program in moving)
    is_quiet = any(map(_is_quiet, moving))
    return failed and commits_only and not is_quiet and not has_made


def _told_head(last: tuple[str, ...], output: str, made: tuple[Made, ...]) -> str:
    """Return the hash that the output of the last moving command tells, or an empty text."""
    subcommand, rest = git_subcommand(last[1:])
    if subcommand in ("reset", "checkout", "switch"):
        told = _HEAD_NOW.findall(output)
    elif subcommand in ("pull", "merge"):
        told = _FAST_FORWARD.findall(output) if "Fast-forward" in output else []
    elif subcommand in ("commit", "cherry-pick", "revert"):
        told = [commit.hash for commit in made]
    else:
        told = []
    return told[-1] if told and "--dry-run" not in rest else ""


def _shown_head(programs: list[tuple[str, ...]], output: str) -> tuple[str, str] | None:
    """Return hash and title that `git log` or `git rev-parse HEAD`, as the last step, shows.

    Only where it is certain which line is the newest commit's: alone in the output, or its last
    line for a log of one commit.
    """
    if not programs or programs[-1][:1] != ("git",):
        return None
    subcommand, rest = git_subcommand(programs[-1][1:])
    lines = output.strip().split("\n")
    if subcommand == "rev-parse" and rest[-1:] == ("HEAD",):
        line = lines[-1]
    elif subcommand == "log" and _is_plain_log(rest):
        is_alone = all(map(_is_silent, programs[:-1]))
        is_one_line = "--oneline" in rest and {"-1", "-n1"}.intersection(rest)
        if not is_alone and not is_one_line:
            return None
        line = lines[0] if is_alone else lines[-1]
    else:
        return None
    found = _LOG_LINE.fullmatch(line.strip())
    return (found[1], (found[2] or "").strip()) if found else None


def _is_plain_log(rest: tuple[str, ...]) -> bool:
    """Return whether a log begins with HEAD: no revision, path, order or format is named."""
    plain = ("--oneline", "--decorate", "--stat", "--no-decorate", "HEAD", "--name-only")
    return all(word in plain or re.fullmatch(r"-n?\d*|\d+|--max-count=\d+", word) for word in rest)


def _is_silent(program: tuple[str, ...]) -> bool:
    if program[:1] == ("git",):
        subcommand, rest = git_subcommand(program[1:])
        return subcommand in _SILENT_GIT or _is_quiet(rest)
    return not program or program[0] in _SILENT


def _is_quiet(words: tuple[str, ...]) -> bool:
    return any(_QUIET.fullmatch(word) for word in words)
