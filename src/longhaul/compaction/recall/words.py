"""The words of a line as an index holds them, and the words of a query as it asks for them.

An index parts words at everything but letters and digits and takes no account of case. So that
`find_cut_point`, `src/cut.py` and `findCutPoint` are found whole and by their parts, a text is
indexed with its names written in one word too, and with camel case written apart.
"""

import re
import string
from dataclasses import dataclass

_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"([a-z0-9])([A-Z])")
_ACRONYM = re.compile(r"([A-Z])([A-Z][a-z])")
_JOINTS = b"_./-"
"""What joins words to a name, a path or a number."""
_LETTERS = string.ascii_lowercase + string.digits + string.ascii_uppercase
_CHAR_KINDS = bytes.maketrans(_LETTERS.encode(), b"a" * 36 + b"A" * 26)
"""Shows where small letters meet capital ones: a pattern takes ten times as long to tell."""
_UNSPACED_CHARS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u3005-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese, Khmer, Chinese, Japanese; Korean, whose words grow at their ends."""
_UNSPACED = re.compile(f"[{_UNSPACED_CHARS}]+")
_RUNS = re.compile(f"[{_UNSPACED_CHARS}]+|[^{_UNSPACED_CHARS}]+")
_EDGES = "\"'`()[]{}<>,;:!?…“”„‘’«»。、，？！：；（）「」"  # noqa: RUF001 - of other scripts
_LEAST_LONG_HASH = 12
"""From this length on a hash may have been called by its beginning, of the lengths below."""
_SHORT_HASH = range(7, 13)
_HASH = re.compile(r"[0-9a-f]{12,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One word of a query."""

    text: str
    """As typed, in small letters, without punctuation around it."""
    whole: str
    """In one word, as an index holds a name; empty where it stands in no index."""
    parts: tuple[str, ...]
    """The words that it is joined from; one for a plain word."""
    fragments: tuple[str, ...] = ()
    """Pairs of characters to look for one by one, where words are not set apart by spaces."""


def has_word(text: str) -> bool:
    """Return whether a text holds anything that an index of words could find."""
    return _WORD.search(text) is not None


def index_text(text: str) -> str:
    """Return a text and behind it once more, names in one word, and in camel case apart.

    An index counts a word once in a text, so that what stands there twice takes no room.
    """
    encoded = text.encode("utf-8", "surrogatepass")
    joined = encoded.translate(None, _JOINTS)
    parts = [text]
    if len(joined) < len(encoded):
        parts.append(joined.decode("utf-8", "surrogatepass"))
    kinds = encoded.translate(_CHAR_KINDS)
    if b"aA" in kinds or b"AAa" in kinds:
        parts.append(_apart(text))
    return "\n".join(parts)


def _apart(text: str) -> str:
    return _ACRONYM.sub(r"\1 \2", _HUMP.sub(r"\1 \2", text))


def parse_terms(text: str) -> tuple[Term, ...]:
    """Return the terms of what is typed, in order, each once; none where it has no words."""
    terms: dict[str, Term] = {}
    for typed in text.split():
        bare = typed.strip(_EDGES).rstrip(".")
        for run in _RUNS.findall(bare):
            term = _term(run)
            if term is not None:
                terms.setdefault(term.text, term)
    return tuple(terms.values())


def _term(run: str) -> Term | None:
    if _UNSPACED.fullmatch(run):
        pairs = tuple(dict.fromkeys(run[at : at + 2] for at in range(len(run) - 1)))
        return Term(text=run.lower(), whole="", parts=(), fragments=pairs or (run,))
    parts = tuple(word.lower() for word in _WORD.findall(_apart(run)))
    if not parts:
        return None
    return Term(text=run.lower(), whole="".join(parts), parts=parts)


def short_hashes(word: str) -> tuple[str, ...]:
    """Return the beginnings by which a long hash may have been called; none for another word."""
    if len(word) < _LEAST_LONG_HASH or not _HASH.fullmatch(word):
        return ()
    return tuple(word[:length] for length in _SHORT_HASH if length < len(word))
