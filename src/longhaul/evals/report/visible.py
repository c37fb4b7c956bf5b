"""Characters that a page would not show, or that would reorder what it shows, as signs."""

import unicodedata

_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
"""Controls, format characters such as bidirectional overrides, lone surrogates, line separators."""
_KEPT = frozenset("\n\t")
_PICTURES = 0x2400
"""Where Unicode's pictures of the first 32 control characters begin."""
_N_PICTURES = 0x20
_DELETE = 0x7F
_TAGS = range(0xE0000, 0xE1000)
"""Tags and variation selectors, with which a text can carry another that nobody sees."""


def make_visible(text: str) -> str:
    """Return `text` with a sign for each character that is not seen: `␛`, or `⟨U+202E⟩`.

    Line ends and tabs stay. What is left acts on nothing and can be encoded.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_sign(char) if _is_hidden(char) else char for char in text)


def _is_hidden(char: str) -> bool:
    if char in _KEPT:
        return False
    return unicodedata.category(char) in _HIDDEN or ord(char) in _TAGS


def _sign(char: str) -> str:
    code = ord(char)
    if code < _N_PICTURES:
        return chr(_PICTURES + code)
    return "␡" if code == _DELETE else f"⟨U+{code:04X}⟩"
