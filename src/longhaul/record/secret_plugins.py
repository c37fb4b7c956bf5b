"""The plugins of detect-secrets, and the shapes that Longhaul masks, asked of pieces of text.

The plugins are asked directly. detect-secrets' own scan would let a comment in the text (`pragma:
allowlist secret`) switch it off, and can be set to try what it finds on the service it belongs to.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
from detect_secrets.filters import heuristic
from detect_secrets.plugins.base import BasePlugin
from detect_secrets.plugins.high_entropy_strings import HighEntropyStringsPlugin
from detect_secrets.plugins.keyword import KeywordDetector

from longhaul.compaction.secrets import MASK, mask_secrets

LEFT_OUT = (
    "HexHighEntropyString",  # commit hashes, checksums, ETags and ids are what sessions are about
    "IPPublicDetector",  # an address is no secret, and those of the documentation ranges are fine
)
"""The plugins that do not run; every other one that detect-secrets brings does."""

_PIECE_CHARS = 400
_STEP_CHARS = 200
"""Longer than the tokens the plugins know; JSON Web Tokens of any length are among the masked."""
_N_KEPT = 1 << 15
"""Most pieces whose outcome is remembered: of at most 400 characters each."""
_LEAST_CHARS = 6
"""No plugin finds anything in less: `pwd="x"` has one more."""


class PluginScanner:
    """Finds secrets by the plugins, and by what Longhaul would mask in a state."""

    def __init__(self) -> None:
        """Take every plugin that is not left out, with its own defaults."""
        classes: Sequence[type[BasePlugin]] = [*get_mapping_from_secret_type_to_class().values()]
        plugins = [one() for one in classes if one.__name__ not in LEFT_OUT]
        random = [one for one in plugins if isinstance(one, HighEntropyStringsPlugin)]
        shapes = [one for one in plugins if not isinstance(one, HighEntropyStringsPlugin)]
        # Sessions say most of what they say several times.
        self._random_types = lru_cache(_N_KEPT)(partial(_plugin_types, random))
        self._shape_types = lru_cache(_N_KEPT)(partial(_plugin_types, shapes))

    def types_in(self, text: str) -> set[str]:
        """Return the types of the secrets in a text."""
        pieces = list(cut_pieces(text))
        looks = (
            look(piece) for look in (self._random_types, self._shape_types) for piece in pieces
        )
        return _masked_types(text).union(*looks)

    def types_in_outline(self, outline: str) -> set[str]:
        """Return the types of the secrets in a line as it stands.

        Strings that only look random are none there: every id and every signature does.
        """
        return set().union(*map(self._shape_types, cut_pieces(outline)))


def cut_pieces(text: str) -> Iterator[str]:
    """Yield the rows of a text, long ones in pieces that overlap by half.

    Some plugins need the square of a row's length; of pieces, they need so much each. What is no
    longer than half a piece is whole in one of them.
    """
    for row in text.splitlines():
        if len(row) <= _PIECE_CHARS:
            yield row
        else:
            starts = range(0, len(row) - _STEP_CHARS, _STEP_CHARS)
            yield from (row[start : start + _PIECE_CHARS] for start in starts)


def _masked_types(text: str) -> set[str]:
    masked = mask_secrets(text)
    if masked == text:
        return set()
    masks = set(MASK.findall(masked)) - set(MASK.findall(text))
    return {mask.removeprefix("[masked: ").removesuffix("]") for mask in masks}


def _plugin_types(plugins: Sequence[BasePlugin], piece: str) -> frozenset[str]:
    if len(piece) < _LEAST_CHARS:
        return frozenset()
    return frozenset(
        plugin.secret_type
        for plugin in plugins
        if any(_counts(found, piece, plugin) for found in plugin.analyze_string(piece))
    )


def _counts(found: str, piece: str, plugin: BasePlugin) -> bool:
    """Return whether what a plugin found is a secret by detect-secrets' own rules for it."""
    match plugin:
        case HighEntropyStringsPlugin():
            return plugin.calculate_shannon_entropy(found) > plugin.entropy_limit
        case KeywordDetector():
            return not _is_reference(found, piece)
    return True


def _is_reference(value: str, row: str) -> bool:
    """Return whether what is given to a secret's name stands for a secret, and is none."""
    return (
        heuristic.is_templated_secret(value)
        or heuristic.is_prefixed_with_dollar_sign(value)
        or heuristic.is_not_alphanumeric_string(value)
        or heuristic.is_indirect_reference(row)
    )
