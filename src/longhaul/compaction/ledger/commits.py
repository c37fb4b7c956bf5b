"""Commits and HEAD, as far as the output of git commands shows them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from longhaul.compaction.ledger.git_plans import GitPlan

_MADE = re.compile(r"\[[^\[\]]{1,200} ([0-9a-f]{7,40})\] (.*)")
_HEAD_NOW = re.compile(r"HEAD is now at ([0-9a-f]{7,40})\b.*")
_FAST_FORWARD = re.compile(r"Updating [0-9a-f]{7,40}\.\.([0-9a-f]{7,40})")
_UNMOVED = re.compile(r"^(?:Already up to date\.|Current branch \S+ is up to date\.)", re.MULTILINE)
_LOG_LINE = re.compile(r"(?:commit )?([0-9a-f]{7,40})(?: \([^()]*\))?(?: (.*))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeCommit:
    """A commit that an output shows being made."""

    hash: str
    title: str
    is_amended: bool = False
    """True where it took the place of the commit that was HEAD."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GitOutcome:
    """What one shell command did to the history."""

    made: tuple[MadeCommit, ...]
    head: str | None
    """The hash HEAD has now, empty where that is not known; None where HEAD did not move."""


def find_git(plan: GitPlan, output: str, *, failed: bool) -> GitOutcome:
    """Return what a command that was to do `plan` made, and where it left HEAD."""
    shown = _shown_head(plan, output)
    made = _made(plan, output)
    if shown:
        if plan.quiet and not made and not failed:
            title = shown.title or plan.quiet.title
            made = (MadeCommit(hash=shown.hash, title=title, is_amended=plan.quiet.is_amended),)
        return GitOutcome(made=made, head=shown.hash)
    if not plan.last_move or _stood_still(plan, output, failed=failed, has_made=bool(made)):
        return GitOutcome(made=made, head=None)
    return GitOutcome(made=made, head=_told_head(plan, output, made))


def _lines_with_start(text: str, start: str) -> Iterator[str]:
    """Yield the lines of `text` that begin with `start`; most outputs hold none."""
    mark = f"\n{start}"
    position = 0 if text.startswith(start) else text.find(mark) + 1 or -1
    while position >= 0:
        end = text.find("\n", position)
        yield text[position : len(text) if end < 0 else end].rstrip("\r")
        position = -1 if end < 0 else text.find(mark, end) + 1 or -1


def _made(plan: GitPlan, output: str) -> tuple[MadeCommit, ...]:
    """Return the commits that git itself says it made: `[main abc1234] Title`."""
    if not plan.makes_commits:
        return ()
    return tuple(
        MadeCommit(hash=found[1], title=found[2].strip(), is_amended=plan.is_amended)
        for line in _lines_with_start(output, "[")
        if (found := _MADE.fullmatch(line))
    )


def _stood_still(plan: GitPlan, output: str, *, failed: bool, has_made: bool) -> bool:
    """Return whether the output says that nothing moved, or only a loud commit failed."""
    if plan.may_stand_still and _UNMOVED.search(output):
        return True
    return failed and not has_made and plan.is_loud_commit


def _told_head(plan: GitPlan, output: str, made: tuple[MadeCommit, ...]) -> str:
    """Return the hash that the output of the last moving command tells, or an empty text."""
    if plan.last_move in ("reset", "checkout", "switch"):
        told = _told(_HEAD_NOW, output, "HEAD is now at ")
    elif plan.last_move in ("pull", "merge"):
        told = _told(_FAST_FORWARD, output, "Updating ") if "Fast-forward" in output else []
    elif plan.last_move in ("commit", "cherry-pick", "revert"):
        told = [commit.hash for commit in made]
    else:
        told = []
    return told[-1] if told else ""


def _told(pattern: re.Pattern[str], output: str, start: str) -> list[str]:
    """Return the hashes in the lines that begin with `start` and match `pattern`."""
    lines = map(pattern.fullmatch, _lines_with_start(output, start))
    return [found[1] for found in lines if found]


def _shown_head(plan: GitPlan, output: str) -> MadeCommit | None:
    """Return hash and title of HEAD, as `git log` or `git rev-parse HEAD` shows it."""
    if not plan.shows_head:
        return None
    shown = output.strip()
    line = shown.split("\n", 1)[0] if plan.shows_head == "first" else shown.rsplit("\n", 1)[-1]
    found = _LOG_LINE.fullmatch(line.strip())
    return MadeCommit(hash=found[1], title=(found[2] or "").strip()) if found else None
