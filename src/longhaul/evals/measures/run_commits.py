"""Commits that the output of git commands shows, as the harness reads them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MIN_HASH_CHARS = 7
_MADE = re.compile(r"^\[[^\[\]\n]{1,200} ([0-9a-f]{7,40})\] (.*)$", re.MULTILINE)
_LISTED = re.compile(r"^(?:commit )?([0-9a-f]{7,40})(?: \([^()\n]*\))?(?: (.*))?$", re.MULTILINE)
_MESSAGE = re.compile(r"""\s-\w*m\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')""")
_GIT = re.compile(r"\bgit\b")
_OWN_FORMAT = re.compile(r"--(?:format|pretty)(?!=(?:oneline\b|['\"]?%h %s['\"]?))")
_GIT_UP_TO = r"\bgit\b(?:(?!\bgit\b)[^\n;&|])*"
"""A command of git's as far as the next: from each `git` nothing is read that another reads."""
_MAKES = re.compile(rf"{_GIT_UP_TO}\b(?:commit|merge|cherry-pick|revert|am|pull|rebase)\b")
_THEN_TOLD = re.compile(
    r"""\bgit\s+commit\b(?:'[^']*'|"(?:[^"\\]|\\.)*"|(?!\bgit\s+commit\b)[^'"\n;|])*
    &&\s*git\ rev-parse\ (?:--short(?:=\d+)?\ )?HEAD\s*$""",
    re.VERBOSE,
)
"""A commit, and only if it was made its hash, as the last thing printed."""
_MOVES = re.compile(
    rf"{_GIT_UP_TO}\b"
    r"(?:commit|merge|cherry-pick|revert|am|pull|rebase|reset|checkout|switch)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenCommit:
    """A hash that a git command printed."""

    index: int
    """Of the entry that holds the output."""
    turn: int
    hash: str
    """As printed, 7 to 40 digits."""
    title: str
    """Empty where the line does not surely hold it."""
    is_made: bool
    """Whether this command made it."""


def find_commits(command: str, output: str, *, index: int, turn: int) -> Iterator[SeenCommit]:
    """Yield the commits that the output of a shell command shows, in its order.

    One is made by the command where git says so (`[main abc1234] Title`), where its line has the
    title that the command gave with `-m`, or where `git rev-parse HEAD` behind it tells its hash.
    """
    if not _GIT.search(command):
        return
    is_making = _MAKES.search(command) is not None
    if is_making:
        for found in _MADE.finditer(output):
            yield _seen(found[1], found[2], index, turn, is_made=True)
    titles = _given_titles(command) if is_making else frozenset()
    told = _told_hash(command, output) if len(titles) == 1 else ""
    has_titles = not _OWN_FORMAT.search(command)
    for found in _LISTED.finditer(output):
        title = (found[2] or "").strip()
        if found[1] == told and not title:
            (title,) = titles
        is_made = bool(title) and title in titles
        yield _seen(found[1], title if has_titles or is_made else "", index, turn, is_made=is_made)


def moves_head(command: str) -> bool:
    """Return whether a shell command may move HEAD."""
    return _MOVES.search(command) is not None


def is_same_hash(one: str, other: str) -> bool:
    """Return whether two hashes, each cut anywhere behind the seventh digit, may be one."""
    return one.startswith(other) or other.startswith(one)


def _told_hash(command: str, output: str) -> str:
    """Return the hash that a command prints last of the commit it made; empty where none is."""
    found = _LISTED.fullmatch(output.rstrip().rsplit("\n", 1)[-1])
    return found[1] if found and not found[2] and _THEN_TOLD.search(command) else ""


def _given_titles(command: str) -> frozenset[str]:
    found = (double or single for double, single in _MESSAGE.findall(command))
    return frozenset(message.split("\n", 1)[0].strip() for message in found)


def _seen(text: str, title: str, index: int, turn: int, *, is_made: bool) -> SeenCommit:
    return SeenCommit(index=index, turn=turn, hash=text, title=title.strip(), is_made=is_made)
