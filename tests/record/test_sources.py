"""Who answers pi: the session's script, or the model of the summaries."""

import pytest

from longhaul.compaction.completion import Completion, CompletionRequest, PromptMessage
from longhaul.errors import ModelError
from longhaul.models.scripted import ScriptedModel
from longhaul.pi.chat import Reply, parse_chat
from longhaul.record.sources import (
    STAND_IN,
    SUMMARY_TOKENS,
    refuse_summary,
    stand_in_summary,
    summarise_with,
)
from tests.pi.chats import chat

SUMMARY = chat(tools=[], tool="a.txt")


def asked_for(body: bytes) -> CompletionRequest:
    """Return what a model is asked for the summary that a request of pi's wants."""
    requests: list[CompletionRequest] = []

    def answer(request: CompletionRequest) -> str:
        requests.append(request)
        return "Short."

    assert summarise_with(ScriptedModel(answer))(parse_chat(body)).text == "Short."
    return requests[0]


def test_a_summary_is_asked_for_in_pis_own_words() -> None:
    assert asked_for(SUMMARY) == CompletionRequest(
        messages=(
            PromptMessage("system", "You are an assistant."),
            PromptMessage("user", "Go."),
            PromptMessage("assistant", ""),
            PromptMessage("user", "a.txt"),
        ),
        schema={},
        max_output_tokens=SUMMARY_TOKENS,
    )


def test_a_summary_is_as_long_as_pi_allows() -> None:
    assert asked_for(chat(tools=[], max_tokens=77)).max_output_tokens == 77


def test_what_a_summary_cost_and_that_it_was_cut_are_passed_on() -> None:
    completion = Completion(text="x", stop_reason="length", tokens_in=9, tokens_out=4)
    reply = summarise_with(ScriptedModel([completion]))(parse_chat(SUMMARY))
    assert reply == Reply(text="x", is_cut=True, prompt_tokens=9, completion_tokens=4)


def test_a_stand_in_is_about_as_long_as_a_summary_is() -> None:
    assert stand_in_summary(parse_chat(SUMMARY)) == Reply(text=STAND_IN)
    assert 3_000 < len(STAND_IN) < 6_000


def test_without_a_model_the_error_names_the_option() -> None:
    with pytest.raises(ModelError, match="--summary-model"):
        refuse_summary(parse_chat(SUMMARY))
