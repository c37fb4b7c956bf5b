"""How much a sentence looks like a standing rule: a linear model over hashed features.

`tools/train_rules.py` writes `model_data.py`: the header below, then one signed byte for each hash
of a feature, compressed.
"""

import base64
import math
import struct
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from longhaul.compaction.rules.features import Message, sentence_features
from longhaul.compaction.rules.reading import read_sentence
from longhaul.compaction.rules.sentences import Sentence

HEADER = struct.Struct("<4sIffff")
"""Magic, number of weights (a power of two), then the four numbers of `Model`."""
MAGIC = b"LHR1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A linear model whose weights are bytes."""

    weights: Sequence[int]
    step: float
    """What one unit of a weight counts."""
    bias: float
    sure: float
    """Log odds above which a sentence is a rule."""
    sibling: float
    """The same for a sentence of a message that holds a sure rule already."""


def parse_model(data: str) -> Model:
    """Return the model that `data` holds.

    Raises:
        ValueError: `data` is no model, or of another size than it says.
    """
    packed = zlib.decompress(base64.b64decode(data))
    magic, n_weights, step, bias, sure, sibling = HEADER.unpack_from(packed)
    weights = array("b", packed[HEADER.size :])
    if magic != MAGIC or len(weights) != n_weights:
        raise ValueError("not a model of this version")
    return Model(weights=weights, step=step, bias=bias, sure=sure, sibling=sibling)


def dump_model(model: Model) -> str:
    """Return the text that `parse_model` reads."""
    numbers = (model.step, model.bias, model.sure, model.sibling)
    header = HEADER.pack(MAGIC, len(model.weights), *numbers)
    return base64.b64encode(zlib.compress(header + array("b", model.weights).tobytes(), 9)).decode()


def read_message(text: str, sentences: Sequence[Sentence]) -> Message:
    """Return the sentences of a message, read for their features."""
    return Message(
        length=len(text),
        lines="\n" in text,
        sentences=sentences,
        readings=tuple(read_sentence(sentence.text) for sentence in sentences),
    )


def score_sentences(message: Message, model: Model) -> tuple[float, ...]:
    """Return the log odds of each sentence of the message that it gives a rule."""
    return tuple(_score(message, at, model) for at in range(len(message.sentences)))


def odds_to_probability(log_odds: float) -> float:
    """Return the probability that belongs to log odds, 0 to 1."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, log_odds))))


def _score(message: Message, at: int, model: Model) -> float:
    total = sum(
        group.scale * sum(map(model.weights.__getitem__, _buckets(group.names, model)))
        for group in sentence_features(message, at)
    )
    return model.bias + model.step * total


def _buckets(names: Iterable[str], model: Model) -> Iterator[int]:
    """Return where the weight of each feature stands; one name may share a place with others."""
    mask = len(model.weights) - 1
    return map(mask.__and__, map(zlib.crc32, map(str.encode, names)))
