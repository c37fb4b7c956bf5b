from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.errors import ModelError
from longhaul.models.specs import (
    PROVIDER_NAMES,
    BatchSpec,
    LocalSpec,
    ProviderSpec,
    parse_spec,
)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("openai/gpt-5.2", ("openai", "gpt-5.2", None)),
        ("openai/gpt-5.2:high", ("openai", "gpt-5.2", "high")),
        ("anthropic/claude-opus-5:off", ("anthropic", "claude-opus-5", "off")),
        ("ollama/qwen2.5-coder:7b", ("ollama", "qwen2.5-coder:7b", None)),
        ("ollama/qwen2.5-coder:7b:minimal", ("ollama", "qwen2.5-coder:7b", "minimal")),
        ("openai-compatible/qwen/qwen3-coder", ("openai-compatible", "qwen/qwen3-coder", None)),
        ("llama.cpp/default", ("llama.cpp", "default", None)),
        ("vllm/Qwen/Qwen3-8B@main", ("vllm", "Qwen/Qwen3-8B@main", None)),
        ("google/high", ("google", "high", None)),
        ("google/g:High", ("google", "g:High", None)),
    ],
)
def test_a_provider_and_a_model_may_be_followed_by_a_thinking_level(
    text: str, spec: tuple[str, str, str | None]
) -> None:
    parsed = parse_spec(text)
    assert isinstance(parsed, ProviderSpec)
    assert (parsed.provider, parsed.model_id, parsed.thinking) == spec


def test_a_local_model_is_a_path_or_the_one_that_comes_as_a_package() -> None:
    assert parse_spec("local:/models/a b.gguf") == LocalSpec(Path("/models/a b.gguf"))
    assert parse_spec("local:~/m.gguf") == LocalSpec(Path.home() / "m.gguf")
    assert parse_spec("local:m.gguf") == LocalSpec(Path.cwd() / "m.gguf")
    assert parse_spec("local:smollm2") == LocalSpec(None)


def test_a_batch_folder_may_say_how_long_to_wait() -> None:
    assert parse_spec("batch:/runs/a") == BatchSpec(Path("/runs/a"), 0.0)
    assert parse_spec("batch:/runs/a?wait=1.5") == BatchSpec(Path("/runs/a"), 1.5)
    assert parse_spec("batch:C:/x?wait=60") == BatchSpec(Path.cwd() / "C:/x", 60.0)


@pytest.mark.parametrize(
    "text",
    [
        *("", "gpt-5.2", "mistral/m", "openai", "openai/", "openai/ ", "openai/a b", "/x"),
        *("local:", "batch:", "batch:/a?wait=", "batch:/a?wait=-1", "batch:/a?x=1"),
        *("OpenAI/gpt", "openai/gpt\n", "openai/gpt?x", "batch:/a?wait=" + "9" * 400),
        "local:~nobody-of-this-name/m.gguf",
    ],
)
def test_what_is_of_no_known_form_is_said_in_one_line(text: str) -> None:
    with pytest.raises(ModelError, match=r"^.+\Z"):
        parse_spec(text)


def test_what_is_named_wrongly_is_told_the_forms_that_there_are() -> None:
    with pytest.raises(ModelError) as caught:
        parse_spec("gpt-5.2")
    assert str(caught.value) == (
        "no model is named 'gpt-5.2'; use provider/model-id with a provider of openai, anthropic,"
        " google, openai-compatible, ollama, llama.cpp, vllm, or local:FILE.gguf,"
        " local:smollm2, batch:FOLDER or batch:FOLDER?wait=SECONDS"
    )


def find_problem(text: str) -> str | None:
    try:
        parse_spec(text)
    except ModelError as error:
        return str(error)
    return None


@given(st.text(max_size=200))
def test_any_text_is_a_spec_or_an_error_of_one_printable_line(text: str) -> None:
    problem = find_problem(text)
    assert problem is None or problem.isprintable()


@given(
    st.sampled_from(PROVIDER_NAMES),
    st.from_regex(r"[A-Za-z0-9][A-Za-z0-9./:-]{0,20}", fullmatch=True),
)
def test_an_id_with_a_level_appended_is_the_same_id(provider: str, model_id: str) -> None:
    parsed = parse_spec(f"{provider}/{model_id}:low")
    assert isinstance(parsed, ProviderSpec)
    assert (parsed.provider, parsed.model_id, parsed.thinking) == (provider, model_id, "low")
