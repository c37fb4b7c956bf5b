"""What tools printed: the output from which values come."""

from longhaul.transcript.entries import (
    BashExecutionMessage,
    Message,
    ToolResultMessage,
    content_text,
)

RECALL_TOOL = "longhaul_recall"
"""Longhaul's own tool. What it quotes was said or printed before, and is nothing new here."""


def printed_text(message: Message, ask_tools: tuple[str, ...]) -> str:
    """Return what a tool, or a command of the user's, printed into the context; else empty.

    What the user answered a tool is no output, nor is what recall quotes.
    """
    if isinstance(message, ToolResultMessage):
        is_own = message.tool_name in ask_tools or message.tool_name == RECALL_TOOL
        return "" if is_own else content_text(message.content)
    if isinstance(message, BashExecutionMessage):
        return "" if message.exclude_from_context else message.output
    return ""
