"""A live model that does the work of a session, asked as every model of the package's is."""

from longhaul.compaction.compact import Model
from longhaul.pi.chat import ChatRequest, Reply, build_reply
from longhaul.pi.tool_prompt import build_request, parse_reply


class LiveModel:
    """Answers a session's requests with a model of the package's."""

    def __init__(self, model: Model) -> None:
        """Ask `model` for every assistant message."""
        self._model = model
        self._n_replies = 0

    def answer(self, request: ChatRequest) -> Reply:
        """Return the model's reply; one without the form that it was asked for is all text.

        Raises:
            ModelError: the model gave none.
        """
        self._n_replies += 1
        completion = self._model.complete(build_request(request))
        text, calls = parse_reply(completion.text, number=self._n_replies)
        return build_reply(completion, text, calls)
