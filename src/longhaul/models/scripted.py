"""A model whose replies are known beforehand: for tests, and for trying things out."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from longhaul.compaction.completion import Completion, CompletionRequest
from longhaul.errors import ModelError

Reply: TypeAlias = Completion | str | ModelError
"""A whole completion, the text of one, or the failure that is raised instead of one."""
ReplyFunction: TypeAlias = Callable[[CompletionRequest], Reply]


class ScriptedModel:
    """A model that answers from a list, each reply once and in order, or from a function."""

    def __init__(self, replies: Iterable[Reply] | ReplyFunction) -> None:
        """Answer from `replies`: one for each request, or what the function gives for it."""
        self.requests: list[CompletionRequest] = []
        """Every request it was asked so far, those that failed included."""
        self._next = replies if callable(replies) else _from_list(replies)

    def complete(self, request: CompletionRequest) -> Completion:
        """Return the next reply; where it is a text alone, as a whole reply of `scripted`.

        Raises:
            ModelError: the next reply is one, or the list has come to its end.
        """
        self.requests.append(request)
        reply = self._next(request)
        if isinstance(reply, ModelError):
            raise reply
        return Completion(text=reply, model="scripted") if isinstance(reply, str) else reply


def _from_list(replies: Iterable[Reply]) -> ReplyFunction:
    left = iter(replies)
    over = ModelError("the scripted model has no reply left; give it one for every request")
    return lambda _: next(left, over)
