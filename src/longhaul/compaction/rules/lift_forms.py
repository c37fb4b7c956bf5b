"""Forms of words that withdraw a rule, and forms that only look so, in several languages.

Patterns are compiled when first needed.
"""

import re
from functools import cache, lru_cache

from longhaul.compaction.rules.lift_aims import ENDED, REPLACED, SCOPE
from longhaul.compaction.rules.lift_lookalikes import LOOKALIKES
from longhaul.compaction.rules.lift_phrases import FORMS, TRIGGERS

_QUOTATION = re.compile(
    r"\"[^\"\n]{0,200}\"|“[^”\n]{0,200}”|«[^»\n]{0,200}»|`[^`\n]{0,200}`|「[^」\n]{0,200}」"
)
_MAX_CHARS = 600


@lru_cache(maxsize=512)
def has_trigger(text: str) -> bool:
    """Return whether `text` has a form that could withdraw something."""
    return bool(_any_trigger().search(_bare(text)))


def find_forms(text: str) -> frozenset[str]:
    """Return the names of the forms that `text` has; empty where it has no trigger."""
    return find_signs(text) if has_trigger(text) else frozenset()


@lru_cache(maxsize=512)
def find_replaced(text: str) -> str:
    """Return the words of `text` that name what is replaced ("instead of …"), or nothing."""
    return _captured(REPLACED, text)


@lru_cache(maxsize=512)
def find_ended(text: str) -> str:
    """Return the words of `text` that name what has come to its end, or nothing."""
    match = _compiled(ENDED).search(_bare(text))
    words = next(filter(None, match.groups()), "") if match else ""
    return words.split()[-1] if match and match[1] else words


@lru_cache(maxsize=512)
def find_scope(text: str) -> str:
    """Return the words of `text` that say where alone it holds, or nothing."""
    return _captured(SCOPE, text)


@lru_cache(maxsize=512)
def find_signs(text: str) -> frozenset[str]:
    """Return the names of the forms that `text` has, with or without a trigger."""
    bare = _bare(text)
    return frozenset(name for name, pattern in _patterns().items() if pattern.search(bare))


def _captured(pattern: str, text: str) -> str:
    match = _compiled(pattern).search(_bare(text))
    return next(filter(None, match.groups()), "") if match else ""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {name: _compiled(pattern) for name, pattern in (FORMS | LOOKALIKES).items()}


@cache
def _any_trigger() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{FORMS[name]})" for name in TRIGGERS), re.IGNORECASE)


def _bare(text: str) -> str:
    return _QUOTATION.sub("_", text[:_MAX_CHARS]).replace("’", "'")
