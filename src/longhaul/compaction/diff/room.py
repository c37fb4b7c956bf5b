"""How much of a digest a request may hold: a share of pi's own request, and the model's window."""

from collections.abc import Callable

from longhaul.compaction.diff.digest import Digest
from longhaul.compaction.diff.framing import most_tokens
from longhaul.compaction.diff.pi_request import PiRequest

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
