"""What the git commands of one shell command may do to the history, and show of it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from longhaul.compaction.ledger.changes import git_subcommand, moves_head
from longhaul.compaction.ledger.shell import Step

_TITLED = frozenset(("commit", "merge", "cherry-pick", "revert", "am", "rebase"))
_CATCHING_UP = frozenset(("pull", "merge", "rebase"))
_QUIET = re.compile(r"--quiet|-[aepsv]*q[a-z]*")
_SILENT = frozenset(("cd", "mkdir", "export", "set", "true", ":"))
_SILENT_GIT = frozenset(("add", "config", "tag"))

Program = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuietCommit:
    """A `git commit` whose hash a later step of its chain may show."""

    title: str
    is_amended: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GitPlan:
    """What there is to look for in the output of a command with git in it."""

    shows_head: Literal["first", "last", ""]
    """Which line of the output surely shows HEAD, where it shows a commit at all."""
    makes_commits: bool
    """True where git may say itself that it made a commit."""
    is_amended: bool
    quiet: QuietCommit | None
    last_move: str
    """git's subcommand, or the program, that moves HEAD last; empty where none does."""
    may_stand_still: bool
    """True where git may say that there was nothing to move to."""
    is_loud_commit: bool
    """True where nothing but commits moves HEAD, and each would say so."""


def plan_git(steps: Sequence[Step]) -> GitPlan | None:
    """Return what the git commands among `steps` may do; None where they neither move nor show."""
    programs = [step.program for step in steps]
    gits = [git_subcommand(program[1:]) for program in programs if program[:1] == ("git",)]
    movers = [program for program in programs if moves_head(program)]
    moves = [git_subcommand(program[1:])[0] for program in movers]
    plan = GitPlan(
        shows_head=_place_of_head(programs),
        makes_commits=any(name in _TITLED for name, _ in gits),
        is_amended=any(name == "commit" and "--amend" in rest for name, rest in gits),
        quiet=_quiet_commit(steps),
        last_move=moves[-1] if moves else "",
        may_stand_still=len(moves) == 1 and moves[0] in _CATCHING_UP,
        is_loud_commit=set(moves) == {"commit"} and not any(map(_is_quiet, movers)),
    )
    return plan if plan.shows_head or plan.makes_commits or plan.last_move else None


def _quiet_commit(steps: Sequence[Step]) -> QuietCommit | None:
    """Return the first commit, where every step from it on had to succeed: HEAD then is it."""
    for index, step in enumerate(steps):
        name, rest = git_subcommand(step.program[1:])
        if step.program[:1] == ("git",) and name == "commit":
            is_chain = all(later.after == "&&" for later in steps[index:-1])
            commit = QuietCommit(title=_message(rest), is_amended="--amend" in rest)
            return commit if is_chain else None
    return None


def _message(rest: Program) -> str:
    """Return the first line of a message on the command line; empty where there is none."""
    for option, message in pairwise(rest):
        if option == "--message" or re.fullmatch(r"-[a-z]*m", option):
            return message.split("\n", 1)[0].strip()
    return next((word[10:] for word in rest if word.startswith("--message=")), "")


def _place_of_head(programs: Sequence[Program]) -> Literal["first", "last", ""]:
    """Return which line of the output `git log` or `git rev-parse HEAD` shows HEAD in.

    Only where that is certain: the first, where no step before prints any; or the last, where the
    last step prints one line.
    """
    for program in programs:
        if _shows_head_in_one_line(program) or _shows_head_first(program):
            return "first"
        if not _is_silent(program):
            break
    return "last" if programs and _shows_head_in_one_line(programs[-1]) else ""


def _shows_head_in_one_line(program: Program) -> bool:
    if program[:1] != ("git",):
        return False
    subcommand, rest = git_subcommand(program[1:])
    if subcommand == "rev-parse":
        return rest[-1:] == ("HEAD",) and "--abbrev-ref" not in rest
    is_of_one = subcommand == "log" and "--oneline" in rest and {"-1", "-n1"}.intersection(rest)
    return bool(is_of_one) and _is_plain_log(rest)


def _shows_head_first(program: Program) -> bool:
    """Return whether a step prints HEAD's commit first."""
    subcommand, rest = git_subcommand(program[1:])
    return program[:1] == ("git",) and subcommand == "log" and _is_plain_log(rest)


def _is_plain_log(rest: Program) -> bool:
    """Return whether a log begins with HEAD: no revision, path, order or format is named."""
    plain = ("--oneline", "--decorate", "--stat", "--no-decorate", "HEAD", "--name-only")
    return all(word in plain or re.fullmatch(r"-n?\d*|\d+|--max-count=\d+", word) for word in rest)


def _is_silent(program: Program) -> bool:
    if program[:1] == ("git",):
        subcommand, rest = git_subcommand(program[1:])
        return subcommand in _SILENT_GIT or _is_quiet(rest)
    return not program or program[0] in _SILENT


def _is_quiet(words: Program) -> bool:
    return any(_QUIET.fullmatch(word) for word in words)
