"""Scripts that set no spaces between words: where a text uses them, its signs are counted."""

import re

UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
"""A sign of Japanese, Chinese, Korean or Thai."""
_WORD = re.compile(r"\w+")


def holds_words(text: str, *, n_words: int, n_signs: int) -> bool:
    """Return whether `text` holds so many words, or so many signs of a script without spaces."""
    return len(_WORD.findall(text)) >= n_words or len(UNSPACED.findall(text)) >= n_signs
