"""Tokens as pi estimates them."""

import json

import pytest
from hypothesis import given

from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    BranchSummaryMessage,
    CompactionSummaryMessage,
    CustomMessage,
    ImageBlock,
    JsonValue,
    Message,
    OpaqueBlock,
    OpaqueMessage,
    Path,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolResultMessage,
    UserMessage,
    content_text,
)
from longhaul.transcript.json_units import json_units, number_text, utf16_units
from longhaul.transcript.projection import project_path
from longhaul.transcript.tokens import (
    current_system_message,
    estimate_context_tokens,
    estimate_tokens,
)
from tests.build import (
    assistant,
    call,
    compaction,
    context_edit,
    message_entry,
    opaque,
    path,
    system,
    user,
)
from tests.strategies import json_values

TOOL: dict[str, JsonValue] = {"name": "a", "n": 1.0}


def reply(*blocks: TextBlock | ThinkingBlock | OpaqueBlock | ImageBlock) -> AssistantMessage:
    return AssistantMessage(content=blocks)


@pytest.mark.parametrize(
    ("message", "tokens"),
    [
        (UserMessage("12345"), 2),
        (UserMessage(""), 0),
        (UserMessage("😀😀"), 1),
        (UserMessage((TextBlock("1234"), ImageBlock("image/png"), ThinkingBlock("x"))), 1201),
        (reply(ThinkingBlock("12"), TextBlock("34"), ImageBlock("image/png")), 1),
        (reply(OpaqueBlock("toolCall", 9)), 3),
        (AssistantMessage(content="12345"), 0),
        (AssistantMessage(content=(call("read", path="a"),)), 4),
        (ToolResultMessage(tool_call_id="", tool_name="", content="12345"), 2),
        (BashExecutionMessage(command="123", output="45"), 2),
        (CustomMessage("note", "12345"), 2),
        (BranchSummaryMessage("12345"), 2),
        (CompactionSummaryMessage("12345"), 2),
        (OpaqueMessage("robot"), 0),
        (system("1", {"a": "234", "b": None, "c": ""}), 1),
        (system("123", tools_added=[]), 2),
        (system(tools_added=[TOOL]), 5),
    ],
)
def test_a_message_counts_a_token_for_four_characters(message: Message, tokens: int) -> None:
    assert estimate_tokens(message) == tokens


def test_usage_counts_with_what_follows_it() -> None:
    entries = path(user("a" * 400), assistant("b", context_tokens=1000), user("12345"))
    assert context_tokens(entries) == 1002


@pytest.mark.parametrize("stop", ["error", "aborted"])
def test_usage_of_a_failed_reply_is_passed_over(stop: str) -> None:
    failed = assistant("b", stop_reason=stop, context_tokens=9)
    entries = path(assistant("a", context_tokens=1000), failed)
    assert context_tokens(entries) == 1001


def test_usage_from_before_an_edit_or_a_compaction_is_not_trusted() -> None:
    first, used = user("1234"), assistant("b", context_tokens=1000)
    assert context_tokens(path(first, used, context_edit("e1", "12345678"))) == 3
    assert context_tokens(path(first, used, compaction("1234", "e1"))) == 3
    assert context_tokens(path(first, used, opaque("context_edit"))) == 2
    assert context_tokens(path(first, used, opaque("label"))) == 1000


def test_usage_of_a_context_that_is_not_the_paths_is_not_trusted() -> None:
    projection = project_path(path(assistant("b", context_tokens=1000)))
    assert estimate_context_tokens(projection, ()) == 1


def test_without_usage_system_messages_count_as_what_they_add_up_to() -> None:
    patch = system("", {"a": "12345678"})
    entries = path(message_entry(system("", {"a": "x" * 400})), message_entry(patch), user("1234"))
    assert context_tokens(entries) == 3


def test_replaying_system_messages_joins_texts_patches_sections_and_tools() -> None:
    first = system("one", {"a": "A", "b": "B"}, [{"name": "read"}, {"name": "bash"}])
    second = system("two", {"b": None, "c": "C"}, [{"name": "read", "v": 2}], ["bash", "gone"])
    assert current_system_message([first, system(), second]) == SystemMessage(
        content="one\n\ntwo",
        sections={"a": "A", "c": "C"},
        tools_added=({"name": "read", "v": 2},),
        tools_removed=(),
        timestamp_ms=1,
    )


def test_replaying_nothing_gives_no_message() -> None:
    untimed = SystemMessage(content="x", sections={}, tools_added=None, tools_removed=())
    assert current_system_message([]) is None
    assert current_system_message([untimed]) is None
    with_tool = SystemMessage(content="x", sections={}, tools_added=(TOOL,), tools_removed=())
    replayed = current_system_message([with_tool])
    assert replayed is not None
    assert (replayed.content, replayed.timestamp_ms) == ("x", 0)


def test_the_text_of_a_content_is_its_text_blocks() -> None:
    assert content_text("a") == "a"
    assert content_text((TextBlock("a"), ImageBlock("image/png"), TextBlock("b"))) == "a\nb"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (-1.25e21, "-1.25e+21"),
        (123456.75, "123456.75"),
        (1e-6, "0.000001"),
        (1.5e-6, "0.0000015"),
        (1e-7, "1e-7"),
        (2**53 + 1, "9007199254740992"),
        (10**22, "1e+22"),
        (float("inf"), "null"),
    ],
)
def test_numbers_are_written_as_javascript_writes_them(number: float, text: str) -> None:
    assert number_text(number) == text


def test_lengths_of_json_count_escapes_as_javascript_writes_them() -> None:
    assert json_units('"\\\n\x01\u2028é') == len(r'"\"\\\n\u0001') + 2 + 1
    assert json_units("\ud800😀") == len(r'"\ud800') + 2 + 1
    assert json_units({"a": [True, False, None], "b": {}}) == len('{"a":[true,false,null],"b":{}}')
    assert utf16_units("\ud800é😀") == 4


@given(value=json_values)
def test_lengths_of_json_differ_from_pythons_by_numbers_and_surrogates_only(
    value: JsonValue,
) -> None:
    plain = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    simple = not any(char in plain for char in ".e9𝄞\ud800")
    assert not simple or json_units(value) == len(plain)


def context_tokens(entries: Path) -> float:
    return estimate_context_tokens(project_path(entries), entries)


def test_a_value_may_be_nested_deeper_than_python_recurses() -> None:
    value: JsonValue = []
    for _ in range(5_000):
        value = [value]
    assert json_units(value) == 2 * 5_001
