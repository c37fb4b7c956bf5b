"""How much two pieces of text speak of the same thing, by the stems that they share.

Stems are cut from any script: a word without its ending, the parts of an identifier, pairs of
neighbouring characters in scripts without spaces.
"""

# ruff: noqa: RUF001 - endings of any script

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from longhaul.compaction.rules.lift_weights import COMMON_STEMS
from longhaul.compaction.rules.lift_words import SAME_STEMS, STOP_WORDS

_STEM_CHARS = 6
_MAX_PARSED_CHARS = 4000
"""How much of one sentence or rule is compared: a longer one speaks of everything."""
_MARKED = 1.4
"""Weight of a word marked as a name: an identifier, a number, a capital within a sentence."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_KANA = re.compile(r"[\u3040-\u309f]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENDINGS = re.compile(
    r"(?:ings?|ers?|ors?|ed|ies|ied|es|s|ly|ments?|ations?|ions?|en|em|ung|ungen|e|a|o|os|as|y"
    r"|ами|ями|ов|ев|ом|ем|ый|ий|ая|ое|ые|ой|ых|ую|ам|ах|а|у|ы|и|е|о|я|ь|ю)$"
)
_FEWEST_CHARS = 3
_FILE_TYPE = re.compile(
    r"\w\.(?:bash|c|cc|cfg|cpp|cs|css|csv|db|docx?|ex|exs|gif|go|h|hpp|hs|html|ini|ipynb|java|jpe?g"
    r"|js|json|jsonl|jsx|kt|lock|log|lua|m|md|mjs|parquet|pdf|php|pl|png|proto|ps1|py|pyi|r|rb|rs|rst"
    r"|scala|sh|sql|sqlite|svg|swift|tar|tex|toml|ts|tsv|tsx|txt|vue|xlsx?|xml|ya?ml|zip|zsh)"
    r"(?!\w|\.\w)"
)
"""Before a word: it ends a file's name, and says nothing of what that file is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What a piece of text speaks of."""

    weights: Mapping[str, float]
    """Each stem with how much it says: near 0 for a common word, 1 and more for a name."""
    total: float


@lru_cache(maxsize=4096)
def read_topic(text: str) -> Topic:
    """Return the stems of `text` that say what it speaks of, with their weights."""
    weights: dict[str, float] = {}
    clipped = text[:_MAX_PARSED_CHARS]
    for match in _WORD.finditer(clipped):
        if match.start() > 1 and _FILE_TYPE.match(clipped, match.start() - 2):
            continue
        for stem, weight in _stems(match[0], marked=_is_marked(clipped, match)):
            weights[stem] = max(weight, weights.get(stem, 0.0))
    return Topic(weights=MappingProxyType(weights), total=sum(weights.values()))


def shared_stems(one: Topic, other: Topic) -> dict[str, float]:
    """Return the stems of both texts, each with its larger weight."""
    few, many = sorted((one.weights, other.weights), key=len)
    return {stem: max(few[stem], many[stem]) for stem in few if stem in many}


@lru_cache(maxsize=16384)
def stems_in(word: str) -> tuple[str, ...]:
    """Return the stems of one word, those of its parts where it is compound."""
    return tuple(stem for part in _WORD.findall(word) for stem, _ in _stems(part, marked=False))


def _is_marked(text: str, match: re.Match[str]) -> bool:
    word = match[0]
    if any(char.isdigit() for char in word) or (not word[1:].islower() and len(word) > 1):
        return True
    around = text[max(0, match.start() - 1) : match.start()] + text[match.end() : match.end() + 1]
    if any(char in "`_/@#" for char in around):
        return True
    before = text[max(0, match.start() - 2) : match.start()].strip()
    return word[0].isupper() and match.start() > 0 and before[-1:] not in (".", "!", "?", ":")


def _stems(word: str, *, marked: bool) -> Iterable[tuple[str, float]]:
    if _UNSPACED.search(word):
        yield from _pairs(word)
        return
    for part in _CAMEL.split(word):
        lowered = part.lower().replace("’", "'")
        if lowered in STOP_WORDS or (len(lowered) < _FEWEST_CHARS - 1 and not marked):
            continue
        stem = stem_of(lowered)
        weight = COMMON_STEMS.get(stem, 1.0)
        yield stem, weight * _MARKED if marked else weight


def stem_of(word: str) -> str:
    """Return the stem of one lower-case word; words of one meaning may share a stem."""
    if word in SAME_STEMS:
        return SAME_STEMS[word]
    whole = word.removesuffix("'s")
    if whole in SAME_STEMS:
        return SAME_STEMS[whole]
    bare = _ENDINGS.sub("", whole)
    stem = (bare if len(bare) >= _FEWEST_CHARS else whole)[:_STEM_CHARS]
    return SAME_STEMS.get(stem, stem)


def _pairs(word: str) -> Iterable[tuple[str, float]]:
    for left, right in pairwise(word):
        pair = left + right
        if not _KANA.fullmatch(pair):
            yield pair, COMMON_STEMS.get(pair, 0.6)
