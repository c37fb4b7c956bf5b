"""Which documents an answer may quote: those of one path, and of it what is asked for."""

from dataclasses import dataclass

from longhaul.compaction.recall.documents import Corpus
from longhaul.compaction.statements import with_turns
from longhaul.transcript.entries import ContextEditEntry, Path
from longhaul.transcript.projection import select_context


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The documents of a path."""

    turns: dict[int, int]
    """By document, in the path's order; 7 for `u7`, 0 before the first message of the user."""
    members: frozenset[int]
    """The same documents, without order."""
    places: dict[str, int]
    """The first document of each entry that has any, by the entry's id."""
    is_closed: bool
    """True where what the context still shows is left out."""


def view_path(corpus: Corpus, path: Path, *, closed_only: bool) -> View:
    """Return the documents of `path`, whose entries are all in `corpus`.

    With `closed_only`, without those of entries that the context still shows as they are: on a path
    that was never compacted or edited that leaves nothing.
    """
    shown = _shown_lines(path) if closed_only else frozenset[int]()
    turns: dict[int, int] = {}
    places: dict[str, int] = {}
    for entry, turn in with_turns(path):
        if entry.line in shown:
            continue
        documents = corpus.documents_of(entry)
        if documents:
            places[entry.id] = documents[0]
        for document in documents:
            turns[document] = turn
    return View(turns=turns, members=frozenset(turns), places=places, is_closed=closed_only)


def _shown_lines(path: Path) -> frozenset[int]:
    """Return the lines of the entries that the context shows unedited."""
    shown = select_context(path)
    edited = {entry.target_id for entry in shown if isinstance(entry, ContextEditEntry)}
    return frozenset(entry.line for entry in shown if entry.id not in edited)
