"""What is known of how a model reasons, from its name."""

import pytest

from longhaul.errors import ModelError
from longhaul.models.reasoning import Reasoning, find_reasoning

KEYS = {
    "OPENAI_API_KEY": "k",
    "ANTHROPIC_API_KEY": "k",
    "GOOGLE_API_KEY": "k",
    "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
}


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("openai/gpt-5.2:low", "reasoning hidden, can be turned off"),
        ("openai/o3", "reasoning hidden, must reason"),
        ("openai/gpt-4o", "unknown"),
        ("anthropic/claude-haiku-4-5", "can be turned off"),
        ("google/gemini-2.5-flash", "can be turned off"),
        ("ollama/deepseek-r1:7b", "must reason"),
        ("llama.cpp/some-model", "unknown"),
        ("batch:folder", "unknown"),
        ("local:smollm2", "does not reason"),
    ],
)
def test_a_models_class_is_what_its_name_tells(spec: str, words: str) -> None:
    assert str(find_reasoning(spec, KEYS)) == words


def test_whether_a_server_of_open_models_hides_reasoning_is_not_known() -> None:
    assert find_reasoning("vllm/deepseek-r1", {}) == Reasoning(control="must reason")
    assert find_reasoning("anthropic/claude-haiku-4-5", KEYS).is_hidden is False


def test_a_missing_key_is_said() -> None:
    with pytest.raises(ModelError, match="set OPENAI_API_KEY"):
        find_reasoning("openai/gpt-5.2", {})
