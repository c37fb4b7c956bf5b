"""Chat completions as pi asks for them, and the stream that answers."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.pi.chat import (
    Call,
    ChatError,
    Reply,
    newest_tool_text,
    parse_chat,
    render_error,
    render_stream,
)
from tests.pi.chats import TOOL, chat

ARGUMENTS = st.dictionaries(st.text(), st.text() | st.integers() | st.lists(st.booleans()))
CALLS = st.lists(st.tuples(st.text(min_size=1), ARGUMENTS), max_size=3)


def events(reply: Reply) -> list[dict[str, Any]]:
    text = b"".join(render_stream(reply, parse_chat(chat()))).decode()
    assert text.endswith("data: [DONE]\n\n")
    return [json.loads(line.removeprefix("data: ")) for line in text.split("\n\n")[:-2]]


def test_the_sessions_own_requests_have_tools() -> None:
    assert parse_chat(chat()).is_of_the_session
    assert not parse_chat(chat(tools=[])).is_of_the_session


def test_a_prompt_takes_a_quarter_of_the_characters_of_messages_and_tools() -> None:
    messages = [{"role": "user", "content": "grüße"}]
    text = json.dumps(messages, ensure_ascii=False, separators=(",", ":"))
    tools = json.dumps([TOOL], separators=(",", ":"))
    request = parse_chat(json.dumps({"messages": messages, "tools": [TOOL]}).encode())
    assert request.prompt_tokens == math.ceil(len(text + tools) / 4)


def test_the_newest_tool_result_is_found_in_text_and_in_parts() -> None:
    assert newest_tool_text(parse_chat(chat(tool="a", then="b"))) == "b"
    parts = [{"type": "text", "text": "x"}, {"type": "image"}, {"type": "text", "text": "y"}]
    body = {"messages": [{"role": "tool", "content": parts}]}
    assert newest_tool_text(parse_chat(json.dumps(body).encode())) == "xy"
    assert newest_tool_text(parse_chat(chat())) == ""


@pytest.mark.parametrize("body", [b"", b"[]", b'{"messages": 1}', b'{"messages": [1]}', b"\xff"])
def test_what_is_no_request_is_refused(body: bytes) -> None:
    with pytest.raises(ChatError):
        parse_chat(body)


def test_the_longest_reply_stands_under_either_name() -> None:
    assert parse_chat(chat(max_tokens=5)).max_output_tokens == 5
    assert parse_chat(chat(max_completion_tokens=6)).max_output_tokens == 6
    assert parse_chat(chat(max_tokens="x")).max_output_tokens is None


@given(st.text(), st.text(), CALLS)
def test_a_stream_holds_the_whole_reply(
    thinking: str, text: str, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    made = tuple(
        Call(id=f"c{at}", name=name, arguments=arguments)
        for at, (name, arguments) in enumerate(calls)
    )
    deltas = [
        one["choices"][0]["delta"]
        for one in events(Reply(thinking=thinking, text=text, calls=made))
        if one["choices"]
    ]
    functions = [one["tool_calls"][0]["function"] for one in deltas if "tool_calls" in one]
    assert "".join(one.get("reasoning_content", "") for one in deltas) == thinking
    assert "".join(one.get("content", "") for one in deltas) == text
    assert [(one["name"], json.loads(one["arguments"])) for one in functions] == calls


@pytest.mark.parametrize(
    ("reply", "finish"),
    [
        (Reply(text="x"), "stop"),
        (Reply(calls=(Call(id="c", name="bash", arguments={}),)), "tool_calls"),
        (Reply(text="x", is_cut=True), "length"),
    ],
)
def test_a_stream_says_why_the_reply_ends(reply: Reply, finish: str) -> None:
    assert events(reply)[-2]["choices"][0]["finish_reason"] == finish


def test_usage_is_what_the_model_says_or_a_quarter_of_the_characters() -> None:
    assert events(Reply(text="x", prompt_tokens=7, completion_tokens=2))[-1]["usage"] == {
        "prompt_tokens": 7,
        "completion_tokens": 2,
        "total_tokens": 9,
    }
    completion = math.ceil(len('["","x",[]]') / 4)
    assert events(Reply(text="x"))[-1]["usage"]["completion_tokens"] == completion


def test_a_failure_is_an_event_with_an_error() -> None:
    assert json.loads(render_error("no").removeprefix(b"data: "))["error"]["message"] == "no"
