"""Secrets that are told by the name they are given to: assignments, options, words that say so."""

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

Kind = Literal["password", "passphrase", "token", "secret", "credential", "key"]

_STARTS = (
    *("pass", "pwd", "secret", "token", "credential", "kennwort", "contrase", "mot de passe"),
    *("mdp", "senha", "key"),
)
"""What names begin with, in small letters; one that is part of another stands behind it."""
_KEY_OF = ("api", "access", "account", "private", "signing", "encryption", "master", "shared")
"""What a key is of, where it is secret."""
_NAMES = (
    r"(?:passw(?:or)?[dt]|passphrase|pass|pwd|secret|token|credential|kennwort|contrase\xf1a|contrasena"
    r"|mot de passe|mdp|senha|key)"
)
_GIVES = (
    r"[ \t]{0,4}(?::=|=>|==?|:)[ \t]{0,4}(?:\r?\n[ \t]{0,8})?"
    r"|[ \t](?:for[ \t][\w@.-]{1,40}[ \t])?(?:is|was|ist|lautet|est|es|=)[ \t]{1,4}"
)
_VALUE = (
    r"(?:\"(?P<double>[^\"\n]{4,})\"|'(?P<single>[^'\n]{4,})'|`(?P<tick>[^`\n]{4,})`"
    r"|(?P<bare>[^\s\"'`,;<>(){}\[\]$*|][^\s\"'`,;<>(){}\[\]]{3,}+))"
)
_NAMED = re.compile(
    rf"(?P<name>{_NAMES}(?:[_-]?(?:key|id|value|hash|base64|base)){{0,2}})[\"'`]?(?P<gives>{_GIVES})"
    rf"(?!{_NAMES}[\"']?[ \t]?[:=]){_VALUE}"
)
_OPTION = re.compile(
    r"--(?P<name>(?:[a-z]{1,12}-){0,2}(?:password|passwd|passphrase|pass|token|secret|api-?key))"
    rf"(?P<gives>[ =]){_VALUE}"
)
_PROGRAM_OPTIONS = (
    ("mysql", re.compile(rf"\s-p{_VALUE}")),
    ("mariadb", re.compile(rf"\s-p{_VALUE}")),
    ("docker login", re.compile(rf"\s-p[ \t]{{1,4}}{_VALUE}")),
    ("redis-cli", re.compile(rf"\s-a[ \t]{{1,4}}{_VALUE}")),
    ("curl", re.compile(rf"\s(?:-u|--user)[ =]?[\"']?[^\s:\"'/@$]{{0,100}}:{_VALUE}")),
)
"""Programs, and which of their options takes a password."""
_COMMAND_CHARS = 600
"""An option is a program's where the program stands so few characters before it."""
_ENDS_COMMAND = re.compile(r"[\n|;&]")

_CODE = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+|[a-z]+(?:_[a-z]+)*|[A-Z][A-Z_]+")
"""What stands for a value in source code: a dotted name, a plain name, a constant."""
_NAME = re.compile(r"(?:(?:[A-Z]?[a-z]{2,}+|[A-Z]{2,}+|v)[0-9]{0,2}+[-_./]?)++")
"""Words joined to a name: `AccessTokenProvider`, `fading-circle12-animation`."""
_NUMBER = re.compile(r"[\d.,_]+[kKmM%]?")
_VERSION = re.compile(r"[vV]?\d+(?:\.\d+)+(?:[-+][\w.+-]+)?|\d{4}-\d\d-\d\d.*")
_IDENTIFIER = re.compile(
    r"[0-9a-f]{7,12}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|(?:sha|md)\d+[:-].+"
)
"""A short commit hash, a UUID, a checksum."""
_PATH = re.compile(r"[~.]{0,2}/|[A-Za-z]:\\|https?:")
_PLACEHOLDER = re.compile(
    r"x{4,}|\.{3,}|…|your[\w-]*|example[\w-]*|placeholder|redacted|string|undefined|true|false|null"
    r"|none|required|optional|enabled|disabled|changed|missing|invalid|option|flag|argument",
    re.IGNORECASE,
)
_MARKS = re.compile(r"[!@#%^&+?~]")
_MOST_WORDS = 6
"""A quoted text of more words is a sentence, no password."""


class _Given(NamedTuple):
    """A literal that is given to a secret's name."""

    literal: str
    kind: Kind
    name: str
    """In small letters."""
    is_quoted: bool
    is_bound: bool
    """True for `NAME=` as a shell sets it and for `--name=`: what follows is no code."""
    is_option: bool


def is_name(literal: str) -> bool:
    """Return whether `literal` is words joined to a name, as source code is full of."""
    return _NAME.fullmatch(literal) is not None


def mask_named(text: str) -> str:
    """Return `text` with masks for literals given to a secret's name."""
    lowered = lower(text)
    names = [name for name in _STARTS if name in lowered]
    starts = sorted(start for name in names for start in _places(lowered, name))
    if starts:
        text = _masked(text, _find_named(text, _at(lowered, starts)))
    if starts and "--" in text:
        text = _masked(text, _find_named(text, _OPTION.finditer(lower(text))))
    for program, option in _PROGRAM_OPTIONS:
        if program in text:
            text = _masked(text, _find_of_program(text, program, option))
    return text


def _places(text: str, part: str) -> Iterator[int]:
    """Yield where `part` stands in `text`."""
    start = text.find(part)
    while start >= 0:
        yield start
        start = text.find(part, start + len(part))


def _at(lowered: str, starts: Iterable[int]) -> Iterator[re.Match[str]]:
    """Yield the names that are given something, of those that begin at `starts`."""
    end = 0
    for start in starts:
        found = _NAMED.match(lowered, start) if start >= end else None
        if found is not None:
            end = found.end()
            yield found


def lower(text: str) -> str:
    """Return `text` in small letters and of the same length."""
    return text.replace("\u0130", "i").lower()


def _masked(text: str, secrets: Iterator[tuple[int, int, Kind]]) -> str:
    """Return `text` with masks for the spans of `secrets`, which stand in order."""
    parts, end = [], 0
    for start, stop, kind in secrets:
        parts += [text[end:start], f"[masked: {kind}]"]
        end = stop
    return "".join((*parts, text[end:]))


def _find_named(text: str, matches: Iterable[re.Match[str]]) -> Iterator[tuple[int, int, Kind]]:
    for found in matches:
        start, end, literal, is_quoted = _literal(text, found)
        name = found["name"]
        gives = found["gives"]
        given = _Given(
            literal=literal,
            kind=_kind(name),
            name=name,
            is_quoted=is_quoted,
            is_bound=gives == "=" and (found.re is _OPTION or text[found.start()].isupper()),
            is_option=found.re is _OPTION,
        )
        if _begins(text, found) and _is_secret(given, text[end : end + 3]):
            yield start, end, given.kind


def _find_of_program(
    text: str, program: str, option: re.Pattern[str]
) -> Iterator[tuple[int, int, Kind]]:
    for found in option.finditer(text):
        before = text[max(0, found.start() - _COMMAND_CHARS) : found.start()]
        if program in _ENDS_COMMAND.split(before)[-1]:
            start, end, literal, _ = _literal(text, found)
            if not literal.startswith(("$", "<", "[masked")):
                yield start, end, "password"


def _literal(text: str, found: re.Match[str]) -> tuple[int, int, str, bool]:
    """Return where a value begins and ends, marks included, what it is, and whether it has marks.

    Of a bare value the punctuation behind it is no part.
    """
    group = found.lastgroup or "bare"
    start, end = found.span(group)
    literal = text[start:end]
    if group != "bare":
        return start - 1, end + 1, literal, True
    literal = literal.rstrip(".,:;!?…&\\")
    return start, start + len(literal), literal, False


def _begins(text: str, found: re.Match[str]) -> bool:
    """Return whether a short name is not the end of a longer word, `compass: …`, or a mere key."""
    name, start = found["name"], found.start("name")
    if name.startswith("key"):
        before = text[max(0, start - 12) : start].rstrip(" _-").lower()
        return found.re is _OPTION or before.endswith(_KEY_OF)
    if not name.startswith(("pass", "pwd", "mdp")) or name.startswith(("passw", "passp")):
        return True
    before = text[start - 1 : start] if start else ""
    return not before.isalpha() or (before.islower() and text[start].isupper())


def _kind(name: str) -> Kind:
    """Return the kind of secret that a name such as `db_password` says."""
    kinds: tuple[Kind, ...] = ("passphrase", "token", "secret", "credential")
    found = next((kind for kind in kinds if kind in name), None)
    return found or ("key" if "key" in name and "pass" not in name else "password")


def _is_secret(given: _Given, after: str) -> bool:
    literal = given.literal
    if len(literal) < 4 or literal.startswith(("$", "<", "{", "%", "[masked")):  # noqa: PLR2004 - as the patterns
        return False
    if _PLACEHOLDER.fullmatch(literal) or _PATH.match(literal) or _VERSION.fullmatch(literal):
        return False
    if after.startswith(("...", "…")):
        return False
    if given.is_quoted:
        return _is_quoted_secret(given)
    return not after.startswith(("(", "[", "{")) and _is_bare_secret(given)


def _is_quoted_secret(given: _Given) -> bool:
    literal = given.literal
    names_a_word = given.kind in ("password", "passphrase", "secret")
    words = literal.split()
    if len(words) > 1:
        is_title = given.name in literal.lower() or len(words) > _MOST_WORDS
        return names_a_word and not is_title
    if _IDENTIFIER.fullmatch(literal) and given.kind == "token":
        return False
    if _NUMBER.fullmatch(literal):
        return names_a_word
    return names_a_word or given.is_bound or not (_CODE.fullmatch(literal) or is_name(literal))


def _is_bare_secret(given: _Given) -> bool:
    literal, names_a_word = given.literal, given.kind in ("password", "passphrase")
    is_short_name = given.name.startswith("pass") and len(given.name) == len("pass")
    if _NUMBER.fullmatch(literal):
        return names_a_word and not is_short_name
    if given.is_bound:
        return True
    if _IDENTIFIER.fullmatch(literal) and (given.kind == "token" or is_short_name):
        return given.is_option
    if _CODE.fullmatch(literal):
        return False
    if not names_a_word and is_name(literal):
        return False
    has_digit = any(char.isdigit() for char in literal)
    return has_digit or (names_a_word and bool(_MARKS.search(literal)))
