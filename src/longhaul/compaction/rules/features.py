"""The features of a sentence within its message, in groups that a model weighs differently.

A feature is a string; which of them a sentence shows is all that the model sees of it. The classes
and cues of a reading carry most of the weight, words and letters the rest. What stands around a
sentence matters as much: a rule inside a task is told from the task by its neighbours.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from longhaul.compaction.rules.reading import Reading
from longhaul.compaction.rules.sentences import Sentence

_MAX_ORDERED = 24
_GRAM_CHARS = 5
_STARTERS = frozenset(("and", "but", "so", "then"))
_ASKING = ("?", "？")  # noqa: RUF001 - what questions end with
_ENDS = "?？:：!。."  # noqa: RUF001 - what sentences end with


@dataclass(frozen=True, slots=True)
class Group:
    """Features that share a scale: the larger, the less a model must strain to use them."""

    scale: float
    names: Collection[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message as its features see it: sentences and their readings, in order."""

    length: int
    """In characters, pasted parts included."""
    lines: bool
    """Whether it has more than one line."""
    sentences: Sequence[Sentence]
    readings: Sequence[Reading]


def sentence_features(message: Message, at: int) -> Iterator[Group]:
    """Yield the features of the sentence at index `at` of a message."""
    reading = message.readings[at]
    places = _places(message, at)
    asks = ["q?"] if reading.text.endswith(_ASKING) else []
    yield Group(4.0, [f"x:{cue}" for cue in reading.cues])
    yield Group(3.0, [f"k:{name}" for name in reading.classes])
    yield Group(3.0, [f"e:{reading.text[-1:]}"] if reading.text[-1:] in _ENDS else [])
    yield Group(2.0, [*_pairs("xp", [*reading.cues, *asks]), *asks, *_clause_starts(reading)])
    yield Group(1.5, [*_pairs("p", reading.classes), *_in_order(reading)])
    yield Group(1.5, [f"w:{word}" for word in set(reading.words)])
    yield Group(2.0, _header(message, at))
    yield Group(1.0, _sequences(reading))
    yield Group(1.0, _letters(reading))
    yield Group(1.0, [*_form(message.sentences[at], reading), *places, *_around(message, at)])
    names = [*reading.classes, *(f"x:{cue}" for cue in reading.cues)]
    yield Group(1.0, [f"{place}&{name}" for place in places for name in names])


def _pairs(name: str, items: Sequence[str]) -> list[str]:
    return [f"{name}:{a} {b}" for at, a in enumerate(items) for b in items[at + 1 :]]


def _in_order(reading: Reading) -> list[str]:
    known = [tag for tag in reading.tags if tag[0].isalpha()][:_MAX_ORDERED]
    pairs = {(a, b) for at, a in enumerate(known) for b in known[at + 1 :]}
    return [f"o:{a}>{b}" for a, b in pairs]


def _sequences(reading: Reading) -> set[str]:
    tags, words = ("^", *reading.tags, "$"), ("^", *reading.words, "$")
    return {
        *_grams("t2", tags, 2),
        *_grams("t3", tags, 3),
        *_grams("t4", tags, 4),
        *_grams("b", words, 2),
        *(f"s:{a} {b}" for a, b in zip(words[1:-1], words[3:-1], strict=False)),
    }


def _grams(name: str, items: Sequence[str], length: int) -> list[str]:
    return [f"{name}:{' '.join(items[at : at + length])}" for at in range(len(items) - length + 1)]


def _clause_starts(reading: Reading) -> set[str]:
    found: set[str] = set()
    starts = True
    tags = (*reading.tags, "$")
    for at, word in enumerate(reading.words):
        if starts and word[0].isalpha():
            found |= {f"i:{tags[at]}", f"j:{tags[at]} {tags[at + 1]}", f"l:{word}"}
            starts = tags[at] in ("please", "ack")
        elif word in ",;:—–" or word in _STARTERS:
            starts = True
    return found


def _letters(reading: Reading) -> set[str]:
    text = reading.text
    if reading.spaceless:
        return {f"c:{text[at : at + n]}" for n in (1, 2, 3) for at in range(len(text) - n + 1)}
    padded = [f"<{word}>" for word in set(text.split())]
    return {f"c:{word[at : at + _GRAM_CHARS]}" for word in padded for at in range(len(word) - 4)}


def _form(sentence: Sentence, reading: Reading) -> list[str]:
    n_words = len(reading.words)
    found = [f"n:{n_words if n_words < 4 else min(9, 2 + n_words.bit_length())}"]  # noqa: PLR2004 - short ones one by one
    if "(" in reading.text:
        found.append("m:paren")
    if sentence.text[:1].isupper():
        found.append("m:upper")
    if sentence.list_item:
        found.append("li")
    return found


def _places(message: Message, at: int) -> list[str]:
    """Return where the sentence stands, and how much of its message it is."""
    n_sentences, sentence = len(message.sentences), message.sentences[at]
    length = len(sentence.text)
    found = [
        f"mlen:{(message.length + 1).bit_length()}",
        f"slen:{(length + 1).bit_length()}",
        f"share:{4 * length // max(1, message.length)}",
    ]
    if n_sentences == 1:
        found.append("single")
    if at == 0:
        found.append("first")
    if at == n_sentences - 1:
        found.append("last")
    return found


def _around(message: Message, at: int) -> list[str]:
    sentences = message.sentences
    n_asking = sum(reading.text.endswith(_ASKING) for reading in message.readings)
    found = [
        f"pos:{min(at, 3)}",
        f"posend:{min(len(sentences) - 1 - at, 3)}",
        f"nsent:{min(len(sentences), 9).bit_length()}",
        f"q:{min(2, n_asking)}",
        *_neighbour("<", message, at - 1),
        *_neighbour(">", message, at + 1),
        *_paragraph(sentences, at),
    ]
    return [*found, "nl"] if message.lines else found


def _header(message: Message, at: int) -> list[str]:
    """Return what the sentence above a list says of the item at index `at`."""
    sentences = message.sentences
    if not sentences[at].list_item:
        return []
    above = (index for index in range(at - 1, -1, -1) if not sentences[index].list_item)
    index = next(above, None)
    if index is None:
        return ["h:none"]
    reading = message.readings[index]
    return [*(f"h:{name}" for name in reading.classes), *(f"h:x:{cue}" for cue in reading.cues)]


def _paragraph(sentences: Sequence[Sentence], at: int) -> list[str]:
    own, first, last = (sentences[index].paragraph for index in (at, 0, -1))
    found = []
    if own != first:
        found.append("laterpara")
        if own == last:
            found.append("lastpara")
    beside = [
        sentences[index].paragraph for index in (at - 1, at + 1) if 0 <= index < len(sentences)
    ]
    return found if own in beside else [*found, "alonepara"]


def _neighbour(side: str, message: Message, at: int) -> list[str]:
    if not 0 <= at < len(message.sentences):
        return [f"{side}none"]
    reading = message.readings[at]
    first = reading.words[0] if reading.words else ""
    return [
        *(f"{side}{name}" for name in reading.classes),
        f"{side}e:{reading.text[-1:]}",
        f"{side}t:{' '.join(reading.tags[:2])}",
        f"{side}t:{reading.tags[0] if reading.tags else ''}",
        f"{side}w:{first}",
    ]
