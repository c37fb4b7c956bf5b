"""The messages of a transcript, by role."""

from collections.abc import Callable, Mapping

from longhaul.transcript.blocks import parse_content
from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    BranchSummaryMessage,
    CompactionSummaryMessage,
    Content,
    CustomMessage,
    JsonValue,
    Message,
    NestedCall,
    OpaqueMessage,
    SystemMessage,
    ToolResultMessage,
    UserMessage,
)
from longhaul.transcript.shapes import ShapeError, is_truthy, number_or_zero, text_or_empty

Record = Mapping[str, JsonValue]


def parse_message(record: Record) -> Message:
    """Return the message of an entry; one of an unknown role is kept opaque.

    A field that pi never looks at (a provider, the name of a tool) may be missing or damaged.

    Raises:
        ShapeError: a field that counts is of another type.

    Source: pi 1.6.0, `docs/message-types.md`.
    """
    role = record.get("role")
    parse = _BY_ROLE.get(role) if isinstance(role, str) else None
    return parse(record) if parse else OpaqueMessage(text_or_empty(role))


def parse_system_message(record: Record) -> SystemMessage:
    """Return a system message: prompt sections and tools, or a patch of them.

    Raises:
        ShapeError: content, sections or tools are of another type.
    """
    content = record.get("content")
    return SystemMessage(
        content="" if content is None else parse_content(content),
        sections=_parse_sections(record.get("sections")),
        tools_added=_parse_tools(record.get("toolsAdded"), "toolsAdded"),
        tools_removed=tuple(
            str(tool["name"])
            for tool in _parse_tools(record.get("toolsRemoved"), "toolsRemoved") or ()
        ),
        timestamp_ms=_parse_timestamp(record),
    )


def _parse_sections(value: JsonValue) -> Mapping[str, str | None]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ShapeError("sections", "object", value)
    sections: dict[str, str | None] = {}
    for name, text in value.items():
        if text is not None and not isinstance(text, str):
            raise ShapeError(f"sections[{name!r}]", "str or null", text)
        sections[name] = text
    return sections


def _parse_tools(value: JsonValue, field: str) -> tuple[Mapping[str, JsonValue], ...] | None:
    if value is None:
        return None
    if not isinstance(value, list):
        raise ShapeError(field, "list", value)
    tools: list[Mapping[str, JsonValue]] = []
    for index, tool in enumerate(value):
        if not isinstance(tool, dict):
            raise ShapeError(f"{field}[{index}]", "object", tool)
        if not isinstance(tool.get("name"), str):
            raise ShapeError(f"{field}[{index}].name", "str", tool.get("name"))
        tools.append(tool)
    return tuple(tools)


def _parse_timestamp(record: Record) -> float | None:
    """Return a message's time; None only where it has none, since pi counts a null as one."""
    if "timestamp" not in record:
        return None
    value = record["timestamp"]
    return value if isinstance(value, (int, float)) else 0


def _parse_user(record: Record) -> UserMessage:
    return UserMessage(_content_or_none(record))


def _content_or_none(record: Record) -> Content:
    content = record.get("content")
    return () if content is None else parse_content(content)


def _parse_assistant(record: Record) -> AssistantMessage:
    content, usage = record.get("content"), record.get("usage")
    return AssistantMessage(
        content=() if content is None else parse_content(content),
        provider=text_or_empty(record.get("provider")),
        model=text_or_empty(record.get("model")),
        stop_reason=text_or_empty(record.get("stopReason")),
        context_tokens=_parse_usage(usage) if isinstance(usage, dict) else 0,
    )


def _parse_usage(usage: Record) -> float:
    """Return the total that pi reads off a usage: its own, else the sum of its four parts.

    A part that is missing or no number spoils the sum in JavaScript; null counts as zero there.
    """
    total = usage.get("totalTokens")
    if not is_truthy(total):
        parts = [usage.get(part, "") for part in ("input", "output", "cacheRead", "cacheWrite")]
        is_sum = all(part is None or isinstance(part, (int, float)) for part in parts)
        total = sum(map(number_or_zero, parts)) if is_sum else 0
    return max(number_or_zero(total), 0)


def _parse_tool_result(record: Record) -> ToolResultMessage:
    details = record.get("details")
    nested = record.get("nestedCalls")
    return ToolResultMessage(
        tool_call_id=text_or_empty(record.get("toolCallId")),
        tool_name=text_or_empty(record.get("toolName")),
        content=_content_or_none(record),
        is_error=is_truthy(record.get("isError")),
        details=details if isinstance(details, dict) else None,
        nested_calls=_parse_nested(nested.get("calls")) if isinstance(nested, dict) else (),
    )


def _parse_nested(calls: JsonValue) -> tuple[NestedCall, ...]:
    named = [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    return tuple(
        NestedCall(
            name=text_or_empty(call.get("name")),
            arguments=arguments if isinstance(arguments := call.get("arguments"), dict) else {},
            status=text_or_empty(call.get("status")),
        )
        for call in named
    )


def _parse_bash(record: Record) -> BashExecutionMessage:
    exit_code = record.get("exitCode")
    return BashExecutionMessage(
        command=_required(record, "command"),
        output=_required(record, "output"),
        exit_code=int(exit_code) if isinstance(exit_code, (int, float)) else None,
        cancelled=is_truthy(record.get("cancelled")),
        exclude_from_context=is_truthy(record.get("excludeFromContext")),
    )


def _required(record: Record, field: str) -> str:
    text = record.get(field)
    if not isinstance(text, str):
        raise ShapeError(field, "str", text)
    return text


def _parse_custom(record: Record) -> CustomMessage:
    return CustomMessage(
        text_or_empty(record.get("customType")), parse_content(record.get("content"))
    )


def _parse_branch_summary(record: Record) -> BranchSummaryMessage:
    return BranchSummaryMessage(_required(record, "summary"))


def _parse_compaction_summary(record: Record) -> CompactionSummaryMessage:
    return CompactionSummaryMessage(_required(record, "summary"))


_BY_ROLE: Mapping[str, Callable[[Record], Message]] = {
    "system": parse_system_message,
    "user": _parse_user,
    "assistant": _parse_assistant,
    "toolResult": _parse_tool_result,
    "bashExecution": _parse_bash,
    "custom": _parse_custom,
    "branchSummary": _parse_branch_summary,
    "compactionSummary": _parse_compaction_summary,
}
