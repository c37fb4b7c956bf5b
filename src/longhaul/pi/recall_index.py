"""Recall's index of one session in SQLite: the words of its distinct lines.

The file is a cache: it can be deleted at any time, and is made anew where it is missing, damaged,
of another release or of another session. It holds words without their order, never a whole text,
and no secret.
"""

import sqlite3
import zlib
from array import array
from collections.abc import Iterable, Sequence
from importlib import metadata
from pathlib import Path

from longhaul.compaction.recall.documents import Corpus
from longhaul.compaction.recall.lines import Batch, Postings, gather_lines
from longhaul.compaction.recall.words import index_text
from longhaul.compaction.secrets import mask_secrets
from longhaul.errors import CacheError

_FORMAT = 1
"""Raised with every change to the tables or to what stands in them."""
_TABLES = frozenset(("release", "batches", "rows", "rows_data", "rows_idx", "rows_config"))
_SCHEMA = (
    "CREATE TABLE release(name TEXT)",
    "CREATE TABLE batches(number INTEGER PRIMARY KEY, n_documents INTEGER, mark INTEGER,"
    " offsets BLOB, documents BLOB, masked BLOB)",
    "CREATE VIRTUAL TABLE rows USING fts5(words, content='', columnsize=0, detail=none,"
    " tokenize='unicode61 remove_diacritics 2')",
)
_FIND = "SELECT rowid FROM rows WHERE rows MATCH ?"
_MAX_WAIT_S = 2.0
"""How long another process may be writing before this one goes on without the file."""
_MARK_STEP, _MARK_CHARS = 1024, 40
_Row = tuple[object, int, bytes, bytes, bytes]
"""A batch as the file holds it, whoever wrote it."""


class DamagedIndexError(CacheError):
    """An index is not what this release writes for this session: remove it and make it anew."""


class SqliteIndex:
    """Finds rows by words. One thread uses it; other processes may use the same file."""

    def __init__(self, file: Path | None) -> None:
        """Open an index; None makes one in memory.

        Raises:
            DamagedIndexError: the file is another release's, or damaged as far as can be told.
            sqlite3.Error: SQLite cannot open or read it.
        """
        self._connection = sqlite3.connect(
            file or ":memory:", timeout=_MAX_WAIT_S, isolation_level=None
        )
        self._postings = Postings()
        self._n_documents = 0
        self._n_batches = 0
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def update(self, corpus: Corpus) -> None:
        """Take in the documents that `corpus` got, and mask the secrets in it.

        Raises:
            DamagedIndexError: what the file holds is not what `corpus` holds.
            sqlite3.Error: SQLite cannot read or write it.
        """
        self._read_batches(corpus)
        if self._n_documents == len(corpus):
            return
        # The lock comes first: what another process wrote meanwhile is read, not written twice.
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            self._read_batches(corpus)
            for batch in gather_lines(corpus.texts, self._n_documents):
                self._add(corpus, batch)
        except BaseException:
            self._connection.rollback()
            raise
        self._connection.execute("COMMIT")

    def rows_with(self, words: Sequence[str], *, begins: bool = False) -> set[int]:
        """Return the rows that hold all `words`, of any path.

        With `begins` the last may also be the beginning of a word.

        Raises:
            sqlite3.Error: SQLite cannot read the file.
        """
        asked = " AND ".join(f'"{word}"' for word in words) + (" *" if begins else "")
        try:
            rows = self._connection.execute(_FIND, (asked,)).fetchall()
        except sqlite3.OperationalError as error:
            # A word in a script that SQLite does not know is none to it, or several.
            if str(error).startswith("fts5: "):
                return set()
            raise
        return {row for (row,) in rows}

    def documents_of(self, rows: Iterable[int]) -> set[int]:
        """Return the documents that hold any of `rows`.

        Raises:
            DamagedIndexError: the file named a row that is not there.
        """
        try:
            return self._postings.documents_of(rows)
        except IndexError as error:
            raise DamagedIndexError("the index names rows that it does not have") from error

    def _prepare(self) -> None:
        run = self._connection.execute
        for setting in ("synchronous = OFF", "cache_size = -65536", "temp_store = MEMORY"):
            run(f"PRAGMA {setting}")
        if self._tables():
            self._check()
            return
        run("BEGIN IMMEDIATE")
        try:
            if not self._tables():
                for statement in _SCHEMA:
                    run(statement)
                run("INSERT INTO release VALUES (?)", (_release(),))
        finally:
            run("COMMIT")

    def _tables(self) -> set[str]:
        rows = self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {name for (name,) in rows}

    def _check(self) -> None:
        run = self._connection.execute
        if self._tables() != _TABLES:
            raise DamagedIndexError("the index has other tables")
        if run("SELECT name FROM release").fetchall() != [(_release(),)]:
            raise DamagedIndexError("the index is another release's")
        if run("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise DamagedIndexError("the index is damaged")

    def _read_batches(self, corpus: Corpus) -> None:
        rows: list[_Row] = self._connection.execute(
            "SELECT n_documents, mark, offsets, documents, masked FROM batches"
            " WHERE number >= ? ORDER BY number",
            (self._n_batches,),
        ).fetchall()
        for row in rows:
            self._take(corpus, row)

    def _take(self, corpus: Corpus, row: _Row) -> None:
        n_documents, mark, *blobs = row
        if not isinstance(n_documents, int) or n_documents < 1:
            raise DamagedIndexError("the index holds a batch of no texts")
        end = self._n_documents + n_documents
        if end > len(corpus) or mark != _mark(corpus, self._n_documents, end):
            raise DamagedIndexError("the index is another session's")
        offsets, documents, masked = map(_numbers, blobs)
        if max(masked, default=0) >= end or len(offsets) == 0:
            raise DamagedIndexError("the index names texts that are not there")
        self._postings.add(offsets, documents)
        for document in masked:
            corpus.replace(document, mask_secrets(corpus.texts[document]))
        self._n_documents += n_documents
        self._n_batches += 1

    def _add(self, corpus: Corpus, batch: Batch) -> None:
        texts = (_storable(index_text(row)) for row in batch.rows)
        self._connection.executemany(
            "INSERT INTO rows(rowid, words) VALUES (?, ?)", enumerate(texts, len(self._postings))
        )
        blobs = (batch.offsets, batch.documents, array("I", batch.masked))
        mark = _mark(corpus, batch.first_document, batch.first_document + batch.n_documents)
        row = (self._n_batches, batch.n_documents, mark, *(blob.tobytes() for blob in blobs))
        self._connection.execute("INSERT INTO batches VALUES (?, ?, ?, ?, ?, ?)", row)
        self._postings.add(batch.offsets, batch.documents)
        for document, text in batch.masked.items():
            corpus.replace(document, text)
        self._n_documents += batch.n_documents
        self._n_batches += 1


def _release() -> str:
    return f"{_FORMAT} {metadata.version('pi-longhaul')}"


def _mark(corpus: Corpus, first: int, end: int) -> int:
    """Return a number that tells whether documents are still the same, as far as it is cheap.

    It looks at the length and the middle of each text, and at some of the ids.
    """
    mark = end
    for start in range(first, end, _MARK_STEP):
        texts = corpus.texts[start : min(end, start + _MARK_STEP)]
        lengths = array("I", map(len, texts))
        middles = [
            text[length // 3 : length // 3 + _MARK_CHARS]
            for text, length in zip(texts, lengths, strict=True)
        ]
        told = "\n".join((corpus.entries[start].id, *middles))
        mark = zlib.crc32(told.encode("utf-8", "surrogatepass"), mark)
        mark = zlib.crc32(lengths.tobytes(), mark)
    return mark


def _numbers(blob: bytes) -> "array[int]":
    numbers = array("I")
    try:
        numbers.frombytes(blob)
    except (TypeError, ValueError) as error:
        raise DamagedIndexError("the index holds what is no numbers") from error
    return numbers


def _storable(text: str) -> str:
    """Return `text` without lone surrogates, which SQLite cannot hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
