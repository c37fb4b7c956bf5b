"""A model that is asked and answers in files: `HASH.request.json`, `HASH.reply.json`.

Whoever answers, and when, is left open: a provider's batch API, a model behind a wall, a person.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

from longhaul.compaction.completion import Completion, CompletionRequest
from longhaul.errors import ModelError, ReplyAwaitedError
from longhaul.models.batch_files import (
    load_reply,
    reply_file,
    request_file,
    save_request,
)

_POLL_S = 0.2
_SHOWN_HASH_CHARS = 12


class BatchModel:
    """A folder in which each request is a file, and each reply another beside it."""

    def __init__(
        self,
        folder: Path,
        *,
        wait_s: float = 0.0,
        sleep: Callable[[float], None] = time.sleep,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Ask and answer in `folder`, which is made where it is missing.

        `wait_s`, in seconds, is how long a request waits for its reply, with `sleep` between looks.
        `say` is told meanwhile what is waited for, and once of each reply that cannot be read.
        """
        self._folder = folder
        self._wait_s = wait_s
        self._sleep = sleep
        self._say = say

    def complete(self, request: CompletionRequest) -> Completion:
        """Return the reply that lies in the folder; the request is written there where it is new.

        A reply that is not as described may still be mended, as long as there is time to wait.

        Raises:
            ReplyAwaitedError: there is no reply yet.
            ModelError: the folder cannot be written, or the reply is not as described.
        """
        asked = request_file(self._folder, request)
        answer = reply_file(asked)
        if not os.path.lexists(answer):
            save_request(asked, request)
            if self._wait_s:
                self._say(self._waiting_text(asked, answer))
        reply = self._wait_for(answer)
        if reply is None:
            missing = f"no reply within {self._wait_s:g} s in {answer}"
            raise ReplyAwaitedError(
                f"no reply yet: put it into {answer} and run again"
                f" (`longhaul batch {self._folder}` lists what waits)",
                missing=missing,
            )
        return reply

    def _wait_for(self, answer: Path) -> Completion | None:
        left_s, before, told = self._wait_s, "", ""
        while True:
            try:
                reply = load_reply(answer)
            except ModelError as error:
                if left_s <= 0:
                    raise
                # At one look alone, it may be written at this moment.
                before, now = str(error), before
                if before == now != told:
                    told = now
                    self._say(f"{told}; the time to wait runs on")
            else:
                if reply is not None or left_s <= 0:
                    return reply
            self._sleep(min(_POLL_S, left_s))
            left_s -= _POLL_S

    def _waiting_text(self, asked: Path, answer: Path) -> str:
        short = asked.name[:_SHOWN_HASH_CHARS]
        return (
            f"waiting {self._wait_s:g} s for {answer}, the reply to {asked.name}"
            f" (`longhaul batch {self._folder} {short}` shows it)"
        )
