"""Who answers pi during a recording: the play or a live model, and the model of the summaries."""

import threading
from typing import Protocol

from longhaul.compaction.compact import Model
from longhaul.compaction.completion import CompletionRequest
from longhaul.errors import ModelError, ReplyAwaitedError
from longhaul.pi.chat import Answer, ChatRequest, Reply, build_reply
from longhaul.pi.model_answers import prompt_messages

SUMMARY_TOKENS = 8_192
"""How long a summary may be where pi does not say it."""
_TOO_LATE = (
    "a recording that begins anew asks anew: name more seconds (batch:FOLDER?wait=SECONDS) and"
    " reply while it runs"
)
STAND_IN = "## Goal\n" + "".join(
    f"- Line {number} of a stand-in for a summary, about as long as one is.\n"
    for number in range(1, 61)
)
"""What `--check` answers where pi asks for a summary: no model is needed to see whether a play
runs, and a text of the usual length leaves the compactions about where they will be."""


class Script(Protocol):
    """What answers the session's own requests."""

    def answer(self, request: ChatRequest) -> Reply:
        """Return the next assistant message."""


class Sources:
    """Takes each request to who answers it, and keeps what went wrong.

    pi asks for two summaries at a time where a cut splits a turn.
    """

    def __init__(self, script: Script, summarise: Answer) -> None:
        """Let `script` answer the session itself, and `summarise` what compactors ask."""
        self._script = script
        self._summarise = summarise
        self._lock = threading.Lock()
        self.failures: list[ModelError] = []
        """Of the models, in the order in which they came; pi is told of each as well."""

    def answer(self, request: ChatRequest) -> Reply:
        """Return the reply to one request.

        Raises:
            ModelError: the model that was asked has none.
        """
        try:
            if request.is_of_the_session:
                with self._lock:
                    return self._script.answer(request)
            return self._summarise(request)
        except ReplyAwaitedError as error:
            late = ModelError(f"{error.missing}; {_TOO_LATE}")
            self.failures.append(late)
            raise late from error
        except ModelError as error:
            self.failures.append(error)
            raise


def stand_in_summary(_: ChatRequest) -> Reply:
    """Return the stand-in for a summary."""
    return Reply(text=STAND_IN)


def refuse_summary(_: ChatRequest) -> Reply:
    """Answer where no model of the summaries is named.

    Raises:
        ModelError: always; the message says what to name.
    """
    raise ModelError(
        "pi compacts this session and asks for a summary, which no play scripts; name the model"
        " that writes it with --summary-model"
    )


def summarise_with(model: Model) -> Answer:
    """Return what asks `model` in pi's own words for what a compactor wants."""

    def summarise(request: ChatRequest) -> Reply:
        completion = model.complete(
            CompletionRequest(
                messages=prompt_messages(request),
                schema={},
                max_output_tokens=request.max_output_tokens or SUMMARY_TOKENS,
            )
        )
        return build_reply(completion, completion.text)

    return summarise
