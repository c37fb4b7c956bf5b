"""Characters of a session's text that are never shown: they act on a terminal, or show nothing."""

import re

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")
"""Terminal sequences: colours and cursor moves, titles and links, single-character commands."""

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
"""Control characters that are no white space, bidirectional controls, zero-width and invisible
format characters."""


def drop_invisible(text: str) -> str:
    """Return `text` without terminal sequences and what is never seen; white space stays."""
    if text.isascii() and text.isprintable():
        return text
    return _INVISIBLE.sub("", _ANSI.sub("", text) if "\x1b" in text else text)
