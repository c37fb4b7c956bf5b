"""Session text as it may stand in a prompt: a line of data that nothing in it can leave."""

import re

from longhaul.compaction.render.quoting import plain
from longhaul.transcript.json_units import utf16_units

FRAME_START, FRAME_END = "<session>", "</session>"
LEFT_OUT = "[…]"
"""Stands where a text was cut."""
_FRAME = re.compile(r"[<＜﹤](?=[^\w<]{0,8}session)", re.IGNORECASE)  # noqa: RUF001 - look-alikes
_HEAD_SHARE = 0.6
"""How much of a cut text is its beginning."""


def data_line(text: str, max_chars: int | None = None) -> str:
    """Return session text on one line, secrets masked, in at most `max_chars` characters.

    As it is one line that follows a label, it starts no line of its own; it also closes no frame.
    """
    line = _FRAME.sub("&lt;", plain(text))
    return line if max_chars is None else shorten(line, max_chars)


def shorten(line: str, max_chars: int) -> str:
    """Return `line`, or its beginning and its end around `[…]`, in at most `max_chars` characters.

    Words are left whole where that loses little.
    """
    if len(line) <= max_chars:
        return line
    room = max_chars - len(LEFT_OUT) - 2
    if room <= 0:
        return line[: max(max_chars, 0)]
    head = line[: int(room * _HEAD_SHARE)]
    tail = line[len(line) - (room - len(head)) :]
    head = head[: head.rfind(" ")] if head.rfind(" ") > len(head) // 2 else head
    tail = tail[tail.find(" ") + 1 :] if 0 <= tail.find(" ") < len(tail) // 2 else tail
    return f"{head.rstrip()} {LEFT_OUT} {tail.lstrip()}"


def estimate_prompt_tokens(text: str) -> int:
    """Return the tokens of a text as pi estimates them: UTF-16 units divided by four."""
    return -(-utf16_units(text) // 4)


def most_tokens(text: str) -> int:
    """Return a number of tokens that hardly any tokenizer exceeds: two for 5 ASCII characters.

    And two for each other character, as a small model's may take for Chinese.
    """
    n_ascii = len(text.encode("ascii", "ignore"))
    return n_ascii * 2 // 5 + 2 * (len(text) - n_ascii)
