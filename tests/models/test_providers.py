import json
from dataclasses import replace

import pytest

from longhaul.compaction.completion import Completion, CompletionRequest, StopReason, ThinkingLevel
from longhaul.errors import ModelError
from longhaul.models import open_model
from tests.models.api_server import (
    AT_ONCE,
    Answer,
    Seen,
    chat,
    failure,
    generated,
    json_answer,
    message,
    response,
    serving,
)
from tests.models.asking import (
    ANIMALS,
    EMPTY,
    KEY,
    ROUTES,
    Route,
    animals,
    ask,
    environment_of,
)

CHAT, RESPONSES, ANTHROPIC, GOOGLE = ROUTES
each_route = pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.spec)


def seen_by(route: Route, request: CompletionRequest, *, spec: str | None = None) -> Seen:
    """Return the one request that a server behind `route` sees."""
    with serving([route.answer]) as api:
        model = open_model(spec or route.spec, timeout_s=30, environment=environment_of(route, api))
        model.complete(request)
        (seen,) = api.seen
    return seen


@each_route
def test_a_reply_comes_with_its_tokens_and_the_model_that_answered(route: Route) -> None:
    reply = ask(route, [route.answer])
    assert reply.seconds is not None
    assert reply.seconds > 0
    assert replace(reply, seconds=None) == Completion(
        text=EMPTY,
        model=f"{route.spec.split('/')[0]}/m-1",
        tokens_in=30,
        tokens_out=7,
        tokens_cached=20,
    )


@each_route
def test_a_request_goes_where_the_variable_says_with_the_key_once(route: Route) -> None:
    seen = seen_by(route, animals())
    assert seen.path == route.path
    assert sum(KEY in value for value in seen.headers.values()) == 1
    assert KEY not in json.dumps(seen.body)


@each_route
def test_every_message_arrives_in_its_order(route: Route) -> None:
    body = json.dumps(seen_by(route, animals()).body)
    texts = ["Hello.", "Hi.", "Name two animals."]
    assert "You answer in JSON." in body
    assert sorted(texts, key=body.index) == texts


def test_each_api_is_asked_to_hold_the_reply_to_the_schema_in_its_own_way() -> None:
    chat_format = seen_by(CHAT, animals()).body["response_format"]
    assert chat_format["json_schema"]["schema"] == ANIMALS
    responses_format = seen_by(RESPONSES, animals()).body["text"]["format"]
    assert (responses_format["schema"], responses_format["strict"]) == (ANIMALS, True)
    anthropic_format = seen_by(ANTHROPIC, animals()).body["output_config"]["format"]
    assert anthropic_format["schema"]["required"] == ["animals"]
    config = seen_by(GOOGLE, animals()).body["generationConfig"]
    assert config["responseMimeType"] == "application/json"
    assert config["responseJsonSchema"]["properties"] == ANIMALS["properties"]


@each_route
def test_without_a_schema_none_is_asked_for(route: Route) -> None:
    body = json.dumps(seen_by(route, replace(animals(), schema={})).body)
    assert "schema" not in body.lower()


def test_each_api_is_told_the_output_limit() -> None:
    request = animals(max_output_tokens=123)
    assert seen_by(CHAT, request).body["max_completion_tokens"] == 123
    assert seen_by(RESPONSES, request).body["max_output_tokens"] == 123
    assert seen_by(ANTHROPIC, request).body["max_tokens"] == 123
    assert seen_by(GOOGLE, request).body["generationConfig"]["maxOutputTokens"] == 123


@pytest.mark.parametrize(
    ("spec", "variable"),
    [
        ("ollama/m", "OLLAMA_BASE_URL"),
        ("llama.cpp/m", "LLAMA_CPP_BASE_URL"),
        ("vllm/m", "VLLM_BASE_URL"),
    ],
)
def test_servers_of_open_models_are_asked_without_a_key_in_fields_that_old_ones_know(
    spec: str, variable: str
) -> None:
    with serving([CHAT.answer]) as api:
        model = open_model(spec, timeout_s=30, environment={variable: api.origin})
        model.complete(animals())
        (seen,) = api.seen
    assert (seen.path, seen.body["max_tokens"]) == ("/v1/chat/completions", 60)
    assert seen.body["response_format"]["json_schema"]["schema"] == ANIMALS
    assert seen.body["messages"][0] == {"role": "system", "content": "You answer in JSON."}


def test_openai_is_told_not_to_keep_the_request() -> None:
    assert seen_by(RESPONSES, animals()).body["store"] is False


@pytest.mark.parametrize(
    ("level", "effort", "thinking"),
    [
        ("off", "none", {"type": "disabled"}),
        ("low", "low", {"type": "adaptive"}),
        ("high", "high", {"type": "adaptive"}),
        ("xhigh", "xhigh", {"type": "adaptive"}),
    ],
)
def test_the_thinking_level_is_passed_on_in_the_apis_own_words(
    level: ThinkingLevel, effort: str, thinking: dict[str, str]
) -> None:
    request = replace(animals(), thinking=level)
    assert seen_by(RESPONSES, request).body["reasoning"]["effort"] == effort
    assert seen_by(ANTHROPIC, request, spec="anthropic/claude-opus-5").body["thinking"] == thinking


def test_google_thinks_as_the_level_says() -> None:
    config = seen_by(GOOGLE, replace(animals(), thinking="low")).body["generationConfig"]
    assert config["thinkingConfig"]["thinking_level"] == "LOW"


def test_a_level_in_the_models_name_counts_before_the_requests() -> None:
    request = replace(animals(), thinking="low")
    assert seen_by(RESPONSES, request, spec="openai/gpt-5.2:high").body["reasoning"] == {
        "effort": "high"
    }


def test_without_a_level_the_model_thinks_as_it_does_by_itself() -> None:
    assert "reasoning" not in seen_by(RESPONSES, animals()).body
    assert "thinking" not in seen_by(ANTHROPIC, animals()).body
    assert "thinkingConfig" not in seen_by(GOOGLE, animals()).body["generationConfig"]


@pytest.mark.parametrize(
    ("route", "answer", "text", "stop_reason"),
    [
        (CHAT, chat('{"an', finish="length"), '{"an', "length"),
        (RESPONSES, response('{"an', incomplete="max_output_tokens"), '{"an', "length"),
        (ANTHROPIC, message('{"an', stop="max_tokens"), '{"an', "length"),
        (GOOGLE, generated('{"an', finish="MAX_TOKENS"), '{"an', "length"),
        (CHAT, chat(None, refusal="I will not."), "", "refused"),
        (CHAT, chat("", finish="content_filter"), "", "refused"),
        (RESPONSES, response("", refusal="I will not."), "", "refused"),
        (ANTHROPIC, message("No.", stop="refusal"), "No.", "refused"),
        (GOOGLE, generated("", finish="SAFETY"), "", "refused"),
        (GOOGLE, json_answer({"promptFeedback": {"blockReason": "SAFETY"}}), "", "refused"),
    ],
)
def test_how_a_reply_ended_is_told(
    route: Route, answer: Answer, text: str, stop_reason: StopReason
) -> None:
    reply = ask(route, [answer])
    assert (reply.text, reply.stop_reason) == (text, stop_reason)


def test_a_reply_without_counts_has_none() -> None:
    bare = json.loads(CHAT.answer.body)
    del bare["usage"]
    reply = ask(CHAT, [json_answer(bare)])
    assert (reply.tokens_in, reply.tokens_out, reply.tokens_cached) == (None, None, None)


def test_a_reply_of_ten_megabytes_is_passed_on_whole() -> None:
    text = '{"animals": [' + "é" * 5_000_000
    assert ask(CHAT, [chat(text)]).text == text


@each_route
def test_a_server_that_refuses_the_schema_is_asked_without_it_once(route: Route) -> None:
    refused = failure(400, "response_format json_schema is not supported by this model")
    with serving([refused, route.answer]) as api:
        model = open_model(route.spec, timeout_s=30, environment=environment_of(route, api))
        assert model.complete(animals()).text == EMPTY
        first, second = (json.dumps(seen.body) for seen in api.seen)
    assert "legs" in first
    assert "legs" not in second


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
@pytest.mark.parametrize("route", [CHAT, RESPONSES, ANTHROPIC], ids=lambda route: route.spec)
def test_what_fails_before_a_reply_was_made_is_tried_again(route: Route, status: int) -> None:
    passing = failure(status, "for a moment", headers=AT_ONCE)
    assert ask(route, [passing, passing, route.answer]).text == EMPTY


def test_google_is_tried_again_after_half_a_second_and_more() -> None:
    assert ask(GOOGLE, [failure(429, "for a moment"), GOOGLE.answer]).text == EMPTY


def test_a_connection_that_breaks_is_tried_again() -> None:
    assert ask(CHAT, [replace(CHAT.answer, fault="cut"), CHAT.answer]).text == EMPTY


def test_one_model_answers_one_request_after_another() -> None:
    with serving([chat("a"), failure(400, "no"), chat("b")]) as api:
        model = open_model(CHAT.spec, timeout_s=30, environment=environment_of(CHAT, api))
        assert model.complete(animals()).text == "a"
        with pytest.raises(ModelError, match="refused"):
            model.complete(animals())
        assert model.complete(animals()).text == "b"
