"""Mentions of values in what the user and the assistant say: hashes, timings, ports, totals, ….

Names of code, paths, line numbers and small bare numbers are none.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from longhaul.compaction.values.words import LABELS, PLACES, is_counted, is_word

_MAX_LINES = 400
_MAX_LINE_CHARS = 2_000

_Search: TypeAlias = "Callable[..., re.Match[str] | None]"

_HAS_DIGIT = re.compile(r"[0-9]").search
_HAS_DIGITS = re.compile(r"[0-9][.,:-]?[0-9][.,:-]?[0-9]|[0-9a-f]{7}").search
_NUMBER = r"[0-9](?:[0-9,_]*[0-9])?(?:\.[0-9]+)?"
_UNIT = (
    r"(?:ms|msec|secs?|s|mins?|m|h|hrs?|us|µs|μs|ns|[KMGT]i?B|kB|bytes|B|[kKMG]|[x×]|%|fps|[kMG]?Hz"
    r"|rps|qps)"
)
_UNIT_WORDS = re.compile(
    rf"(?:{_UNIT}|milliseconds?|microseconds?|nanoseconds?|seconds?|minutes?|hours?|days?|percent"
    r"|\w{1,12}/(?:s|sec|second|min|minute|h|hour|day|op))"
)
_WORD_EDGES = "()[]{}<>\"'`*_,;:!?~≈=|“”‘’«»…#$€£+"
_WORD_ENDS = f"{_WORD_EDGES}."
_ENDS_PHRASE = re.compile(r"[.,;:!?)\]}|][\"'`*_”’»)]*$")

_TOKEN = re.compile(
    rf"""(?P<date>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:T[0-9:.]{{5,15}}(?:Z|[+-][0-9:]{{4,5}})?)?)
  | (?P<clock>[0-9]{{1,2}}:[0-9]{{2}}:[0-9]{{2}}(?:[.,][0-9]+)?)
  | (?P<uuid>[0-9a-fA-F]{{8}}(?:-[0-9a-fA-F]{{4}}){{3}}-[0-9a-fA-F]{{12}})
  | (?P<hash>(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{{7,64}})
  | (?P<version>v[0-9]+(?:\.[0-9]+)*(?:[-+][\w.]+)?|[0-9]+(?:\.[0-9]+){{2,}}(?:[-+][\w.]+)?)
  | (?P<ticket>[A-Z][A-Z0-9]{{1,9}}(?:-[0-9]+)+)
  | (?P<id>[A-Za-z]{{2,12}}[-_](?=[A-Za-z]*[0-9][A-Za-z]*[0-9])[0-9A-Za-z]{{6,}})
  | (?P<measure>({_NUMBER})(?:{_UNIT}|/(?:s|sec|min|h|day)))
  | (?P<number>{_NUMBER})""",
    re.VERBOSE,
)
_HOST_PORT = re.compile(
    r"(?:[a-z][a-z0-9+.-]{1,9}://[\w.-]{1,100}|localhost|(?:[0-9]{1,3}\.){3}[0-9]{1,3}|\[::1?\])"
    r":([0-9]{2,5})(?![0-9])"
)
_SPLIT = re.compile(r"\.{2,}|(?<=[A-Za-z])[=:](?=[0-9a-f])|=")
_FILE = re.compile(r"[A-Za-z_][\w-]*\.[A-Za-z]{1,5}(?::[0-9]+)*$|[A-Za-z]\w*\(|\\")
_NAMES = re.compile(r"(?:UTF|SHA|ISO|RFC|MD|AES|RSA|HTTP|IPV|BASE|GPT|UTC|GMT|X|H|ES|PEP)-?[0-9]")

_FIRST_YEAR, _LAST_YEAR = 1900, 2099
_LEAST_COUNT, _LEAST_LONE_COUNT, _LEAST_BARE = 10, 100, 1000
"""A count needs a noun; under the second it must stand beside it in the output too. From the third
on a number is taken without a noun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A value as the conversation spells it, and how an output may spell it."""

    core: str
    """The part that an output must show: the number without its unit, or the whole token."""
    suffixes: tuple[str, ...] = ()
    """What may follow the core in the output and then belongs to the token: ` ms`, `ms`."""
    neighbours: tuple[str, ...] = ()
    """Words of which one must stand beside a small number in the output; empty for others."""
    is_hash: bool = False
    may_round: bool = False
    """True where the output's number may have more digits than the conversation's."""
    words: Sequence[str] = field(default=(), compare=False)
    """The words of the line that mentions it."""
    index: int = field(default=0, compare=False)
    """Which of the words does."""


def find_mentions(text: str, *, is_code: bool = False) -> Iterator[Mention]:
    """Yield the values that `text` mentions, in order, repetitions included.

    In code (what a file is written with) bare numbers and counts are none.
    """
    has_value = _HAS_DIGITS if is_code else _HAS_DIGIT
    for line in islice(_lines_with(has_value, text), _MAX_LINES):
        words = line.split()
        for index, word in enumerate(words):
            if has_value(word):
                yield from _mentions_in(words, index, is_code=is_code)


def _lines_with(search: _Search, text: str) -> Iterator[str]:
    """Yield the lines of `text` in which `search` finds something, clipped."""
    found = search(text)
    while found:
        start = text.rfind("\n", 0, found.start()) + 1
        end = text.find("\n", found.end())
        yield text[start : len(text) if end < 0 else end][:_MAX_LINE_CHARS]
        found = search(text, end) if end >= 0 else None


def _mentions_in(words: Sequence[str], index: int, *, is_code: bool) -> Iterator[Mention]:
    word = words[index]
    host = _HOST_PORT.search(word) if ":" in word else None
    if host is not None:
        yield Mention(core=host[1], words=words, index=index)
        return
    label = ""
    for part in _SPLIT.split(word) if "=" in word or ":" in word or ".." in word else (word,):
        core = part.strip(_WORD_EDGES).rstrip(_WORD_ENDS)
        found = _TOKEN.fullmatch(core)
        if found is None or _NAMES.match(core) or _FILE.search(word):
            label = core.lower()
        elif found.lastgroup == "number":
            at = _Place(words=words, index=index, label=label or _bare(words, index - 1).lower())
            yield from () if is_code else _numbers(at, core)
        elif found.lastgroup == "measure":
            number = found[found.re.groupindex["measure"] + 1]
            unit = core[len(number) :]
            yield _measure(number, unit, words, index)
        else:
            yield Mention(core=core, is_hash=found.lastgroup == "hash", words=words, index=index)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where a bare number stands."""

    words: Sequence[str]
    index: int
    label: str
    """The word before it, in small letters."""


def _measure(number: str, unit: str, words: Sequence[str], index: int) -> Mention:
    return Mention(
        core=number,
        suffixes=(f" {unit}", unit),
        neighbours=() if _is_telling(number) else (unit,),
        may_round=True,
        words=words,
        index=index,
    )


def _is_telling(number: str) -> bool:
    """Return whether a number is unlikely to stand in an output by chance."""
    return "." in number or "," in number or len(number) >= len("100")


def _numbers(at: _Place, number: str) -> Iterator[Mention]:
    """Yield a bare number as a measure, a count, or what the word before it says it is."""
    words, index, label = at.words, at.index, at.label
    if label in PLACES:
        return
    following = "" if _ENDS_PHRASE.search(words[index]) else _bare(words, index + 1)
    if following and _UNIT_WORDS.fullmatch(following):
        yield _measure(number, following, words, index)
    elif "." in number:
        may_round = len(number) > len("0.0")
        yield Mention(core=number, may_round=may_round, words=words, index=index)
    else:
        yield from _integers(at, number, following)


def _integers(at: _Place, number: str, following: str) -> Iterator[Mention]:
    words, index, label = at.words, at.index, at.label
    size = int(number.replace(",", "").replace("_", ""))
    if "#" in words[index] or label in LABELS:
        is_lone = size >= _LEAST_LONE_COUNT or label == "port"
        neighbours = () if is_lone else (label or "#",)
        yield Mention(core=number, neighbours=neighbours, words=words, index=index)
        return
    counted = _counted(words, index, following)
    if counted and size >= _LEAST_COUNT:
        is_lone = size >= _LEAST_LONE_COUNT
        yield Mention(
            core=number,
            suffixes=(f" {counted[0]}",),
            neighbours=() if is_lone else counted,
            words=words,
            index=index,
        )
    elif not counted and size >= _LEAST_BARE and not _FIRST_YEAR <= size <= _LAST_YEAR:
        yield Mention(core=number, words=words, index=index)


def _counted(words: Sequence[str], index: int, following: str) -> tuple[str, ...]:
    """Return what a number counts, as the one or two words behind it say; empty for nothing."""
    if not is_word(following):
        return ()
    second = "" if _ENDS_PHRASE.search(words[index + 1]) else _bare(words, index + 2)
    if is_counted(following):
        return (following, second) if is_counted(second) else (following,)
    return (f"{following} {second}", second) if is_counted(second) else ()


def _bare(words: Sequence[str], index: int) -> str:
    return words[index].strip(_WORD_EDGES).rstrip(_WORD_ENDS) if 0 <= index < len(words) else ""
