"""The `recall` method of `serve`: what is asked of it, and what it answers."""

from collections.abc import Mapping

from longhaul.compaction.recall.answer import Answer
from longhaul.pi.protocol import INVALID_PARAMS, Params, ProtocolError
from longhaul.pi.recall import RecallRequest
from longhaul.transcript.entries import JsonValue

_MOST_CHARS = 2000
"""Of a query; a longer one was not meant as one."""


def parse_recall(params: Params) -> RecallRequest:
    """Return what a request asks: `query`, and where they are given `page` and `around`.

    Raises:
        ProtocolError: a field is missing or of another type; the message names it.
    """
    page = params.get("page") or 1
    if isinstance(page, bool) or not isinstance(page, int | float):
        raise ProtocolError(INVALID_PARAMS, f"page: expected number, got {type(page).__name__}")
    return RecallRequest(
        text=_text(params, "query")[:_MOST_CHARS],
        page=int(page),
        around=_text(params, "around") if params.get("around") is not None else "",
    )


def recall_result(answer: Answer, note: str) -> Mapping[str, JsonValue]:
    """Return what the extension passes on; a note on how the search was made ends the text."""
    return {"text": f"{answer.text}\n({note})" if note else answer.text, "nHits": answer.n_hits}


def _text(params: Params, name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        kind = type(value).__name__
        raise ProtocolError(INVALID_PARAMS, f"{name}: expected str, got {kind}")
    return value
