"""A model whose calls are counted, whoever makes them and how many at a time."""

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass

from longhaul.compaction.compact import Model
from longhaul.compaction.completion import Completion, CompletionRequest
from longhaul.errors import ModelError, ReplyAwaitedError


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call that was answered; the times are on the clock that only measures differences."""

    completion: Completion
    started_s: float
    ended_s: float


class TimedModel:
    """Asks another model, and keeps what each call took."""

    def __init__(self, model: Model | None) -> None:
        """Ask `model`; without one every call fails."""
        self._model = model
        self._lock = threading.Lock()
        self.calls: list[Call] = []
        self.awaited: ReplyAwaitedError | None = None
        """The first reply that is written elsewhere and was not there."""

    def complete(self, request: CompletionRequest) -> Completion:
        """Return the other model's reply.

        Raises:
            ModelError: there is no model, or it gave no reply.
        """
        if self._model is None:
            raise ModelError("this arm asks for a model; name one with --model")
        start = time.perf_counter()
        try:
            completion = self._model.complete(request)
        except ReplyAwaitedError as error:
            self.awaited = self.awaited or error
            raise
        call = Call(completion=completion, started_s=start, ended_s=time.perf_counter())
        with self._lock:
            self.calls.append(call)
        return completion

    @property
    def seconds(self) -> float | None:
        """From the first call to the end of the last; None where none was answered.

        What a model says of its own time counts instead where it answered one call alone.
        """
        if not self.calls:
            return None
        said = self.calls[0].completion.seconds
        if len(self.calls) == 1 and said is not None:
            return said
        return max(one.ended_s for one in self.calls) - min(one.started_s for one in self.calls)

    @property
    def tokens_in(self) -> int | None:
        """Of all calls; None where none says it. So are the next two."""
        return _sum(one.completion.tokens_in for one in self.calls)

    @property
    def tokens_out(self) -> int | None:
        """What was written."""
        return _sum(one.completion.tokens_out for one in self.calls)

    @property
    def tokens_cached(self) -> int | None:
        """What was read from a cache."""
        return _sum(one.completion.tokens_cached for one in self.calls)


def _sum(numbers: Iterable[int | None]) -> int | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None
