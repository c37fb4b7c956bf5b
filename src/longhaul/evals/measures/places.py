"""Where on a path the values and names stand that its compactions ask for."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from longhaul.compaction.recall.documents import entry_parts
from longhaul.compaction.secrets import mask_secrets
from longhaul.evals.due import Cut
from longhaul.evals.measures.entry_texts import entry_texts
from longhaul.evals.measures.file_names import names_exactly
from longhaul.evals.measures.value_tokens import find_tokens
from longhaul.transcript.entries import Entry, Path

_BESIDE_CHARS = 300
"""So much on either side of a value is looked at to see whether it is a secret."""


@dataclass(frozen=True, slots=True)
class _Held:
    """Which of the values that are asked for one entry holds."""

    said: frozenset[str]
    shown: frozenset[str]
    """Anywhere but in reasoning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where what is asked for stands, by indices of a path."""

    printed: Mapping[str, int]
    """The entry whose output first shows a value, where nobody said it before, and it is no secret.
    That a tool was given it before does not count: what it is then was not seen."""
    held: tuple[_Held, ...]
    """By entry."""
    closed: Mapping[str, int]
    """The entry that first holds a name, among those where recall looks."""

    def is_new_in(self, value: str, cut: Cut) -> bool:
        """Return whether the span is the first to show a value, printed, and none is in view."""
        first = self.printed.get(value)
        if first is None or not cut.start <= first < cut.end:
            return False
        return not any(value in held.shown for held in self.held[cut.end : cut.index])

    def is_said_in(self, value: str, cut: Cut) -> bool:
        """Return whether the user or the assistant says a value in the span."""
        return any(value in held.said for held in self.held[cut.start : cut.end])

    def is_closed_at(self, name: str, cut: Cut) -> bool:
        """Return whether an entry before the cut holds a name as it is, not within a longer one."""
        first = self.closed.get(name)
        return first is not None and first < cut.end


def read_places(path: Path, *, values: Collection[str], names: Collection[str]) -> Places:
    """Return where `values` and `names` stand on a path."""
    parts = {name: frozenset(find_tokens(name)) for name in names}
    asked = frozenset(values).union(*parts.values())
    held: list[_Held] = []
    first: dict[str, tuple[int, bool]] = {}
    holders: defaultdict[str, set[int]] = defaultdict(set)
    for index, entry in enumerate(path):
        texts = entry_texts(entry)
        said, told = _among(asked, texts.said), _among(asked, texts.told)
        printed, called = _among(asked, texts.printed), _among(asked, texts.called)
        for token in said | told | printed:
            first.setdefault(token, (index, token in printed))
        for token in said | told | printed | called | _among(asked, texts.thought):
            holders[token].add(index)
        held.append(_Held(said, said | told | printed | called))
    return Places(
        printed=dict(_printed(path, values, first)),
        held=tuple(held),
        closed=dict(_closed(path, parts, holders)),
    )


def _among(asked: frozenset[str], texts: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*(asked.intersection(find_tokens(text)) for text in texts))


def _printed(
    path: Path, values: Iterable[str], first: Mapping[str, tuple[int, bool]]
) -> Iterator[tuple[str, int]]:
    for value in values:
        index, is_printed = first.get(value, (0, False))
        if is_printed and not _is_secret(entry_texts(path[index]).printed, value):
            yield value, index


def _is_secret(texts: Iterable[str], value: str) -> bool:
    """Return whether a value is, or is part of, what no compactor may keep."""
    text = next(text for text in texts if value in text)
    at = text.find(value)
    beside = text[max(0, at - _BESIDE_CHARS) : at + len(value) + _BESIDE_CHARS]
    return value not in mask_secrets(beside)


def _closed(
    path: Path, parts: Mapping[str, frozenset[str]], holders: Mapping[str, set[int]]
) -> Iterator[tuple[str, int]]:
    """Yield each name with the first entry in which recall's exact search finds it, whole.

    Only an entry that holds every token of a name can hold the name, so that few are searched.
    """
    for name, tokens in parts.items():
        candidates = [holders.get(token, set()) for token in tokens]
        for index in sorted(set[int]().union(*candidates[:1]).intersection(*candidates[1:])):
            if _recall_finds(path[index], name):
                yield name, index
                break


def _recall_finds(entry: Entry, name: str) -> bool:
    return any(
        kind != "summary" and names_exactly(text, name) for kind, text, _ in entry_parts(entry)
    )
