"""A shell command as steps: the simple commands in it, and how they are joined.

This reads what an agent's shell tool runs, not all of the shell's language: what it cannot tell
apart (loops, conditions, groups, functions) it marks as compound, so that nobody trusts an exit
code there. Nothing is expanded or run.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from longhaul.compaction.ledger.program_words import program_words

_MAX_CHARS = 20_000
"""More of one command than this is not looked at."""

_WORD = r"""(?:
    [^\s\\'"`$;&|<>()]++ | \\. | '[^']*' | "(?:[^"\\]|\\.)*+"
  | \$\((?:[^()]|\([^()]{0,500}\)){0,1000}+\) | `[^`]*` | \$\{[^}]*\} | [$'"`\\]
)++"""
_TOKEN = re.compile(
    rf"""(?:[ \t\r]|\\\n)*+(?:
    (?P<newline>\n)
  | (?P<comment>\#[^\n]*)
  | (?P<heredoc><<-?(?!<)[ \t]*(?P<delimiter>'[^'\n]*'|"[^"\n]*"|[^\s;&|<>()]+))
  | (?P<redirect>\d*(?:>&\d|>&-|<<<|<>|>>|>\||<&\d|[<>])|&>>?)
  | (?P<join>&&|\|\||\|&|;;|[;&|])
  | (?P<group>[()])
  | (?P<word>{_WORD})
    )""",
    re.VERBOSE | re.DOTALL,
)
_COMPOUND = frozenset(
    (
        *("if", "then", "else", "elif", "fi", "while", "until", "do", "done"),
        *("esac", "{", "}", "!", "[["),
    )
)
"""Words that stand before a command; those that begin another construct stay its first word."""
_CONSTRUCTS = frozenset(("for", "case", "select", "function"))
_QUOTES = re.compile(r"""\\(.)|['"]""", re.DOTALL)
_WRITES = frozenset((">", ">>", ">|", "&>", "&>>"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One simple command."""

    text: str
    """As written, without the redirections at its end."""
    words: tuple[str, ...]
    """Its words without quotes and redirections, assignments before the program included."""
    program: tuple[str, ...]
    """The words of the program it really runs, see `program_words`; empty where it runs none."""
    writes: tuple[str, ...]
    """Files that its standard output is redirected to, `/dev/…` left out."""
    before: str
    """What joins it to the step before: `;`, `&&`, `||`, `|`, `&`; empty for the first."""
    after: str
    """What follows it: one of the same; empty for the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellCommand:
    """A command's steps, in the order in which they are written."""

    steps: tuple[Step, ...]
    is_compound: bool
    """True where whether, or how often, a step runs is not told by its joins alone."""


@dataclass(slots=True)
class _Draft:
    """A step that is still being read."""

    start: int = -1
    end: int = -1
    redirect: str = ""
    words: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)


@lru_cache(maxsize=1024)
def parse_shell(command: str) -> ShellCommand:
    """Return the steps of `command`; whatever it holds, this does not fail."""
    steps: list[Step] = []
    draft, before, is_compound = _Draft(), "", False
    for kind, text, start in _tokens(command[:_MAX_CHARS]):
        if kind == "word" and not (text in _COMPOUND and not draft.words):
            is_compound = is_compound or (text in _CONSTRUCTS and not draft.words)
            _add_word(draft, text, start)
        elif kind == "redirect":
            draft.redirect = text
        elif kind != "join":
            is_compound = True
        elif draft.words:
            steps.append(_step(command, draft, before, text))
            before, draft = text, _Draft()
    if draft.words:
        steps.append(_step(command, draft, before, ""))
    return ShellCommand(steps=tuple(steps), is_compound=is_compound)


def _add_word(draft: _Draft, text: str, start: int) -> None:
    if draft.redirect:
        _redirect(draft, _unquoted(text))
        return
    draft.start = start if draft.start < 0 else draft.start
    draft.end = start + len(text)
    draft.words.append(_unquoted(text))


def _step(command: str, draft: _Draft, before: str, after: str) -> Step:
    return Step(
        text=command[draft.start : draft.end],
        words=tuple(draft.words),
        program=program_words(draft.words),
        writes=tuple(draft.writes),
        before=before,
        after=after,
    )


def _redirect(draft: _Draft, target: str) -> None:
    is_write = draft.redirect.removeprefix("1") in _WRITES
    if is_write and not target.startswith("/dev/"):
        draft.writes.append(target)
    draft.redirect = ""


def _tokens(command: str) -> Iterator[tuple[str, str, int]]:
    """Yield kind, text and position of each token that matters; skip the bodies of heredocs."""
    position, delimiters = 0, []
    while found := _TOKEN.match(command, position):
        kind = found.lastgroup or ""
        start, position = found.span(kind)
        if kind == "word":
            yield kind, command[start:position], start
        elif kind == "heredoc":
            delimiters.append(found["delimiter"].strip("'\""))
        elif kind == "newline":
            position, delimiters = _after_heredocs(command, position, delimiters), []
            yield "join", ";", start
        elif kind != "comment" and not found[kind].endswith(("&1", "&2", "&-")):
            text = command[start:position]
            yield kind, {"|&": "|", ";;": ";"}.get(text, text), start


def _after_heredocs(command: str, position: int, delimiters: list[str]) -> int:
    for delimiter in delimiters:
        closing = re.compile(rf"^\t*{re.escape(delimiter)}$", re.MULTILINE).search(
            command, position
        )
        if closing is None:
            return len(command)
        position = min(closing.end() + 1, len(command))
    return position


def _unquoted(word: str) -> str:
    return _QUOTES.sub(r"\1", word) if "'" in word or '"' in word or "\\" in word else word
