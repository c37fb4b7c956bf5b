"""What a step of a shell command really runs."""

import re
from collections.abc import Sequence

from longhaul.compaction.ledger.programs import RUNNERS, WRAPPERS

_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_WRAPPER_ARGUMENT = re.compile(r"-.*|\d+(?:\.\d+)?[smhd]?$")
_LOOKS_UP = re.compile(r"-p?[vV]")
"""By this `command` says where a program is, and does not run it."""
_VERSIONED = re.compile(r"(python|pip|node|ruby|php|gcc|g\+\+|clang|pypy)[\d.]+$")


def program_words(words: Sequence[str]) -> tuple[str, ...]:
    """Return the words of the program that a step really runs: `("pytest", "-q")`.

    Left out are assignments, wrappers (`env`, `timeout 60`, `npx`, `uv run`, …) with their options,
    and `python -m`. Empty where nothing is run.
    """
    rest = tuple(words)
    while rest:
        name = program_name(rest)
        if _ASSIGNMENT.match(rest[0]):
            rest = rest[1:]
        elif name == "command" and rest[1:2] and _LOOKS_UP.match(rest[1]):
            return rest
        elif name in WRAPPERS:
            rest = _after_options(rest[1:])
        elif name in RUNNERS and rest[1:2] and rest[1] in RUNNERS[name]:
            rest = _after_options(rest[2:])
        elif name in ("python", "pypy") and "-m" in rest[1:4]:
            rest = rest[rest.index("-m") + 1 :]
        else:
            return rest if "/" in rest[0] else (name, *rest[1:])
    return ()


def program_name(program: Sequence[str]) -> str:
    """Return the name of what is run: without folders, a version number or `.exe`; or nothing."""
    if not program:
        return ""
    name = program[0].rsplit("/", 1)[-1].removesuffix(".exe").removesuffix(".cmd")
    versioned = _VERSIONED.match(name)
    return versioned[1] if versioned else name


def _after_options(words: tuple[str, ...]) -> tuple[str, ...]:
    start = 0
    while start < len(words) and (
        _WRAPPER_ARGUMENT.match(words[start]) or _ASSIGNMENT.match(words[start])
    ):
        start += 1
    return words[start:]


def operands(arguments: Sequence[str]) -> list[str]:
    """Return the words that are no options."""
    return [word for word in arguments if not word.startswith("-")]
