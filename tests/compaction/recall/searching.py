"""Searches of a built path, without a file."""

from collections.abc import Sequence

from longhaul.compaction.recall.answer import Answer, answer_around, answer_hits, answer_nothing
from longhaul.compaction.recall.documents import Corpus, Kind
from longhaul.compaction.recall.query import Turns, parse_queries
from longhaul.compaction.recall.scanning import ScanIndex
from longhaul.compaction.recall.search import find_hits
from longhaul.compaction.recall.view import view_path
from longhaul.compaction.render.quoting import quoted
from longhaul.transcript.entries import Entry, Path


def ask(  # noqa: PLR0913 - what recall may be asked, with defaults
    path: Path,
    text: str,
    *,
    entries: Sequence[Entry] = (),
    closed: bool = False,
    around: str = "",
    page: int = 1,
    limit: int = 8,
    turns: Turns | None = None,
    kind: Kind | None = None,
) -> Answer:
    """Return what recall answers about `path`, in a session that holds `entries` too."""
    corpus, index = Corpus(), ScanIndex()
    corpus.add((*path, *entries))
    index.update(corpus)
    view = view_path(corpus, path, closed_only=closed)
    for query in parse_queries(text, turns=turns, kind=kind):
        if around:
            return answer_around(corpus, view, query, around, page=page)
        found = find_hits(corpus, view, query, index)
        if found.hits:
            return answer_hits(corpus, view, query, found, page=page, limit=limit)
    return answer_nothing(view, quoted(text))


def found(path: Path, text: str, *, closed: bool = False) -> list[str]:
    """Return the entries of the first hits, best first."""
    return [one.entry_id for one in ask(path, text, limit=100, closed=closed).shown]
