import json

import pytest

from longhaul.compaction.completion import CompletionRequest, PromptMessage
from longhaul.models import open_model
from tests.models.asking import ANIMALS, animals
from tests.models.larger import QWEN, QWEN_SMALL, find_larger

pytestmark = [
    pytest.mark.model,
    # What it skips without is said where the small model is tested.
    pytest.mark.usefixtures("runtime"),
]
AMPLE_S = 1_800


@pytest.fixture
def runtime() -> None:
    pytest.importorskip("xllamacpp", reason="no wheel of xllamacpp for this machine")


@pytest.mark.parametrize("name", [QWEN_SMALL, QWEN])
def test_a_larger_model_answers_by_the_schema(name: str) -> None:
    model = open_model(f"local:{find_larger(name)}", timeout_s=AMPLE_S, environment={})
    reply = model.complete(animals())
    assert (reply.stop_reason, reply.model) == ("stop", f"local/{name}")
    assert set(json.loads(reply.text)) == {"animals"}


def test_a_window_larger_than_the_smallest_models_is_used() -> None:
    model = open_model(f"local:{find_larger(QWEN_SMALL)}", timeout_s=AMPLE_S, environment={})
    text = "Name two animals. " + "The weather is fine. " * 1_800
    messages = (PromptMessage("user", text),)
    reply = model.complete(
        CompletionRequest(messages=messages, schema=ANIMALS, max_output_tokens=60)
    )
    assert reply.tokens_in is not None
    assert reply.tokens_in > 8_192
    assert set(json.loads(reply.text)) == {"animals"}
