"""The texts of the session that is searched, and their index, kept up with its file."""

import sqlite3
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Protocol

from longhaul.compaction.recall.documents import Corpus
from longhaul.compaction.recall.scanning import ScanIndex
from longhaul.compaction.recall.search import WordIndex
from longhaul.compaction.white_space import fold_space
from longhaul.errors import CacheError
from longhaul.pi.collector import collector_paused
from longhaul.pi.recall_cache import open_index_file, remove_index
from longhaul.pi.recall_index import SqliteIndex
from longhaul.pi.sessions import Session

if TYPE_CHECKING:
    from longhaul.transcript.entries import Entry

INDEX_ERRORS = (CacheError, sqlite3.Error, UnicodeDecodeError)
"""What a damaged index, a full disk or another process can make of any use of one; the last where
SQLite hands on a damaged name, or names one in an error."""


class Index(WordIndex, Protocol):
    """Finds lines by words, in the texts of a corpus that grows."""

    def update(self, corpus: Corpus) -> None:
        """Take in the documents that `corpus` got, and mask the secrets in it."""

    def close(self) -> None:
        """Let go of what it holds open."""


class SearchedTexts:
    """The texts of one session, secrets masked, and an index of their words."""

    def __init__(self, index: Index, ask_tools: tuple[str, ...]) -> None:
        """Start without texts; `ask_tools` are tools whose outputs hold the user's own words."""
        self.corpus = Corpus(ask_tools)
        self.index = index
        self._ask_tools = ask_tools
        self._file: FilePath | None = None
        self._ends: tuple[Entry, ...] = ()
        """The first and the last entry that were taken in."""
        self._n_entries = 0

    def holds(self, session: Session, ask_tools: tuple[str, ...]) -> bool:
        """Return whether these are the texts of `session`, as it is or as it was before it grew."""
        n_known, entries = self._n_entries, session.entries
        is_same = session.file == self._file and ask_tools == self._ask_tools
        if not is_same or not self._ends or n_known > len(entries):
            return False
        first, last = self._ends
        # A reader that started over gives other objects; of a line without its end it always does.
        return entries[0] is first and entries[n_known - 1] == last

    def take(self, session: Session) -> None:
        """Take in what `session` holds beyond what is known of it.

        Raises:
            CacheError: the index is damaged, or another session's.
            sqlite3.Error: it cannot be read or written.
        """
        entries = session.entries
        with collector_paused():
            self.corpus.add(entries[self._n_entries :])
            self.index.update(self.corpus)
        self._file, self._n_entries = session.file, len(entries)
        self._ends = (entries[0], entries[-1]) if entries else ()


def load_texts(
    session: Session,
    cache_dir: FilePath | None,
    ask_tools: tuple[str, ...],
    failure: Exception | None = None,
) -> tuple[SearchedTexts, str]:
    """Return the texts of a session, indexed in `cache_dir`, and a note.

    An index that is missing, damaged, of another release or of another session is made anew, and so
    is one whose use ended with `failure`. Where that fails too, where another process keeps the
    index busy, and where `cache_dir` is None, it is made in memory. The note says why in a line,
    and is empty where there is nothing to say.
    """
    if cache_dir is None or not session.file.is_absolute():
        return texts_in_memory(session, ask_tools), ""
    try:
        if failure is None:
            file = open_index_file(cache_dir, session.file)
            return _texts_on_disk(session, file, ask_tools), ""
    except INDEX_ERRORS as error:
        failure = error
    try:
        return _texts_anew(session, cache_dir, ask_tools, failure), ""
    except INDEX_ERRORS as error:
        note = f"searched without an index on disk: {fold_space(str(error))}"
        return texts_in_memory(session, ask_tools), note


def _texts_anew(
    session: Session, cache_dir: FilePath, ask_tools: tuple[str, ...], failure: Exception
) -> SearchedTexts:
    if _is_busy(failure):
        raise failure
    file = open_index_file(cache_dir, session.file)
    remove_index(file)
    return _texts_on_disk(session, open_index_file(cache_dir, session.file), ask_tools)


def texts_in_memory(session: Session, ask_tools: tuple[str, ...]) -> SearchedTexts:
    """Return the texts of a session with an index that is kept nowhere."""
    try:
        index: Index = SqliteIndex(None)
    except sqlite3.Error:  # an SQLite that was built without FTS5
        index = ScanIndex()
    texts = SearchedTexts(index, ask_tools)
    texts.take(session)
    return texts


def _texts_on_disk(session: Session, file: FilePath, ask_tools: tuple[str, ...]) -> SearchedTexts:
    texts = SearchedTexts(SqliteIndex(file), ask_tools)
    try:
        texts.take(session)
    except INDEX_ERRORS:
        texts.index.close()
        raise
    return texts


def _is_busy(error: Exception) -> bool:
    """Return whether another process only has the index in use."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
