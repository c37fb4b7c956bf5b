"""Arms without a compactor behind them: what stands in the session already."""

import time
from collections.abc import Iterator

from longhaul.compaction.secrets import mask_secrets
from longhaul.evals.arms.arm import Handed, Made
from longhaul.transcript.entries import MessageEntry, Path, UserMessage, content_text
from longhaul.transcript.tokens import estimate_tokens

RECENT_USER_TOKENS = 20_000
"""How much of the newest user messages `recent-user` carries."""


def make_recorded(handed: Handed) -> Made:
    """Return the text that the recorded compaction holds, whoever made it."""
    entry = handed.cut.entry
    return Made(text=entry.summary, details=entry.details, from_hook=entry.from_hook)


def make_recent_user(handed: Handed) -> Made:
    """Return the newest closed user messages, up to 20,000 tokens, verbatim and oldest first.

    The simplest thing that could work. A message that does not fit whole ends the text.
    """
    start = time.perf_counter()
    chosen: list[str] = []
    n_tokens = 0
    for message in _closed_messages(handed.path, handed.cut.end):
        n_tokens += estimate_tokens(message)
        if n_tokens > RECENT_USER_TOKENS:
            break
        chosen.append(content_text(message.content))
    text = "\n\n".join(reversed(chosen))
    return Made(text=mask_secrets(text), seconds=time.perf_counter() - start)


def _closed_messages(path: Path, end: int) -> Iterator[UserMessage]:
    """Yield the user messages before the cut, newest first."""
    for entry in reversed(path[:end]):
        if isinstance(entry, MessageEntry) and isinstance(entry.message, UserMessage):
            yield entry.message
