"""Whether words ask for what they speak of or refuse it, in several languages.

"No new dependencies" and "stop adding dependencies" both refuse; "dependencies are fine" does not.
A negation turns its clause, a second one turns it back; "without" turns only what follows it.
"""

# ruff: noqa: RUF001 - words of any script

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from longhaul.compaction.rules.overlap import stems_in

_MAX_CHARS = 1000

_REFUSALS = """
    no not never don't dont doesn't didn't isn't aren't wasn't won't can't cannot mustn't shouldn't
    needn't couldn't wouldn't nobody nothing none neither nor avoid avoids avoiding stop stops
    stopping stopped quit skip omit forbid forbids forbidden banned ban prohibited taboo forget
    drop dropped dropping scrap scrapped ditch ditched abandon abandoned refrain spare enough away
    nicht kein keine keinen keiner keinem keines nie niemals niemand nichts verboten lass vergiss
    nunca jamás jamais nada ningún ninguna nadie ne n'est pas rien aucun aucune interdit
    non mai niente nessun nessuna vietato não nem proibido prohibido
    niet geen nooit niets verboden не нет нельзя никогда никаких ничего хватит
    inte ingen inga aldrig nie nigdy żadnych
"""
_TURNS = """
    without unless instead rather ohne statt anstatt außer sin sans senza sem zonder без вместо
    except utan bez
"""
_REFUSED = frozenset(_REFUSALS.split())
_TURNING = frozenset(_TURNS.split())
_PHRASES = re.compile(
    r"\b(?:off[- ]limits|out of bounds|hands off|(?:stay|keep) (?:off|out)\b|leave\b.{1,40}\balone"
    r"|(?:is|are|'s|'re|stays?|was|were) (?:now |all )?"
    r"(?:off|out|gone|over(?! \d| \w+ \w)|dead|history|frozen|read-only|tabu)\b"
    r"|read-only|(?:can|may|must|should) go\b|(?:makes?|is|are|was|were) no sense"
    r"|ends? (?:today|now|here)|au lieu de|en vez de|en lugar de|em vez de|in plaats van)"
)
_UNSPACED_REFUSAL = re.compile(
    r"不要|不用|不能|不得|不许|不准|不再|不必|不需要|别|禁止|勿|没必要|取消"
    r"|ないで|なくて|ません|ない|禁止|不要|말고|말아|마세요|하지 ?마|금지|않|안 "
)
_CLAUSE_END = re.compile(
    r"[,;:()!?\n、，；：。！？–—]+|\.(?=\s|$)"
    r"|\b(?:but|so|because|until|till|while|before|since|when|if|unless|as long as|that|which)\b"
    r"|\b(?:aber|sondern|weil|bis|solange|wenn|pero|porque|hasta|mais|parce|jusqu|tant|perché|ma)\b"
)
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


@lru_cache(maxsize=4096)
def read_polarity(text: str) -> Mapping[str, int]:
    """Return for each stem of `text` 1 where it is asked for, -1 where refused, 0 where both."""
    found: dict[str, int] = {}
    for clause in _CLAUSE_END.split(text[:_MAX_CHARS].lower().replace("’", "'")):
        for stem, sign in _signed(clause):
            found[stem] = sign if found.get(stem, sign) == sign else 0
    return MappingProxyType(found)


def refuses(text: str) -> bool:
    """Return whether a word of refusal stands anywhere in `text`."""
    words = _WORD.findall(text[:_MAX_CHARS].lower().replace("’", "'"))
    return not _REFUSED.isdisjoint(words) or bool(_UNSPACED_REFUSAL.search(text[:_MAX_CHARS]))


def _signed(clause: str) -> Iterator[tuple[str, int]]:
    words = _WORD.findall(clause)
    n_refusals = sum(word in _REFUSED for word in words) + len(_PHRASES.findall(clause))
    n_refusals += bool(_UNSPACED_REFUSAL.search(clause))
    sign = -1 if n_refusals % 2 else 1
    for word in words:
        if word in _TURNING:
            sign = -sign
            continue
        refused, _, bare = word.partition("-")
        if refused in ("no", "non") and bare:
            yield from ((stem, -sign) for stem in stems_in(bare))
        else:
            yield from ((stem, sign) for stem in stems_in(word))
