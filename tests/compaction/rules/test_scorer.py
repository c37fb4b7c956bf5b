import base64
import zlib

import pytest

from longhaul.compaction.rules.scorer import (
    Model,
    dump_model,
    odds_to_probability,
    parse_model,
    read_message,
    score_sentences,
)
from longhaul.compaction.rules.sentences import split_sentences

MODEL = Model(weights=[0, 3, -2, 127], step=0.5, bias=-1.0, sure=0.5, sibling=-1.5)


def test_a_model_survives_being_written_and_read() -> None:
    read = parse_model(dump_model(MODEL))
    assert list(read.weights) == [0, 3, -2, 127]
    assert (read.step, read.bias, read.sure, read.sibling) == (0.5, -1.0, 0.5, -1.5)


def test_data_of_another_size_is_refused() -> None:
    packed = zlib.decompress(base64.b64decode(dump_model(MODEL)))
    cut = base64.b64encode(zlib.compress(packed[:-1])).decode()
    with pytest.raises(ValueError, match="not a model"):
        parse_model(cut)


def test_without_weights_every_sentence_has_the_bias() -> None:
    text = "Fix it. Push it."
    message = read_message(text, split_sentences(text))
    empty = Model(weights=[0] * 8, step=1.0, bias=-2.5, sure=0.0, sibling=0.0)
    assert score_sentences(message, empty) == (-2.5, -2.5)


@pytest.mark.parametrize(("odds", "expected"), [(0.0, 0.5), (1e9, 1.0), (-1e9, 0.0)])
def test_odds_become_a_probability_however_large(odds: float, expected: float) -> None:
    assert odds_to_probability(odds) == pytest.approx(expected)
