"""Shell commands as one would write them down to run them again, read for the harness."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import dropwhile

_MOST_CHARS = 20_000
"""More of one command is not looked at."""
_LONGEST_STEP_CHARS = 200
"""A longer step is a script of its own, that no text would write down."""
_WORD = r"""(?:[^\s\\'"`;&|<>()]++|\\.|'[^']*+'|"(?:[^"\\]|\\.)*+"|`[^`]*+`|['"`\\])++"""
_TOKEN = re.compile(
    rf"""(?P<space>(?:[^\S\n]|\\\n)++|\#[^\n]*+)
  | (?P<heredoc><<-?[ \t]*+(?P<quote>['"]?)(?P<end>[\w.-]++)(?P=quote))
  | (?P<redirect>[0-9]*+(?:>&[0-9-]|<&[0-9-]|(?:<<<|>>|>\||&>>?|[<>])[ \t]*+(?:{_WORD})?+)
      |&>>?[ \t]*+(?:{_WORD})?+)
  | (?P<pipe>\|&?(?!\|))
  | (?P<join>&&|\|\||[;&\n()])
  | (?P<word>{_WORD})""",
    re.VERBOSE | re.DOTALL,
)
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_SAYS_NOTHING = frozenset(
    """
    cd pushd popd echo printf true false : set unset export sleep wait exit return test [ [[
    for while until if then else elif fi do done case esac { } ! function local read shift
    """.split()  # noqa: SIM905 - two lines of quotes otherwise
)
"""What stands here first moves, prints a word or steers, and is nothing to run again."""


@dataclass(slots=True)
class _Draft:
    """A step that is still being read."""

    words: list[str] = field(default_factory=list)
    is_piped: bool = False
    """Behind a pipe: what follows only works on what is printed."""
    is_script: bool = False
    """Fed by a here-document, which is the command proper."""


def normalized_commands(command: str) -> Iterator[str]:
    """Yield the steps of a shell command, in order, each on one line.

    Apart at `&&`, `||`, `;`, `&`, parentheses and new lines; without what a pipe leads into,
    redirections, comments and assignments before them; white space is folded. Steps that only move,
    print or steer are left out, as are those that a here-document feeds and those of more than 200
    characters.
    """
    for draft in _steps(command[:_MOST_CHARS]):
        words = list(dropwhile(_ASSIGNMENT.match, draft.words))
        step = " ".join(" ".join(words).split())
        is_worth_it = words and words[0] not in _SAYS_NOTHING and not draft.is_script
        if is_worth_it and len(step) <= _LONGEST_STEP_CHARS:
            yield step


def _steps(command: str) -> Iterator[_Draft]:
    draft, ends, position = _Draft(), list[str](), 0
    while found := _TOKEN.match(command, position):
        position = found.end()
        if found.lastgroup == "join":
            yield draft
            draft = _Draft()
            if found["join"] == "\n":
                position, ends = _after_bodies(command, position, ends), []
        elif found.lastgroup == "heredoc":
            draft.is_script = draft.is_script or not draft.is_piped
            ends.append(found["end"])
        elif found.lastgroup == "pipe":
            draft.is_piped = True
        elif found.lastgroup == "word" and not draft.is_piped:
            draft.words.append(found["word"])
    yield draft


def _after_bodies(command: str, position: int, ends: list[str]) -> int:
    for end in ends:
        closing = re.compile(rf"^\t*{re.escape(end)}$", re.MULTILINE).search(command, position)
        position = closing.end() if closing else len(command)
    return position
