"""How much of a digest a request may hold: a share of pi's own request, and the model's window."""

import json
from collections.abc import Callable

from longhaul.compaction.diff.candidates import Candidates
from longhaul.compaction.diff.digest import Digest
from longhaul.compaction.diff.framing import estimate_prompt_tokens, most_tokens
from longhaul.compaction.diff.instructions import INSTRUCTIONS
from longhaul.compaction.diff.pi_request import PiRequest
from longhaul.compaction.diff.schema import DIFF_SCHEMA, SCHEMA_TOKENS
from longhaul.compaction.diff.turn_lines import TurnLine
from longhaul.errors import ModelError

CHARS_PER_TOKEN = 4
"""As pi estimates tokens."""
DIGEST_SHARE = 0.23
"""Of pi's own request: under the quarter that is promised, as tokenizers differ from estimates."""
REQUEST_SHARE = 0.48
LONG_REQUEST_SHARE = 0.155
"""The same of a half, and of a sixth on long spans."""
LONG_SPAN_TOKENS = 50_000
LEAST_DIGEST_TOKENS = 700
"""So many a small span gets for the words of the user, which its share would not hold."""
LEAST_ROOM_TOKENS = 450
"""Less is never sent; a window that leaves less is too small to ask."""
_FRAME_TOKENS = 30
"""Frame and headings of a digest."""


def digest_room_tokens(pi: PiRequest, *, overhead_tokens: int, words_tokens: int) -> int:
    """Return the tokens that a digest may take beside `overhead_tokens` of the rest.

    Its share of pi's request, and no more than the share of a whole request leaves; but where a
    small span needs more for what the user typed and the rules, which take `words_tokens`, that
    much, up to `LEAST_DIGEST_TOKENS`.
    """
    is_long = max(pi.span_tokens, pi.tokens) >= LONG_SPAN_TOKENS
    share = LONG_REQUEST_SHARE if is_long else REQUEST_SHARE
    whole = int(pi.tokens * share) - overhead_tokens
    room = min(int(pi.tokens * DIGEST_SHARE), whole)
    return max(room, min(words_tokens, LEAST_DIGEST_TOKENS), LEAST_ROOM_TOKENS)


def fit_window(fill: Callable[[int], Digest], max_chars: int, left: int | None) -> Digest:
    """Return the digest of at most `max_chars` that takes at most `left` tokens by any tokenizer.

    None for a window that is not known.
    """
    digest = fill(max_chars)
    while left is not None and max_chars > 0 and most_tokens(digest.text) > left:
        max_chars = min(max_chars, len(digest.text)) * left // most_tokens(digest.text) * 9 // 10
        digest = fill(max_chars)
    return digest


def words_tokens(candidates: Candidates, lines: list[TurnLine]) -> int:
    """Return what the frame, the rules and the user's words of a span take together."""
    typed = [line.text for line in lines if line.kind == "message"]
    texts = (*candidates.rules, *candidates.lifted, *candidates.judged, *typed)
    return _FRAME_TOKENS + estimate_prompt_tokens("\n".join(texts))


def overhead_tokens(closing: str) -> int:
    """Return what a request holds beside its digest: instructions, `closing` and schema."""
    rest = estimate_prompt_tokens(INSTRUCTIONS) + estimate_prompt_tokens(closing)
    return rest + SCHEMA_TOKENS + 1


def window_left_tokens(
    window_tokens: int | None, max_output_tokens: int, *, closing: str
) -> int | None:
    """Return the tokens that a window leaves for a digest; None where it is not known.

    Raises:
        ModelError: it leaves none; the message says what to do.
    """
    if window_tokens is None:
        return None
    fixed = most_tokens(f"{INSTRUCTIONS}{closing}{json.dumps(DIFF_SCHEMA)}")
    left = window_tokens - max_output_tokens - fixed
    if left < LEAST_ROOM_TOKENS:
        raise ModelError(
            f"a window of {window_tokens:,} tokens holds no request beside"
            f" {max_output_tokens:,} tokens of output: choose another model"
        )
    return left
