"""The newest tool outputs before an entry, and which of them printed a token first.

Most tokens that a conversation mentions stand in no output. To tell so fast, an output is searched
by its digits alone first: what does not hold the token's digits in a row does not hold the token.
"""

from dataclasses import dataclass

from longhaul.compaction.values.search import find_longer, find_token, longer_prefixes
from longhaul.compaction.values.tokens import Mention

MAX_OUTPUTS = 20
MAX_WINDOW_CHARS = 100_000
MAX_AGE_ENTRIES = 400
_MAX_OUTPUT_CHARS = 100_000
"""Of a longer output only the beginning and the end are searched."""
_N_BESIDE_OUTPUTS = 8
_BESIDE_CHARS = 8_000
"""Small numbers are looked for in the ends of the newest outputs only."""

_NOT_DIGITS = bytes(byte for byte in range(256) if byte not in b"0123456789")


def digits_of(text: str) -> str:
    """Return the ASCII digits of `text`, in a row."""
    return text.encode("utf-8", "surrogatepass").translate(None, _NOT_DIGITS).decode("ascii")


class Output:
    """What a tool printed."""

    __slots__ = ("digits", "entry_id", "index", "text", "turn")

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
        first = max(0, len(self.text) - _BESIDE_CHARS) if mention.neighbours else 0
        return find_token(self.text, mention, first)


@dataclass(frozen=True, slots=True)
class Found:
    """A token, and the output that printed it."""

    output: Output
    token: str


class OutputWindow:
    """The outputs before an entry, as many as a use is looked for in.

    Which these are depends on the entry alone, so that a span's beginning changes nothing.
    """

    def __init__(self) -> None:
        """Start without outputs."""
        self.outputs: list[Output] = []
        """Oldest first."""
        self._n_chars = 0

    def add(self, output: Output) -> None:
        """Add the newest output; the oldest give way."""
        self.outputs.append(output)
        self._n_chars += len(output.text)

    def move_to(self, index: int) -> None:
        """Drop the outputs that are too old for an entry at `index`, or too many."""
        outputs = self.outputs
        while outputs and (
            len(outputs) > MAX_OUTPUTS
            or (self._n_chars > MAX_WINDOW_CHARS and len(outputs) > 1)
            or outputs[0].index < index - MAX_AGE_ENTRIES
        ):
            self._n_chars -= len(outputs.pop(0).text)

    def find(self, mention: Mention) -> Found | None:
        """Return the first output in the window that holds what `mention` means, and the token."""
        digits = digits_of(mention.core)
        outputs = self.outputs[-_N_BESIDE_OUTPUTS:] if mention.neighbours else self.outputs
        for output in outputs:
            if digits in output.digits:
                token = output.find(mention)
                if token is not None:
                    return Found(output, token)
        return self._find_longer(mention) if mention.may_round and len(digits) > 1 else None

    def _find_longer(self, mention: Mention) -> Found | None:
        """Return the first output that holds a number of which `mention` is a rounding."""
        prefixes = longer_prefixes(mention.core)
        digits, lower_digits = map(digits_of, prefixes)
        for output in self.outputs[-_N_BESIDE_OUTPUTS:]:
            if digits in output.digits or lower_digits in output.digits:
                token = find_longer(output.text, mention, prefixes)
                if token is not None:
                    return Found(output, token)
        return None
