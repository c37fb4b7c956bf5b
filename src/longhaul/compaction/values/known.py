"""The values that a session has learned, and which of them a mention means."""

import re
from collections.abc import Iterable
from dataclasses import replace

from longhaul.compaction.state import Value
from longhaul.compaction.values.search import half_step, number_of
from longhaul.compaction.values.tokens import Mention

_MAX_VALUES = 80
_HASH = re.compile(r"(?=[0-9]*[a-f])[0-9a-f]{7,64}")
_AMOUNT = re.compile(r"([0-9](?:[0-9,_]*[0-9])?(?:\.[0-9]+)?) ?([^0-9\s.,:_-][^0-9]*)?")
"""A number and what it counts or measures."""


class KnownValues:
    """Values by their tokens, the one used last at the end, the newest 80."""

    def __init__(self, values: Iterable[Value]) -> None:
        """Start with `values`, by last use, oldest first."""
        self._values: dict[str, Value] = {}
        self._by_core: dict[str, str] = {}
        """The token used last of those with the same core."""
        self._hashes: dict[str, None] = {}
        """The tokens that are hashes, the one used last at the end."""
        self._decimals: dict[str, tuple[float, str]] = {}
        """Number and unit of the tokens whose number has decimals, the one used last at the end."""
        for value in values:
            self.add(value)

    def values(self) -> tuple[Value, ...]:
        """Return the values by last use, oldest first."""
        return tuple(self._values.values())

    def add(self, value: Value) -> None:
        """Add a value as the one used last; one that is known keeps what is known of it."""
        known = self._values.pop(value.token, value)
        if known.used_turn != value.used_turn:
            known = replace(known, used_turn=value.used_turn)
        self._put_last(known)
        if len(self._values) > _MAX_VALUES:
            self._drop(next(iter(self._values)))

    def use(self, mention: Mention, turn: int) -> bool:
        """Note that `mention` uses a value in `turn`; return False where it means no known one."""
        token = self._find(mention)
        if token is None:
            return False
        known = self._values.pop(token)
        self._put_last(known if known.used_turn == turn else replace(known, used_turn=turn))
        return True

    def _put_last(self, value: Value) -> None:
        token = value.token
        self._values[token] = value
        self._by_core[_core(token)] = token
        if token in self._hashes or _HASH.fullmatch(token):
            self._hashes.pop(token, None)
            self._hashes[token] = None
        decimal = self._decimals.pop(token, None) or _decimal(token)
        if decimal is not None:
            self._decimals[token] = decimal

    def _drop(self, token: str) -> None:
        del self._values[token]
        self._hashes.pop(token, None)
        self._decimals.pop(token, None)
        if self._by_core[_core(token)] == token:
            del self._by_core[_core(token)]

    def _find(self, mention: Mention) -> str | None:
        if mention.neighbours:
            return self._find_small(mention)
        token = self._by_core.get(_core(mention.core))
        if token is not None:
            return token
        if mention.is_hash:
            return next((token for token in self._hashes if token.startswith(mention.core)), None)
        return self._find_rounded(mention) if mention.may_round and mention.suffixes else None

    def _find_small(self, mention: Mention) -> str | None:
        """Return a known small number with one of the mention's words, or alone."""
        core, known = mention.core, self._values
        for word in mention.neighbours:
            for spelled in (f"{core} {word}", f"{core}{word}"):
                if spelled in known:
                    return spelled
        return core if core in known else None

    def _find_rounded(self, mention: Mention) -> str | None:
        """Return a known number, with the same unit or none, that rounds to the mention's."""
        wanted, most = number_of(mention.core), half_step(mention.core)
        units = ("", mention.suffixes[-1])
        for token, (number, unit) in self._decimals.items():
            if abs(number - wanted) <= most and unit in units:
                return token
        return None


def _core(token: str) -> str:
    """Return a token's number without separators of thousands; the token where it has none."""
    if token.isdecimal():
        return token
    amount = None if _HASH.fullmatch(token) else _AMOUNT.fullmatch(token)
    return amount[1].replace(",", "").replace("_", "") if amount else token


def _decimal(token: str) -> tuple[float, str] | None:
    amount = _AMOUNT.fullmatch(token) if "." in token else None
    if amount is None or "." not in amount[1]:
        return None
    return number_of(amount[1]), amount[2] or ""
