"""A live model: what it is asked, and what is read from its replies."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.compaction.completion import Completion, PromptMessage
from longhaul.models.scripted import ScriptedModel
from longhaul.pi.chat import Call, Reply, parse_chat, render_stream
from longhaul.pi.tool_prompt import build_request, parse_reply
from longhaul.record.live import LiveModel
from longhaul.transcript.entries import JsonValue
from tests.pi.chats import chat

CALL = {"name": "bash", "arguments": {"command": "ls"}}
WHOLE = json.dumps({"text": "Looking.", "tools": [CALL]})


def test_a_model_is_told_of_the_tools_and_of_what_was_said_and_done() -> None:
    request = build_request(parse_chat(chat(tool="a.txt", max_tokens=50)))
    system, *rest = request.messages
    assert system.role == "system"
    assert system.text.startswith("You are an assistant.\n\nAnswer with one JSON object")
    assert '{"name": "bash", "parameters": {"type": "object"}}' in system.text
    assert rest == [
        PromptMessage("user", "Go."),
        PromptMessage("assistant", json.dumps({"text": "", "tools": [CALL]})),
        PromptMessage("user", "[result of c0]\na.txt"),
    ]
    assert request.max_output_tokens == 50
    assert request.schema["required"] == ["text", "tools"]


def test_neighbours_of_one_role_become_one_message() -> None:
    messages = [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]
    request = build_request(parse_chat(json.dumps({"messages": messages}).encode()))
    assert request.messages[1:] == (PromptMessage("user", "a\n\nb"),)


@pytest.mark.parametrize(
    "text", [WHOLE, f"Sure:\n```json\n{WHOLE}\n```", f"{{x}} {WHOLE} and more", f"{{}} {WHOLE}"]
)
def test_a_reply_is_read_wherever_its_object_stands(text: str) -> None:
    call = Call(id="call_3_1", name="bash", arguments={"command": "ls"})
    assert parse_reply(text, number=3) == ("Looking.", (call,))


@pytest.mark.parametrize("text", ["Just words.", WHOLE[:-3], '{"a": 1}', "{" * 2_000, ""])
def test_a_reply_without_the_object_is_what_the_model_says(text: str) -> None:
    assert parse_reply(text, number=1) == (text.strip(), ())


def test_calls_that_are_none_are_left_out() -> None:
    tools = [1, {"name": 2, "arguments": {}}, {"name": "x", "arguments": []}, CALL]
    text, calls = parse_reply(json.dumps({"text": None, "tools": tools}), number=1)
    assert (text, [one.name for one in calls]) == ("", ["bash"])


@pytest.mark.parametrize("cut", range(1, len(WHOLE)))
def test_a_reply_that_is_cut_makes_no_call(cut: int) -> None:
    assert parse_reply(WHOLE[:cut], number=1) == (WHOLE[:cut].strip(), ())


@pytest.mark.parametrize("text", ["{" * 400_000, '{"a":' * 200_000, "{x " * 2_000 + WHOLE])
def test_a_reply_of_braces_is_words_and_soon_read(text: str) -> None:
    assert parse_reply(text, number=1) == (text.strip(), ())


def test_arguments_nested_without_end_are_words() -> None:
    text = WHOLE.replace('"ls"', "[" * 900 + "]" * 900)
    assert parse_reply(text, number=1) == (text, ())


def test_what_stands_whole_in_a_cut_reply_is_not_taken_for_it() -> None:
    call = {"name": "question", "arguments": {"text": "Which?", "tools": []}}
    text = json.dumps({"text": "Asking.", "tools": [call, call]})[:-5]
    assert parse_reply(text, number=1) == (text, ())


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999", "9" * 5_000])
def test_arguments_that_no_json_holds_are_words(number: str) -> None:
    text = WHOLE.replace('"ls"', number)
    assert parse_reply(text, number=1) == (text, ())


NESTED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["text", "tools", "name", "arguments"]), inner)
    ),
)


@given(NESTED, st.text(max_size=5), st.integers(0, 200))
def test_any_reply_becomes_a_stream(record: JsonValue, before: str, end: int) -> None:
    text, calls = parse_reply((before + json.dumps(record))[:end], number=1)
    stream = b"".join(render_stream(Reply(text=text, calls=calls), parse_chat(chat())))
    assert stream.endswith(b"data: [DONE]\n\n")


@given(st.text(), st.lists(st.tuples(st.text(), st.dictionaries(st.text(), st.text())), max_size=3))
def test_what_is_answered_in_the_form_is_read_whole(
    said: str, made: list[tuple[str, dict[str, str]]]
) -> None:
    tools = [{"name": name, "arguments": arguments} for name, arguments in made]
    text, calls = parse_reply(json.dumps({"text": said, "tools": tools}), number=1)
    assert text == said.strip()
    assert [(one.name, one.arguments) for one in calls] == made


ODD: list[JsonValue] = [
    {"role": ["x"], "content": 5, "tool_calls": [5, {}, {"function": {"arguments": "{"}}]},
    {"role": "assistant", "tool_calls": {"a": 1}},
    {"role": "tool"},
    {},
]


def test_an_odd_request_is_put_into_words_all_the_same() -> None:
    body = {"messages": ODD, "tools": [1, {"x": 1}, {"function": 5}, {"function": {}}]}
    request = build_request(parse_chat(json.dumps(body).encode()))
    assert [one.role for one in request.messages] == ["system", "user", "assistant", "user"]


@given(st.text(alphabet='{}[]":,\\ntxextools1 '))
def test_no_reply_is_too_odd_to_be_read(text: str) -> None:
    said, calls = parse_reply(text, number=1)
    assert isinstance(said, str)
    assert all(isinstance(one.name, str) for one in calls)


def test_what_the_model_says_of_its_cost_and_its_end_is_passed_on() -> None:
    completion = Completion(text=WHOLE, stop_reason="length", tokens_in=9, tokens_out=4)
    reply = LiveModel(ScriptedModel([completion])).answer(parse_chat(chat()))
    call = Call(id="call_1_1", name="bash", arguments={"command": "ls"})
    expected = Reply(
        text="Looking.", calls=(call,), is_cut=True, prompt_tokens=9, completion_tokens=4
    )
    assert reply == expected
