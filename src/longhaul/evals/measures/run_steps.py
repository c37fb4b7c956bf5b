"""Shell commands taken apart into steps, as far as the harness has to know them.

Written apart from the compactor's own reading, so that a mistake of one is not the other's. It
knows less: what it does not know is `is_compound`, of which nothing is proven.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

CheckKind = Literal["tests", "lint", "types", "build"]

_HEREDOC = re.compile(r"<<-?[ \t]*(['\"]?)(?P<end>\w+)\1")
_MOST_STEPS = 200
"""A longer command is a script: each step's end would have to be seen beside all others'."""
_TOKEN = re.compile(
    r"""(?P<quoted>'[^']*'|"(?:[^"\\]|\\.)*"|\\.)
    | (?P<redirect>\d?>&\d?|&>>?)
    | (?P<join>&&|\|\||\|&?|;|\n|&)
    | (?P<comment>(?<![^\s;])\#[^\n]*)
    | (?P<other>[^'"\\&|;\n>\#]+|.)""",
    re.DOTALL | re.VERBOSE,
)
_REDIRECT = re.compile(r"\s*(?:\d?>&\d|&>>?\s*\S+|\d?>>?\s*[^\s&]\S*)(?=\s|$)")
_KEYWORDS = re.compile(r"(?:(?:do|then|else|elif|if|while|until|!|\{|\(+)\s+|\(+)+(?=\S)")
_COMPOUND = frozenset(
    ("for", "while", "until", "if", "case", "select", "function", "do", "then", "else", "!", "{")
)
_KINDS: tuple[tuple[CheckKind, str], ...] = (
    (
        "tests",
        r"(?:python[\d.]*\s+-m\s+)?(?:pytest|py\.test|unittest)\b|node\s+(?:\S+\s+)*?--test(?:[\s=]|$)"
        r"|(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:test|t)(?::\w+)?(?:\s|$)|(?:jest|vitest|mocha)\b"
        r"|(?:go|cargo|deno|dotnet|mvn|gradle)\s+test\b|cargo\s+nextest\b|make\s+(?:test|check)\b"
        r"|(?:tox|nox|ctest|rspec|phpunit)\b",
    ),
    (
        "lint",
        r"ruff\s+check\b|(?:eslint|flake8|pylint|shellcheck|biome|golangci-lint)\b|cargo\s+clippy\b"
        r"|(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?lint\b|make\s+lint\b",
    ),
    (
        "types",
        r"(?:tsc|mypy|pyright)\b|(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:typecheck|type-check)\b",
    ),
    (
        "build",
        r"(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?build\b|(?:go|cargo|vite|next)\s+build\b"
        r"|make(?:\s+(?:build|all))?\s*$",
    ),
)
_BEFORE = r"(?:(?:[A-Za-z_]\w*=\S*|env|time|npx|bunx|uv\s+run|poetry\s+run|command)\s+)*"
_CHECK = tuple((kind, re.compile(_BEFORE + rf"(?:{form})")) for kind, form in _KINDS)
_ONLY_ASKS = re.compile(
    r"\s(?:--version|--help|-h|-V|--collect-only|--listTests|-n|--dry-run)(?:\s|$)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One simple command of a shell command."""

    text: str
    """As written, white space folded, without redirections."""
    folder: str
    """Where the `cd` before it goes; empty where none stands before it."""
    kind: CheckKind | None
    """What it checks, for the common runners; None for any other command."""
    before: str
    """What joins it to the step before: `&&`, `||`, `|`, `;`, `&`; empty for the first."""
    after: str

    @property
    def program(self) -> str:
        """Its first word."""
        return self.text.split(" ", 1)[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """A whole shell command."""

    steps: tuple[Step, ...]
    is_compound: bool
    """It holds a loop, a condition, a subshell or the like, or hundreds of steps."""


def parse_command(command: str) -> Shell:
    """Return the steps of a shell command, in the order in which they are written."""
    raw, is_compound = _split(_without_bodies(command))
    steps: list[Step] = []
    folder, before = "", ""
    for written, join in raw:
        text = _without_frame(written)
        step = Step(text=text, folder=folder, kind=find_kind(text), before=before, after=join)
        if step.program == "cd":
            folder = text[2:].strip()
        is_compound = is_compound or written != text or step.program in _COMPOUND
        steps.append(step)
        before = join
    return Shell(steps=tuple(steps), is_compound=is_compound or len(steps) > _MOST_STEPS)


def find_kind(step: str) -> CheckKind | None:
    """Return what a simple command checks; None where no common runner is named."""
    found = next((kind for kind, form in _CHECK if form.match(step)), None)
    return None if found is None or _ONLY_ASKS.search(step) else found


def plain_step(text: str) -> str:
    """Return a step on one line, without redirections: what makes two of them the same."""
    return _REDIRECT.sub("", " ".join(text.split()))


def _without_frame(step: str) -> str:
    """Return a step without the word or bracket of a loop, condition or subshell around it."""
    opened = _KEYWORDS.match(step)
    text = step[opened.end() :] if opened else step
    return text.rstrip(") ") if text.endswith(")") and "(" not in text else text


def _without_bodies(command: str) -> str:
    """Return a command without its here-documents; one without an end is none."""
    lines = command.split("\n")
    bare = [line.strip(" \t") for line in lines]
    last = {line: number for number, line in enumerate(bare)}
    kept: list[str] = []
    number = 0
    while number < len(lines):
        line, end = _without_opening(lines[number], last, number)
        kept.append(line)
        number = bare.index(end, number + 1) + 1 if end else number + 1
    return "\n".join(kept)


def _without_opening(line: str, last: Mapping[str, int], number: int) -> tuple[str, str]:
    """Return a line without what opens a here-document, and the line that ends that one, if any."""
    for found in _HEREDOC.finditer(line):
        if last.get(found["end"], 0) > number:
            return line[: found.start()] + line[found.end() :], found["end"]
    return line, ""


def _split(command: str) -> tuple[list[tuple[str, str]], bool]:
    """Return the texts between joins, each with the join behind it, and whether more is in it."""
    steps: list[tuple[str, str]] = []
    parts: list[str] = []
    is_compound = False
    for token in _TOKEN.finditer(command):
        kind = token.lastgroup
        if kind == "join":
            _end_step(steps, parts, token[0].replace("\n", ";").replace("|&", "|"))
        elif kind != "comment":
            parts.append(token[0])
            is_compound = is_compound or (kind == "other" and any(c in token[0] for c in "()`"))
    _end_step(steps, parts, "")
    return steps, is_compound


def _end_step(steps: list[tuple[str, str]], parts: list[str], join: str) -> None:
    text = plain_step("".join(parts))
    parts.clear()
    if text:
        steps.append((text, join))
    elif steps and not join and steps[-1][1] != "&":
        steps[-1] = (steps[-1][0], "")
