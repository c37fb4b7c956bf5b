"""A model that is asked and answers in files: `HASH.request.json`, `HASH.reply.json`.

Whoever answers, and when, is left open: a provider's batch API, a model behind a wall, a person.
"""

import time
from collections.abc import Callable
from pathlib import Path

from longhaul.compaction.completion import Completion, CompletionRequest
from longhaul.errors import ReplyAwaitedError
from longhaul.models.batch_files import (
    UnfinishedFileError,
    load_reply,
    reply_file,
    request_file,
    save_request,
)

_POLL_S = 0.2


class BatchModel:
    """A folder in which each request is a file, and each reply another beside it."""

    def __init__(
        self, folder: Path, *, wait_s: float = 0.0, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """Ask and answer in `folder`, which is made where it is missing.

        `wait_s`, in seconds, is how long a request waits for its reply, with `sleep` between looks.
        """
        self._folder = folder
        self._wait_s = wait_s
        self._sleep = sleep

    def complete(self, request: CompletionRequest) -> Completion:
        """Return the reply that lies in the folder; the request is written there where it is new.

        Raises:
            ReplyAwaitedError: there is no reply yet.
            ModelError: the folder cannot be written, or the reply is not as described.
        """
        asked = request_file(self._folder, request)
        answer = reply_file(asked)
        reply = load_reply(answer)
        if reply is None:
            save_request(asked, request)
            reply = self._wait_for(answer)
        if reply is None:
            raise ReplyAwaitedError(
                f"no reply yet: put it into {answer} and run again"
                f" (`longhaul batch {self._folder}` lists what waits)"
            )
        return reply

    def _wait_for(self, answer: Path) -> Completion | None:
        left_s = self._wait_s
        while left_s > 0:
            self._sleep(min(_POLL_S, left_s))
            left_s -= _POLL_S
            try:
                reply = load_reply(answer)
            except UnfinishedFileError:
                if left_s > 0:
                    continue
                raise
            if reply is not None:
                return reply
        return None
