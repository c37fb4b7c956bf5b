"""Decoded lines become entries; a field of another type is named, with file and line."""

from typing import TypedDict

import pytest
from hypothesis import given

from longhaul.errors import TranscriptError
from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    BranchSummaryEntry,
    CompactionEntry,
    CompactionSummaryMessage,
    ContextEditEntry,
    CustomEntry,
    CustomMessage,
    CustomMessageEntry,
    Entry,
    ImageBlock,
    JsonValue,
    MessageEntry,
    ModelChangeEntry,
    NestedCall,
    OpaqueBlock,
    OpaqueEntry,
    OpaqueMessage,
    Path,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)
from longhaul.transcript.parse import parse_entry, parse_opaque_entry
from tests.strategies import Record, paths

PLACE: Record = {"id": "e2", "parentId": "e1", "timestamp": "2026-01-01T00:00:00.000Z"}


class Parsed(TypedDict):
    """The place in tree and file of what `parse` returns."""

    id: str
    parent_id: str
    timestamp: str
    line: int


PARSED: Parsed = {
    "id": "e2",
    "parent_id": "e1",
    "timestamp": "2026-01-01T00:00:00.000Z",
    "line": 3,
}


def parse(record: Record) -> Entry:
    return parse_entry({**PLACE, **record}, where="s.jsonl", line=3)


def parse_message(role: str, **fields: JsonValue) -> object:
    entry = parse({"type": "message", "message": {"role": role, **fields}})
    assert isinstance(entry, MessageEntry)
    return entry.message


def fault(record: Record) -> str:
    with pytest.raises(TranscriptError) as raised:
        parse(record)
    return str(raised.value)


def message_fault(role: str, **fields: JsonValue) -> str:
    return fault({"type": "message", "message": {"role": role, **fields}})


def test_an_entry_knows_its_place_in_the_tree_and_in_the_file() -> None:
    assert parse({"type": "label"}) == OpaqueEntry(**PARSED, type="label")


def test_a_reply_has_thinking_text_and_calls() -> None:
    blocks: JsonValue = [
        {"type": "thinking", "thinking": "hm", "thinkingSignature": "…"},
        {"type": "text", "text": "ok"},
        {"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "a.py"}},
        {"type": "audio"},
        "loose",
    ]
    usage: JsonValue = {"totalTokens": 120}
    assert parse_message(
        "assistant", content=blocks, provider="p", model="m", stopReason="toolUse", usage=usage
    ) == AssistantMessage(
        content=(
            ThinkingBlock("hm"),
            TextBlock("ok"),
            ToolCall(id="c1", name="read", arguments={"path": "a.py"}),
            OpaqueBlock("audio"),
            OpaqueBlock(""),
        ),
        provider="p",
        model="m",
        stop_reason="toolUse",
        context_tokens=120,
    )


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        (None, 0),
        ("much", 0),
        ({}, 0),
        ({"totalTokens": "120"}, 0),
        ({"totalTokens": -1}, 0),
        ({"totalTokens": 1.5}, 1.5),
        ({"totalTokens": 2**53 + 1}, 2**53),
        ({"totalTokens": 0, "input": 1, "output": 2, "cacheRead": None, "cacheWrite": 4}, 7),
        ({"input": 1, "output": 2, "cacheRead": "3", "cacheWrite": 4}, 0),
        ({"input": 1, "output": 2, "cacheRead": 3}, 0),
    ],
)
def test_usage_is_the_total_that_pi_reads_off_it(usage: JsonValue, tokens: float) -> None:
    reply = parse_message("assistant", content=[], usage=usage)
    assert isinstance(reply, AssistantMessage)
    assert reply.context_tokens == tokens


def test_the_data_of_an_image_is_not_kept() -> None:
    image: JsonValue = {"type": "image", "mimeType": "image/png", "data": "AAAA"}
    assert parse_message("user", content=[image]) == UserMessage((ImageBlock("image/png"),))


def test_content_may_be_a_string_or_missing() -> None:
    assert parse_message("user", content="hi") == UserMessage("hi")
    assert parse_message("user") == UserMessage(())
    assert parse_message("user", content=[{"type": "text", "text": None}]) == UserMessage(
        (TextBlock(""),)
    )


def test_a_result_has_details_and_nested_calls() -> None:
    nested: JsonValue = {"calls": [{"name": "read", "arguments": {"path": "a"}, "status": "ok"}, 5]}
    assert parse_message(
        "toolResult",
        toolCallId="c1",
        toolName="code",
        content=[],
        isError=True,
        details={"n": 1},
        nestedCalls=nested,
    ) == ToolResultMessage(
        tool_call_id="c1",
        tool_name="code",
        content=(),
        is_error=True,
        details={"n": 1},
        nested_calls=(NestedCall(name="read", arguments={"path": "a"}, status="ok"),),
    )


def test_details_and_nested_calls_of_another_shape_are_left_out() -> None:
    left_out = ToolResultMessage(tool_call_id="", tool_name="", content=())
    assert parse_message("toolResult", details=[1], nestedCalls={"calls": 5}) == left_out
    assert parse_message("toolResult", nestedCalls=5) == left_out
    bare: JsonValue = {"calls": [{"name": "read"}]}
    assert parse_message("toolResult", nestedCalls=bare) == ToolResultMessage(
        tool_call_id="",
        tool_name="",
        content=(),
        nested_calls=(NestedCall(name="read", arguments={}, status=""),),
    )


def test_a_system_message_has_sections_and_tools() -> None:
    assert parse_message(
        "system",
        sections={"a": "text", "b": None},
        toolsAdded=[{"name": "read"}],
        toolsRemoved=[{"name": "write"}],
        timestamp=5,
    ) == SystemMessage(
        content="",
        sections={"a": "text", "b": None},
        tools_added=({"name": "read"},),
        tools_removed=("write",),
        timestamp_ms=5,
    )


def test_a_system_message_knows_no_list_from_an_empty_one_and_no_time_from_an_odd_one() -> None:
    bare = SystemMessage(content="", sections={}, tools_added=None, tools_removed=())
    assert parse_message("system") == bare
    timed = SystemMessage(
        content="x", sections={}, tools_added=(), tools_removed=(), timestamp_ms=0
    )
    assert parse_message("system", content="x", toolsAdded=[], timestamp=None) == timed


def test_the_other_roles() -> None:
    assert parse_message(
        "bashExecution", command="ls", output="a", exitCode=1, excludeFromContext=True
    ) == BashExecutionMessage(command="ls", output="a", exit_code=1, exclude_from_context=True)
    assert parse_message(
        "bashExecution", command="ls", output="", exitCode=None, cancelled=True
    ) == BashExecutionMessage(command="ls", output="", cancelled=True)
    assert parse_message("custom", customType="x", content="y") == CustomMessage("x", "y")
    assert parse_message("compactionSummary", summary="s") == CompactionSummaryMessage("s")
    assert parse_message("robot", content=5) == OpaqueMessage("robot")
    assert parse({"type": "message", "message": {"role": ["user"]}}) == MessageEntry(
        **PARSED,
        message=OpaqueMessage(""),
    )


def test_the_other_entries() -> None:
    made = [
        parse({"type": "compaction", "summary": "s", "firstKeptEntryId": "e1", "tokensBefore": 9,
               "systemMessage": {"role": "system", "content": "p"}, "details": {"a": 1},
               "fromHook": True}),
        parse({"type": "context_edit", "targetId": "e1", "replacement": {"content": "new"}}),
        parse({"type": "context_edit", "targetId": "e1", "replacement": None}),
        parse({"type": "branch_summary", "summary": "s", "fromId": "e0"}),
        parse({"type": "custom_message", "customType": "x", "content": None}),
        parse({"type": "custom", "customType": "x", "data": [1]}),
        parse({"type": "model_change", "provider": "p", "modelId": "m"}),
    ]  # fmt: skip
    prompt = SystemMessage(content="p", sections={}, tools_added=None, tools_removed=())
    expected: list[Entry] = [
        CompactionEntry(**PARSED, summary="s", first_kept_entry_id="e1", tokens_before=9,
                        system_message=prompt, details={"a": 1}, from_hook=True),
        ContextEditEntry(**PARSED, target_id="e1", replacement="new"),
        ContextEditEntry(**PARSED, target_id="e1", replacement=None),
        BranchSummaryEntry(**PARSED, summary="s", from_id="e0"),
        CustomMessageEntry(**PARSED, custom_type="x", content=()),
        CustomEntry(**PARSED, custom_type="x", data=[1]),
        ModelChangeEntry(**PARSED, provider="p", model_id="m"),
    ]  # fmt: skip
    assert made == expected


def test_a_compaction_is_kept_whatever_is_damaged_in_it() -> None:
    damaged: Record = {"summary": 5, "tokensBefore": "9", "systemMessage": {"content": 5}}
    entry = parse({"type": "compaction", **damaged, "firstKeptEntryId": None, "details": [1]})
    assert entry == CompactionEntry(
        **PARSED,
        summary="",
        first_kept_entry_id="",
        tokens_before=0,
    )


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("e1", "e1"),
        (None, None),
        ("", None),
        (0, None),
        (7.0, "\0" + "7"),
        (True, "\0true"),
        ([], "\0line 3"),
    ],
)
def test_a_parent_that_is_no_string_is_a_key_of_its_own(written: JsonValue, read: str) -> None:
    assert parse_opaque_entry({"id": "e2", "parentId": written}, 3).parent_id == read


def test_a_damaged_field_is_named_with_file_and_line() -> None:
    block: JsonValue = {"type": "toolCall", "name": 5, "arguments": {}}
    assert message_fault("assistant", content=[{"type": "text", "text": ""}, block]) == (
        "s.jsonl:3 message.content[1].name: expected str, got int"
    )
    assert [
        message_fault("user", content=5),
        message_fault("user", content=[None]),
        message_fault("user", content=[{"type": "text", "text": 5}]),
        message_fault("assistant", content=[{"type": "thinking", "thinking": []}]),
        message_fault("bashExecution", command="ls"),
        message_fault("system", sections=[]),
        message_fault("system", sections={"a\n": 5}),
        message_fault("system", toolsAdded={}),
        message_fault("system", toolsAdded=[5]),
        message_fault("system", toolsRemoved=[{}]),
        fault({"type": "message", "message": "hi"}),
        fault({"type": "context_edit", "targetId": "e1"}),
        fault({"type": "context_edit", "replacement": {"content": {}}}),
        fault({"type": "branch_summary", "summary": 5}),
        fault({"type": "custom_message", "content": 5}),
    ] == [
        "s.jsonl:3 message.content: expected str or list, got int",
        "s.jsonl:3 message.content[0]: expected object, got null",
        "s.jsonl:3 message.content[0].text: expected str, got int",
        "s.jsonl:3 message.content[0].thinking: expected str, got list",
        "s.jsonl:3 message.output: expected str, got null",
        "s.jsonl:3 message.sections: expected object, got list",
        "s.jsonl:3 message.sections['a\\n']: expected str or null, got int",
        "s.jsonl:3 message.toolsAdded: expected list, got dict",
        "s.jsonl:3 message.toolsAdded[0]: expected object, got int",
        "s.jsonl:3 message.toolsRemoved[0].name: expected str, got null",
        "s.jsonl:3 message: expected object, got str",
        "s.jsonl:3 replacement: expected object or null, got str",
        "s.jsonl:3 replacement.content: expected str or list, got dict",
        "s.jsonl:3 summary: expected str, got int",
        "s.jsonl:3 content: expected str or list, got int",
    ]


def test_a_call_whose_arguments_are_no_object_is_opaque_and_keeps_its_size() -> None:
    damaged: JsonValue = {"type": "toolCall", "id": "c", "name": "bash", "arguments": "ls"}
    missing: JsonValue = {"type": "toolCall", "id": "c", "name": "bash"}
    reply = parse_message("assistant", content=[damaged, missing])
    assert isinstance(reply, AssistantMessage)
    assert reply.content == (OpaqueBlock("toolCall", 8), OpaqueBlock("toolCall", 4))


@given(path=paths)
def test_whatever_pi_accepts_becomes_an_entry_in_its_place(path: Path) -> None:
    assert [(entry.id, entry.line) for entry in path] == [
        (f"e{number}", number + 1) for number in range(1, len(path) + 1)
    ]
