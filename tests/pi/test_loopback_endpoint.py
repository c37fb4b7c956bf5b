"""The endpoint on loopback, and one model behind it."""

import json
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from longhaul.compaction.completion import Completion, CompletionRequest, PromptMessage
from longhaul.errors import ModelError
from longhaul.models.scripted import ScriptedModel
from longhaul.pi.chat import Call, ChatRequest, Reply, parse_chat
from longhaul.pi.loopback_endpoint import LoopbackEndpoint
from longhaul.pi.model_answers import Exchange, ModelAnswers
from tests.pi.chats import chat

SCHEMA = {"type": "object"}


def echo(request: ChatRequest) -> Reply:
    return Reply(text=f"{len(request.messages)} messages")


def ask(endpoint: LoopbackEndpoint, body: bytes, key: str | None = None) -> tuple[int, str]:
    address = urlsplit(endpoint.base_url)
    connection = HTTPConnection(str(address.hostname), address.port, timeout=20)
    bearer = {"Authorization": f"Bearer {endpoint.key if key is None else key}"}
    connection.request("POST", f"{address.path}/chat/completions", body, bearer)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text


def test_who_bears_the_key_is_answered_and_nobody_else() -> None:
    with LoopbackEndpoint(echo) as endpoint:
        status, text = ask(endpoint, chat())
        assert (status, '"content": "2 messages"' in text) == (200, True)
        assert ask(endpoint, chat(), key="")[0] == 401
        assert ask(endpoint, chat(), key="é")[0] == 401
    with LoopbackEndpoint(echo) as other:
        assert ask(other, chat(), key=endpoint.key)[0] == 401


def test_pi_is_told_where_it_is_and_which_key_it_bears() -> None:
    with LoopbackEndpoint(echo) as endpoint:
        assert endpoint.provider({"id": "m"}) == {
            "baseUrl": endpoint.base_url,
            "api": "openai-completions",
            "apiKey": endpoint.key,
            "models": [{"id": "m"}],
        }
        assert endpoint.base_url.startswith("http://127.0.0.1:")


def test_a_model_that_fails_ends_the_stream_with_its_words() -> None:
    answers = ModelAnswers(ScriptedModel([ModelError("no connection")]))
    with LoopbackEndpoint(answers.answer) as endpoint:
        status, text = ask(endpoint, chat())
    assert (status, "no connection" in text) == (200, True)
    (exchange,) = answers.exchanges
    assert (exchange.failure, exchange.tokens_in) == ("no connection", None)


def test_a_turn_is_asked_with_its_tools_in_words_and_its_calls_are_read() -> None:
    said = json.dumps({"text": "Now.", "tools": [{"name": "bash", "arguments": {"command": "ls"}}]})
    whole = Completion(text=said, tokens_in=50, tokens_out=9, tokens_cached=40, seconds=2.5)
    model = ScriptedModel([whole])
    answers = ModelAnswers(model)
    reply = answers.answer(parse_chat(chat(reasoning_effort="high")))
    call = Call(id="call_1_1", name="bash", arguments={"command": "ls"})
    assert reply == Reply(
        text="Now.", calls=(call,), prompt_tokens=50, completion_tokens=9, cached_tokens=40
    )
    assert model.requests[0].thinking == "high"
    assert '{"name": "bash"' in model.requests[0].messages[0].text
    assert answers.exchanges == [
        Exchange(is_of_the_session=True, seconds=2.5, tokens_in=50, tokens_out=9, tokens_cached=40)
    ]


def test_a_request_without_tools_is_asked_as_it_is_with_its_schema_and_level() -> None:
    model = ScriptedModel(["Short."])
    answers = ModelAnswers(model)
    form = {"type": "json_schema", "json_schema": {"name": "changes", "schema": SCHEMA}}
    body = chat(tools=[], response_format=form, reasoning_effort="none", max_tokens=70)
    assert answers.answer(parse_chat(body)).text == "Short."
    assert model.requests == [
        CompletionRequest(
            messages=(
                PromptMessage("system", "You are an assistant."),
                PromptMessage("user", "Go."),
            ),
            schema=SCHEMA,
            thinking="off",
            max_output_tokens=70,
        )
    ]
    assert [one.is_of_the_session for one in answers.exchanges] == [False]


@pytest.mark.parametrize(
    "odd", ["low", 7, {"json_schema": 1}, {"json_schema": {"schema": 1}}, None]
)
def test_a_schema_or_level_that_is_none_is_left_out(odd: object) -> None:
    request = parse_chat(chat(response_format=odd, reasoning_effort=[odd]))
    assert (request.schema, request.thinking) == ({}, None)


def test_cached_tokens_are_told_with_the_usage() -> None:
    with LoopbackEndpoint(lambda _: Reply(text="a", cached_tokens=3)) as endpoint:
        text = ask(endpoint, chat())[1]
    assert '"prompt_tokens_details": {"cached_tokens": 3}' in text
