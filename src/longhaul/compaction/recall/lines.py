"""The distinct lines of many texts, with the documents that hold them, secrets taken out.

Tools print the same lines again and again. Each is tokenized and judged once, which is what makes
an index of a long session fast to build. Lines that only one document holds are one row of the
index, each of the others is one of its own.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from longhaul.compaction.recall.safe_lines import find_unsafe
from longhaul.compaction.recall.words import has_word
from longhaul.compaction.secrets import mask_secrets

_MAX_LINES = 150_000
_MAX_CHARS = 200_000_000
"""Of distinct lines, and of texts, in one batch: what memory holds while lines are gathered."""

_Holders = dict[str, list[int]]
"""Lines with their documents; one that holds a line twice may be named twice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The rows of documents that follow each other."""

    first_document: int
    n_documents: int
    rows: tuple[str, ...]
    """One line or several, with a word in each row, as they stand once secrets are masked."""
    offsets: "array[int]"
    """Where the documents of each row begin in `documents`, and behind the last where they end."""
    documents: "array[int]"
    masked: Mapping[int, str]
    """Documents that hold a secret, with their masked text."""


def gather_lines(texts: Sequence[str], first: int) -> Iterator[Batch]:
    """Yield batches of the lines of `texts[first:]`; a document is the number of a text."""
    while first < len(texts):
        holders, end = _gather(texts, first)
        masked = _mask(holders, texts)
        yield _batch(holders, masked, first, end)
        first = end


def _gather(texts: Sequence[str], first: int) -> tuple[_Holders, int]:
    """Return the distinct lines from document `first` on, and at which document they ended."""
    holders: defaultdict[str, list[int]] = defaultdict(list)
    # A loop over a million lines, in which each name that is looked up counts.
    holding = holders.__getitem__
    n_chars = 0
    for document in range(first, len(texts)):
        text = texts[document]
        for known in map(holding, text.split("\n")):
            known.append(document)
        n_chars += len(text)
        if len(holders) > _MAX_LINES or n_chars > _MAX_CHARS:
            return holders, document + 1
    return holders, len(texts)


def _mask(holders: _Holders, texts: Sequence[str]) -> dict[int, str]:
    """Put masked lines in place of those with a secret; return the documents that held one."""
    doubtful: set[int] = set()
    for line in find_unsafe(holders):
        doubtful.update(holders[line])
    masked = {document: mask_secrets(texts[document]) for document in sorted(doubtful)}
    changed = {document: text for document, text in masked.items() if text != texts[document]}
    _move(holders, {document: (texts[document], text) for document, text in changed.items()})
    return changed


def _move(holders: _Holders, changed: Mapping[int, tuple[str, str]]) -> None:
    """Let documents hold the lines of their second text instead of those of the first."""
    left: defaultdict[str, set[int]] = defaultdict(set)
    gained: defaultdict[str, list[int]] = defaultdict(list)
    for document, versions in changed.items():
        before, after = (set(text.split("\n")) for text in versions)
        for line in before - after:
            left[line].add(document)
        for line in after - before:
            gained[line].append(document)
    for line, documents in left.items():
        holders[line] = [document for document in holders[line] if document not in documents]
    for line, listed in gained.items():
        holders[line] = [*holders.get(line, ()), *listed]


def _batch(holders: _Holders, masked: Mapping[int, str], first: int, end: int) -> Batch:
    own: defaultdict[int, list[str]] = defaultdict(list)
    held: list[tuple[str, list[int]]] = []
    for line, known in holders.items():
        if len(known) == 1:
            own[known[0]].append(line)
        elif known and has_word(line):
            held.append((line, known))
    own_rows = ((document, "\n".join(lines)) for document, lines in own.items())
    held += [(row, [document]) for document, row in own_rows if has_word(row)]
    ends = accumulate(len(known) for _, known in held)
    return Batch(
        first_document=first,
        n_documents=end - first,
        rows=tuple(row for row, _ in held),
        offsets=array("I", (0, *ends)),
        documents=array("I", chain.from_iterable(known for _, known in held)),
        masked=masked,
    )


class Postings:
    """The documents of numbered rows, over all batches so far."""

    def __init__(self) -> None:
        """Start without rows."""
        self._offsets = array("Q", [0])
        self._documents = array("I")

    def __len__(self) -> int:
        """Return the number of rows; the next one gets it as its number."""
        return len(self._offsets) - 1

    def add(self, offsets: "array[int]", documents: "array[int]") -> None:
        """Add the rows of a batch."""
        base = len(self._documents)
        self._offsets.extend(base + offset for offset in offsets[1:])
        self._documents.extend(documents)

    def documents_of(self, rows: Iterable[int]) -> set[int]:
        """Return the documents that hold any of `rows`.

        Raises:
            IndexError: there is no row of such a number.
        """
        offsets, documents = self._offsets, self._documents
        found: set[int] = set()
        for row in rows:
            found.update(documents[offsets[row] : offsets[row + 1]])
        return found
