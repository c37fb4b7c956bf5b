"""Words found by reading every row: what serves where no index can be made."""

from collections.abc import Iterable, Sequence

from longhaul.compaction.recall.documents import Corpus
from longhaul.compaction.recall.lines import Postings, gather_lines
from longhaul.compaction.recall.words import index_text


class ScanIndex:
    """Finds rows by words, in memory alone; a word inside a longer one is found too."""

    def __init__(self) -> None:
        """Start without documents."""
        self._postings = Postings()
        self._rows: list[str] = []
        self._n_documents = 0

    def update(self, corpus: Corpus) -> None:
        """Take in the documents that `corpus` got, and mask the secrets in it."""
        for batch in gather_lines(corpus.texts, self._n_documents):
            self._rows += [index_text(row).lower() for row in batch.rows]
            self._postings.add(batch.offsets, batch.documents)
            for document, text in batch.masked.items():
                corpus.replace(document, text)
        self._n_documents = len(corpus)

    def close(self) -> None:
        """Do nothing: no file is open."""

    def rows_with(self, words: Sequence[str], *, begins: bool = False) -> set[int]:
        """Return the rows that hold all `words`, whole or in others."""
        del begins
        return {
            number for number, row in enumerate(self._rows) if all(word in row for word in words)
        }

    def documents_of(self, rows: Iterable[int]) -> set[int]:
        """Return the documents that hold any of `rows`."""
        return self._postings.documents_of(rows)
