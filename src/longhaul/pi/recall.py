"""Recall over a session that grows: keeps its texts and their index, and answers queries."""

import gc
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Protocol

from longhaul.compaction.recall.answer import (
    PAGE_HITS,
    Answer,
    answer_around,
    answer_hits,
    answer_nothing,
)
from longhaul.compaction.recall.documents import Corpus, Kind
from longhaul.compaction.recall.query import Query, Turns, parse_queries
from longhaul.compaction.recall.scanning import ScanIndex
from longhaul.compaction.recall.search import WordIndex, find_hits
from longhaul.compaction.recall.view import View, view_path
from longhaul.compaction.render.quoting import quoted
from longhaul.compaction.statements import ASK_TOOLS
from longhaul.errors import CacheError
from longhaul.pi.recall_cache import open_index_file, remove_index
from longhaul.pi.recall_index import DamagedIndexError, SqliteIndex
from longhaul.pi.sessions import Session
from longhaul.transcript.entries import Entry, Path


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


class _Index(WordIndex, Protocol):
    def update(self, corpus: Corpus) -> None: ...


class Recaller:
    """Answers queries about one session after the other; what it read of the last one it keeps."""

    def __init__(self, cache_dir: FilePath | None) -> None:
        """Start without a session; indexes are kept in `cache_dir`, in memory where it is None."""
        self._cache_dir = cache_dir
        self.note = ""
        """Why the index is not kept on disk, in a line; empty where it is."""
        self._forget(ASK_TOOLS)

    def recall(self, session: Session, path: Path, request: RecallRequest) -> Answer:
        """Return what `request` finds on `path`, a path of `session`."""
        try:
            self._update(session, request.ask_tools)
            return self._answer(path, request)
        except (DamagedIndexError, sqlite3.Error) as error:
            self._start_over(session, error)
            return self._answer(path, request)

    def _forget(self, ask_tools: tuple[str, ...]) -> None:
        self._ask_tools = ask_tools
        self._corpus = Corpus(ask_tools)
        self._index: _Index | None = None
        self._index_file: FilePath | None = None
        self._session_file: FilePath | None = None
        self._ends: tuple[Entry, ...] = ()
        """The first and the last entry that were taken in."""
        self._n_entries = 0
        self._view: tuple[object, View] | None = None

    def _update(self, session: Session, ask_tools: tuple[str, ...]) -> None:
        if ask_tools != self._ask_tools or not self._continues(session):
            self._close()
            self._forget(ask_tools)
        if self._index is None:
            self._index = self._open(session)
        self._take(session, self._index)

    def _continues(self, session: Session) -> bool:
        """Return whether `session` is the one that was read last, as it was or grown."""
        n_known, entries = self._n_entries, session.entries
        if session.file != self._session_file or n_known > len(entries):
            return False
        known = (entries[0], entries[n_known - 1]) if n_known else ()
        return all(
            one is other or one == other for one, other in zip(known, self._ends, strict=True)
        )

    def _open(self, session: Session) -> _Index:
        self._session_file, self.note = session.file, ""
        if self._cache_dir is None or not session.file.is_absolute():
            return _index_in_memory()
        try:
            self._index_file = open_index_file(self._cache_dir, session.file)
        except CacheError as error:
            self.note = f"searched in memory, no index is kept ({error})"
            return _index_in_memory()
        return SqliteIndex(self._index_file)

    def _take(self, session: Session, index: _Index) -> None:
        entries = session.entries
        with _collector_paused():
            self._corpus.add(entries[self._n_entries :])
            index.update(self._corpus)
        if len(entries) != self._n_entries:
            self._n_entries, self._ends = len(entries), (entries[0], entries[-1])
            self._view = None

    def _start_over(self, session: Session, error: CacheError | sqlite3.Error) -> None:
        """Make the index anew, once; go on in memory where that fails too."""
        file = self._index_file
        self._close()
        self._forget(self._ask_tools)
        try:
            if file is not None and not _is_busy(error):
                remove_index(file)
                self._update(session, self._ask_tools)
                return
        except (CacheError, sqlite3.Error, OSError) as another:
            error = another if isinstance(another, CacheError | sqlite3.Error) else error
            self._close()
            self._forget(self._ask_tools)
        self._session_file, self._index = session.file, _index_in_memory()
        self.note = f"searched in memory, no index is kept ({error})"
        self._take(session, self._index)

    def _close(self) -> None:
        if isinstance(self._index, SqliteIndex):
            self._index.close()

    def _answer(self, path: Path, request: RecallRequest) -> Answer:
        view = self._view_of(path, closed_only=request.closed_only)
        queries = list(parse_queries(request.text, turns=request.turns, kind=request.kind))
        if request.around:
            query = queries[0] if queries else Query(text="")
            return answer_around(self._corpus, view, query, request.around, page=request.page)
        return self._search(view, queries, request)

    def _search(self, view: View, queries: Sequence[Query], request: RecallRequest) -> Answer:
        assert self._index is not None
        for query in queries:
            found = find_hits(self._corpus, view, query, self._index)
            if found.hits:
                page, limit = request.page, request.limit
                return answer_hits(self._corpus, view, query, found, page=page, limit=limit)
        entry_id = request.text.strip().strip("[]")
        if entry_id in view.places:
            query = Query(text="")
            return answer_around(self._corpus, view, query, entry_id, page=request.page)
        return answer_nothing(view, quoted(request.text, 60) if request.text else "nothing asked")

    def _view_of(self, path: Path, *, closed_only: bool) -> View:
        key = (len(path), path[-1] if path else None, closed_only)
        if self._view is None or self._view[0] != key:
            self._view = key, view_path(self._corpus, path, closed_only=closed_only)
        return self._view[1]


def _index_in_memory() -> _Index:
    try:
        return SqliteIndex(None)
    except sqlite3.Error:  # an SQLite that was built without FTS5
        return ScanIndex()


def _is_busy(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep the garbage collector from walking lists that grow and hold no cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
