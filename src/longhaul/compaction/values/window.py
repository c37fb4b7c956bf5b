"""The newest tool outputs before an entry, and what stands in them as a whole token.

Most tokens that a conversation mentions stand in no output. To tell so fast, an output is searched
by its digits alone first: what does not hold the token's digits in a row does not hold the token.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice

from longhaul.compaction.values.tokens import Mention

MAX_OUTPUTS = 20
MAX_WINDOW_CHARS = 100_000
MAX_AGE_ENTRIES = 400
_MAX_OUTPUT_CHARS = 100_000
"""Of a longer output only the beginning and the end are searched."""
_N_BESIDE_OUTPUTS = 8
_BESIDE_CHARS = 8_000
"""Small numbers are looked for in the ends of the newest outputs only."""
_MAX_OCCURRENCES = 100
"""More numbers that are or begin the same are not looked at in one output."""
_LONGEST_DATE_PART = 4

_NOT_DIGITS = bytes(byte for byte in range(256) if byte not in b"0123456789")
_DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_FULL_HASH = re.compile(r"[0-9a-f]*")


def digits_of(text: str) -> bytes:
    """Return the ASCII digits of `text`, in a row."""
    return text.encode("utf-8", "surrogatepass").translate(None, _NOT_DIGITS)


def is_whole(text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]` stands as a whole token.

    Not preceded by a word character or a dot, not followed by a word character or by a dot and a
    digit.
    """
    before, after = text[start - 1 : start] if start else "", text[end : end + 2]
    if before and (before in "._" or before.isalnum()):
        return False
    if not after or not (after[0] in "._" or after[0].isalnum()):
        return True
    return after[0] == "." and not after[1:].isdecimal()


def _is_number_part(text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]` is digits of a longer number, date, time or ratio."""
    if not text[start].isdigit():
        return False
    joints = "," if end - start > _LONGEST_DATE_PART else ",-:/"
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    return (before[1:] in joints and before[:1].isdigit() and before[1:] != "") or (
        after[:1] in joints and after[1:].isdigit() and after[:1] != ""
    )


def occurrences(text: str, part: str, first: int = 0) -> Iterator[int]:
    """Yield where `part` stands in `text[first:]`, overlaps left out."""
    start = text.find(part, first)
    while start >= 0:
        yield start
        start = text.find(part, start + len(part))


class Output:
    """What a tool printed."""

    def __init__(self, index: int, entry_id: str, turn: int, text: str) -> None:
        """Hold the text that the entry at `index` printed in `turn`."""
        self.index, self.entry_id, self.turn = index, entry_id, turn
        if len(text) > _MAX_OUTPUT_CHARS:
            half = _MAX_OUTPUT_CHARS // 2
            text = f"{text[:half]}_{text[-half:]}"
        self.text = text
        self.digits = digits_of(text)

    def find(self, mention: Mention) -> str | None:
        """Return the token of this output that `mention` means, spelled as here; or None."""
        for core in spellings(mention.core):
            token = (
                _find_beside(self.text, core, mention)
                if mention.neighbours
                else _find_token(self.text, core, mention)
            )
            if token is not None:
                return token
        return None

    def find_longer(self, mention: Mention, prefixes: Iterable[str]) -> str | None:
        """Return the number of this output that `mention` is a rounding of, with its unit.

        `prefixes` are what such a number begins with, see `longer_prefixes`.
        """
        wanted = _number(mention.core)
        for prefix in prefixes:
            for start in islice(occurrences(self.text, prefix), _MAX_OCCURRENCES):
                found = _DECIMAL.match(self.text, start)
                if found and abs(float(found[0]) - wanted) <= half_step(mention.core):
                    token = _with_unit(self.text, start, found.end(), mention)
                    if token is not None:
                        return token
        return None


def _number(core: str) -> float:
    return float(core.replace(",", "").replace("_", ""))


def half_step(core: str) -> float:
    """Return by how much a number may differ from `core`, its rounding."""
    return 0.5 * 10.0 ** -len(core.partition(".")[2])


def longer_prefixes(core: str) -> list[str]:
    """Return what a number with more digits that rounds to `core` begins with: `165.`, `166.`."""
    n_decimals = len(core.partition(".")[2])
    wanted = _number(core)
    lower = max(wanted - 2 * half_step(core), 0)
    return [f"{start:.{n_decimals}f}{'' if n_decimals else '.'}" for start in (wanted, lower)]


def spellings(core: str) -> Iterable[str]:
    """Return how an output may spell a number: with and without separators of thousands."""
    if not core[:1].isdigit():
        return (core,)
    plain = core.replace(",", "").replace("_", "")
    if plain != core:
        return core, plain
    if core.isdigit() and len(core) >= len("1000"):
        return core, f"{int(core):,}"
    return (core,)


def _find_token(text: str, core: str, mention: Mention) -> str | None:
    longer: str | None = None
    for start in occurrences(text, core):
        end = start + len(core)
        if _is_number_part(text, start, end):
            continue
        for suffix in mention.suffixes:
            if text.startswith(suffix, end) and is_whole(text, start, end + len(suffix)):
                return text[start : end + len(suffix)]
        if is_whole(text, start, end) and not text.startswith("%", end):
            return core
        if mention.is_hash and longer is None:
            full = _FULL_HASH.match(text, end)
            if full and is_whole(text, start, full.end()):
                longer = text[start : full.end()]
    return longer


def _find_beside(text: str, core: str, mention: Mention) -> str | None:
    """Return a small number with the word behind it, or alone where the word stands before it."""
    first = max(0, len(text) - _BESIDE_CHARS)
    for start in islice(occurrences(text, core, first), _MAX_OCCURRENCES):
        end = start + len(core)
        if _is_number_part(text, start, end):
            continue
        behind = 1 if text.startswith(" ", end) else 0
        for word in mention.neighbours:
            token_end = end + behind + len(word)
            if text.startswith(word, end + behind) and is_whole(text, start, token_end):
                return text[start:token_end]
            label_end = len(text[max(0, start - 2) : start].rstrip(" :=")) + max(0, start - 2)
            is_labelled = text.endswith(word, first, label_end) and label_end < start
            if is_labelled and is_whole(text, label_end - len(word), end):
                return core
    return None


def _with_unit(text: str, start: int, end: int, mention: Mention) -> str | None:
    """Return a number with its unit, or alone where the unit stands somewhat before it or is none.

    None where the number is no whole token or of another unit.
    """
    if _is_number_part(text, start, end):
        return None
    for suffix in mention.suffixes:
        if text.startswith(suffix, end) and is_whole(text, start, end + len(suffix)):
            return text[start : end + len(suffix)]
    if not is_whole(text, start, end):
        return None
    unit = mention.suffixes[-1] if mention.suffixes else ""
    line_start = text.rfind("\n", 0, start) + 1
    return text[start:end] if unit in text[max(line_start, start - 24) : start] else None


class OutputWindow:
    """The outputs before an entry, as many as a use is looked for in.

    Which these are depends on the entry alone, so that a span's beginning changes nothing.
    """

    def __init__(self) -> None:
        """Start without outputs."""
        self.outputs: deque[Output] = deque()
        self._n_chars = 0
        self._seen: dict[tuple[Mention, bool], tuple[int, tuple[Output, str] | None]] = {}
        """Up to which entry outputs were searched for a mention, and where it stood first.

        It only saves searching again: a window's oldest output never is older than that of the
        window before.
        """

    def add(self, output: Output) -> None:
        """Add the newest output; the oldest give way."""
        self.outputs.append(output)
        self._n_chars += len(output.text)

    def move_to(self, index: int) -> None:
        """Drop the outputs that are too old for an entry at `index`, or too many."""
        while self.outputs and (
            len(self.outputs) > MAX_OUTPUTS
            or (self._n_chars > MAX_WINDOW_CHARS and len(self.outputs) > 1)
            or self.outputs[0].index < index - MAX_AGE_ENTRIES
        ):
            self._n_chars -= len(self.outputs.popleft().text)

    def find(self, mention: Mention, *, rounded: bool = False) -> tuple[Output, str] | None:
        """Return the first output in the window that holds what `mention` means, and the token."""
        outputs = list(self.outputs)
        if mention.neighbours or rounded:
            outputs = outputs[-_N_BESIDE_OUTPUTS:]
        if not outputs:
            return None
        key = mention, rounded
        searched, found = self._seen.get(key, (-1, None))
        if found is not None and found[0].index >= outputs[0].index:
            return found
        if rounded:
            found = self._find_longer(mention, outputs, searched)
        else:
            digits = digits_of(mention.core)
            holders = [part for part in outputs if digits in part.digits and part.index > searched]
            tokens = ((output, output.find(mention)) for output in holders)
            found = next(((output, token) for output, token in tokens if token is not None), None)
        self._seen[key] = outputs[-1].index, found
        return found

    def _find_longer(
        self, mention: Mention, outputs: Iterable[Output], searched: int
    ) -> tuple[Output, str] | None:
        prefixes = longer_prefixes(mention.core)
        digits = [digits_of(prefix) for prefix in prefixes]
        for output in outputs:
            if output.index > searched and any(part in output.digits for part in digits):
                token = output.find_longer(mention, prefixes)
                if token is not None:
                    return output, token
        return None
