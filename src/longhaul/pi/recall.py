"""Recall: queries about sessions, answered from all that their paths ever held."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath

from longhaul.compaction.recall.answer import (
    PAGE_HITS,
    Answer,
    answer_around,
    answer_hits,
    answer_nothing,
)
from longhaul.compaction.recall.documents import Kind
from longhaul.compaction.recall.query import Query, Turns, parse_queries
from longhaul.compaction.recall.search import find_hits
from longhaul.compaction.recall.view import View, view_path
from longhaul.compaction.render.quoting import quoted
from longhaul.compaction.statements import ASK_TOOLS
from longhaul.pi.recall_texts import INDEX_ERRORS, SearchedTexts, load_texts
from longhaul.pi.sessions import Session
from longhaul.transcript.entries import Path

_ECHO_CHARS = 60
_WIDER_HINT = "Search all of them, or try fewer or other words."


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """What is asked of recall."""

    text: str = ""
    """Words, `"an exact string"`, `u7`; may be empty with `around`, `turns` or `kind`."""
    page: int = 1
    limit: int = PAGE_HITS
    around: str = ""
    """The id of an entry whose surroundings are asked for; empty for none."""
    turns: Turns | None = None
    kind: Kind | None = None
    closed_only: bool = True
    """Whether what the context still shows is left out."""
    ask_tools: tuple[str, ...] = ASK_TOOLS
    """Tools whose outputs hold the user's own words."""


class Recaller:
    """Answers queries about one session after the other; what it read of the last one it keeps."""

    def __init__(self, cache_dir: FilePath | None) -> None:
        """Start without a session; indexes are kept in `cache_dir`, in memory where it is None."""
        self._cache_dir = cache_dir
        self.note = ""
        """Why the index of the last session is not kept on disk, in a line; empty where it is."""
        self._texts: SearchedTexts | None = None
        self._view: tuple[object, View] | None = None

    def recall(self, session: Session, path: Path, request: RecallRequest) -> Answer:
        """Return what `request` finds on `path`, a path of `session`."""
        try:
            return self._recall(session, path, request)
        except INDEX_ERRORS as error:
            # Only in use an index may turn out damaged, or another process have it.
            self._load(session, request, error)
            return self._recall(session, path, request)

    def close(self) -> None:
        """Forget the session."""
        if self._texts is not None:
            self._texts.index.close()
        self._texts = self._view = None

    def _recall(self, session: Session, path: Path, request: RecallRequest) -> Answer:
        texts = self._texts
        if texts is not None and texts.holds(session, request.ask_tools):
            texts.take(session)
        else:
            texts = self._load(session, request)
        key = (len(texts.corpus), len(path), path[-1] if path else None, request.closed_only)
        if self._view is None or self._view[0] != key:
            self._view = key, view_path(texts.corpus, path, closed_only=request.closed_only)
        return _answer(texts, self._view[1], request)

    def _load(
        self, session: Session, request: RecallRequest, failure: Exception | None = None
    ) -> SearchedTexts:
        self.close()
        texts, self.note = load_texts(session, self._cache_dir, request.ask_tools, failure)
        self._texts = texts
        return texts


def _answer(texts: SearchedTexts, view: View, request: RecallRequest) -> Answer:
    queries = list(parse_queries(request.text, turns=request.turns, kind=request.kind))
    if request.around:
        query = queries[0] if queries else Query(text="")
        return answer_around(texts.corpus, view, query, request.around, page=request.page)
    return _search(texts, view, queries, request)


def _search(
    texts: SearchedTexts, view: View, queries: Sequence[Query], request: RecallRequest
) -> Answer:
    page, limit = request.page, request.limit
    for query in queries:
        found = find_hits(texts.corpus, view, query, texts.index)
        if found.hits:
            return answer_hits(texts.corpus, view, query, found, page=page, limit=limit)
    entry_id = request.text.strip().strip("[]")
    if entry_id in view.places:
        return answer_around(texts.corpus, view, Query(text=""), entry_id, page=page)
    return _nothing(view, request)


def _nothing(view: View, request: RecallRequest) -> Answer:
    """Return that nothing was found, and where a kind or turns narrowed the search, that too."""
    asked = quoted(request.text, _ECHO_CHARS) if request.text.strip() else "nothing was asked"
    kind, turns = request.kind, request.turns
    if kind is None and turns is None:
        return answer_nothing(view, asked)
    of_kind = f" of kind {kind}" if kind else ""
    in_turns = f" in turns u{turns.first}-u{turns.last}" if turns else ""
    only = f"only texts{of_kind}{in_turns} were searched"
    return answer_nothing(view, f"{asked} ({only})" if request.text.strip() else only, _WIDER_HINT)
