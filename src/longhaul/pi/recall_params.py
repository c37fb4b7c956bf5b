"""The `recall` method of `serve`: what is asked of it, and what it answers."""

from collections.abc import Mapping

from longhaul.compaction.recall.answer import Answer
from longhaul.pi.fields import parse_number, parse_text
from longhaul.pi.protocol import Params
from longhaul.pi.recall import RecallRequest
from longhaul.transcript.entries import JsonValue

_MAX_QUERY_CHARS = 2000
"""A longer text was not meant as a query."""


def parse_recall(params: Params) -> RecallRequest:
    """Return what a request asks: `query`, and where they are given `page` and `around`.

    Raises:
        ProtocolError: a field is missing or of another type; the message names it.
    """
    return RecallRequest(
        text=parse_text(params, "query")[:_MAX_QUERY_CHARS],
        page=int(parse_number(params, "page")) if params.get("page") else 1,
        around=parse_text(params, "around") if params.get("around") is not None else "",
    )


def recall_result(answer: Answer, note: str) -> Mapping[str, JsonValue]:
    """Return what the extension passes on; a note on how the search was made ends the text."""
    return {"text": f"{answer.text}\n({note})" if note else answer.text, "nHits": answer.n_hits}
