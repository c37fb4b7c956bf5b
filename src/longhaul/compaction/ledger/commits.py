"""Commits and HEAD, as far as the output of git commands shows them."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from longhaul.compaction.ledger.changes import git_subcommand, moves_head
from longhaul.compaction.ledger.shell import Step

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
    shown = _shown_head(programs, output)
    made = _made(programs, output)
    if not made and shown and not failed:
        made = _made_quietly(steps, shown)
    if shown:
        return Git(made=made, head=shown.hash)
    moving = [program for program in programs if moves_head(program)]
    if not moving or _stood_still(moving, output, failed=failed, has_made=bool(made)):
        return Git(made=made, head=None)
    return Git(made=made, head=_told_head(moving[-1], output, made))


def _made(programs: list[tuple[str, ...]], output: str) -> tuple[Made, ...]:
    """Return the commits that git itself says it made: `[main abc1234] Title`."""
    gits = [git_subcommand(program[1:]) for program in programs if program[:1] == ("git",)]
    if all(name not in _TITLED for name, _ in gits):
        return ()
    is_amended = any(name == "commit" and "--amend" in rest for name, rest in gits)
    return tuple(
        Made(hash=found[1], title=found[2].strip(), is_amended=is_amended)
        for line in output.splitlines()
        if line.startswith("[") and (found := _MADE.fullmatch(line))
    )


def _made_quietly(steps: tuple[Step, ...], shown: Made) -> tuple[Made, ...]:
    """Return the commit that a silent `git commit` made, as a later step of its chain shows it.

    Only where every step from the commit on had to succeed, so that HEAD is that commit.
    """
    for index, step in enumerate(steps):
        name, rest = git_subcommand(step.program[1:])
        if step.program[:1] == ("git",) and name == "commit":
            is_chain = all(later.after == "&&" for later in steps[index:-1])
            title = shown.title or _message(rest)
            is_amended = "--amend" in rest
            return (replace(shown, title=title, is_amended=is_amended),) if is_chain else ()
    return ()


def _message(rest: tuple[str, ...]) -> str:
    """Return the first line of a message on the command line; empty where there is none."""
    for option, message in pairwise(rest):
        if option == "--message" or re.fullmatch(r"-[a-z]*m", option):
            return message.split("\n", 1)[0].strip()
    return next((word[10:] for word in rest if word.startswith("--message=")), "")


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


def _shown_head(programs: list[tuple[str, ...]], output: str) -> Made | None:
    """Return hash and title of HEAD, as `git log` or `git rev-parse HEAD` shows it.

    Only where it is certain which line says so: the first of the output, where no step before
    prints any; or the last, where the last step prints one line.
    """
    lines = output.strip().split("\n")
    for program in programs:
        is_one_line = _shows_head_in_one_line(program)
        if not is_one_line and not _shows_head_first(program):
            if _is_silent(program):
                continue
            break
        return _parse_shown(lines[0])
    return _parse_shown(lines[-1]) if programs and _shows_head_in_one_line(programs[-1]) else None


def _parse_shown(line: str) -> Made | None:
    found = _LOG_LINE.fullmatch(line.strip())
    return Made(hash=found[1], title=(found[2] or "").strip()) if found else None


def _shows_head_in_one_line(program: tuple[str, ...]) -> bool:
    if program[:1] != ("git",):
        return False
    subcommand, rest = git_subcommand(program[1:])
    if subcommand == "rev-parse":
        return rest[-1:] == ("HEAD",) and "--abbrev-ref" not in rest
    is_of_one = subcommand == "log" and "--oneline" in rest and {"-1", "-n1"}.intersection(rest)
    return bool(is_of_one) and _is_plain_log(rest)


def _shows_head_first(program: tuple[str, ...]) -> bool:
    """Return whether a step prints HEAD's commit first."""
    subcommand, rest = git_subcommand(program[1:])
    return program[:1] == ("git",) and subcommand == "log" and _is_plain_log(rest)


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
