"""One sentence read once: its words, their classes, and the cues in its wording."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longhaul.compaction.rules.cues import find_cues
from longhaul.compaction.rules.lexicon import SPACELESS_CLASSES, WORD_CLASSES
from longhaul.compaction.unspaced import UNSPACED

_MAX_CHARS = 500
"""How much of a sentence is looked at."""
_MAX_PHRASE_WORDS = 5
_PHRASE_STARTS = frozenset(key.split()[0] for key in WORD_CLASSES if " " in key)
_SUFFIXES = ("ing", "ed", "s")
_STAND_INS = frozenset(("codecode", "quotequote"))

_CODE = re.compile(r"`[^`\n]*`")
_QUOTED = re.compile(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»|「[^」\n]{1,300}」"
    r"|『[^』\n]{1,300}』|(?<![\w.)])['‘](?=\w)[^'’‘\n]{1,300}(?<=\S)['’](?!\w)"
)
_TOKEN = re.compile(
    r"(?P<url>https?://\S+)"
    r"|(?P<path>[~.]?[\w@.-]*/[\w@./*<>{}-]*\w[*/]?|\*?\.\w+\b|\w[\w-]*\.(?!\w\b)[a-zA-Z]\w{0,6}\b)"
    r"|(?P<ident>\w+_\w+|[a-z]+[A-Z]\w*|[A-Z]+-\d+|--?[a-z][\w-]+)"
    r"|(?P<num>\d[\d.,:%]*\w{0,3})"
    r"|(?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*)"
    r"|(?P<mark>[!?:;,.()…—–+=<>#])"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the features of a sentence, and of its neighbours, are made from."""

    text: str
    """Lower case, with a stand-in for each piece of inline code and each quotation."""
    words: tuple[str, ...]
    """Words, phrases and marks; `#path`, `#num` and the like for what is no word."""
    tags: tuple[str, ...]
    """The first class of each word; its shape where the lexicon does not know it."""
    classes: tuple[str, ...]
    """Every class of every word, each once, sorted."""
    cues: tuple[str, ...]
    spaceless: bool
    """Whether the script parts no words."""


def read_sentence(text: str) -> Reading:
    """Return the reading of a sentence; only its first 500 characters count."""
    sound = text[:_MAX_CHARS].encode("utf-8", "replace").decode()  # no lone surrogates
    masked = _QUOTED.sub(" quotequote ", _CODE.sub(" codecode ", sound))
    lowered = masked.lower().replace("’", "'").strip()
    words = tuple(_phrases([_word(match) for match in _TOKEN.finditer(masked)]))
    known = [WORD_CLASSES.get(word) or (_shape(word),) for word in words]
    spaceless = UNSPACED.search(lowered) is not None
    present = {name for names in known for name in names}
    if spaceless:
        present |= {n for word, ns in SPACELESS_CLASSES.items() if word in lowered for n in ns}
    return Reading(
        text=lowered,
        words=words,
        tags=tuple(names[0] for names in known),
        classes=tuple(sorted(present)),
        cues=find_cues(lowered),
        spaceless=spaceless,
    )


def _word(match: re.Match[str]) -> str:
    kind = match.lastgroup
    if kind in ("url", "path", "ident", "num"):
        return f"#{kind}"
    return match[0].lower().replace("’", "'")


def _phrases(words: Sequence[str]) -> Iterator[str]:
    at = 0
    while at < len(words):
        length = _phrase_length(words, at)
        yield " ".join(words[at : at + length])
        at += length


def _phrase_length(words: Sequence[str], at: int) -> int:
    if words[at] not in _PHRASE_STARTS:
        return 1
    for length in range(min(_MAX_PHRASE_WORDS, len(words) - at), 1, -1):
        if " ".join(words[at : at + length]) in WORD_CLASSES:
            return length
    return 1


def _shape(word: str) -> str:
    if word in _STAND_INS or not word[0].isalpha():
        return word
    return next((f"-{suffix}" for suffix in _SUFFIXES if word.endswith(suffix)), "-")
