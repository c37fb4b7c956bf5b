"""The content of a message: a text, or typed blocks."""

from collections.abc import Mapping

from longhaul.transcript.entries import (
    Block,
    Content,
    ImageBlock,
    JsonValue,
    OpaqueBlock,
    TextBlock,
    ThinkingBlock,
    ToolCall,
)
from longhaul.transcript.json_units import json_units, utf16_units
from longhaul.transcript.shapes import ShapeError, is_truthy, text_or_empty


def parse_content(value: JsonValue) -> Content:
    """Return the content that a message or an edit holds; a string stays one.

    What pi passes over (blocks that are no objects, unknown kinds) stays as an `OpaqueBlock`.

    Raises:
        ShapeError: neither a string nor a list, or a block that pi fails on.
    """
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        raise ShapeError("content", "str or list", value)
    blocks: list[Block] = []
    try:
        for block in value:
            blocks.append(_parse_block(block))  # noqa: PERF401 - its length tells where it failed
    except ShapeError as error:
        raise error.within(f"content[{len(blocks)}]") from None
    return tuple(blocks)


def _parse_block(block: JsonValue) -> Block:
    if not isinstance(block, dict):
        if block is None:
            raise ShapeError("", "object", block)
        return OpaqueBlock("")
    kind = block.get("type")
    if kind == "text":
        text = block.get("text")
        return TextBlock(text if isinstance(text, str) else _empty(text, "text"))
    if kind == "toolCall":
        return _parse_call(block)
    if kind == "thinking":
        text = block.get("thinking")
        return ThinkingBlock(text if isinstance(text, str) else _empty(text, "thinking"))
    if kind == "image":
        return ImageBlock(text_or_empty(block.get("mimeType")))
    return OpaqueBlock(text_or_empty(kind))


def _empty(text: JsonValue, field: str) -> str:
    """Return what a text that is none stands for: nothing, where JavaScript takes it for false."""
    if is_truthy(text):
        raise ShapeError(field, "str", text)
    return ""


def _parse_call(block: Mapping[str, JsonValue]) -> ToolCall | OpaqueBlock:
    name, arguments, call_id = block.get("name"), block.get("arguments"), block.get("id")
    if not isinstance(name, str):
        raise ShapeError("name", "str", name)
    if isinstance(arguments, dict):
        return ToolCall(id=text_or_empty(call_id), name=name, arguments=arguments)
    chars = json_units(arguments) if "arguments" in block else 0
    return OpaqueBlock("toolCall", utf16_units(name) + chars)
