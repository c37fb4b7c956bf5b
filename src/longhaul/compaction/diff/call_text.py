"""What a tool call did, on one line: what it was about, how it ended, and what it printed."""

import re
from collections.abc import Mapping

from longhaul.compaction.diff.framing import LEFT_OUT, data_line
from longhaul.compaction.invisible import drop_invisible
from longhaul.compaction.ledger.exits import exit_of
from longhaul.compaction.ledger.runs import ToolRun
from longhaul.compaction.secrets import mask_secrets
from longhaul.compaction.statements import ASK_TOOLS
from longhaul.compaction.white_space import fold_space
from longhaul.transcript.entries import (
    BashExecutionMessage,
    JsonValue,
    NestedCall,
    ToolResultMessage,
    content_text,
)

_NAME_CHARS = 40
_CALL_CHARS = 140
_OUTCOME_CHARS = 110
_EDGE_CHARS = 200
"""So much beside where an output was cut is not shown: a secret may be cut there."""
_TELLING_KEYS = ("command", "path", "file_path", "question", "query", "pattern", "url")
_QUIET_TOOLS = frozenset(("read", "write", "edit", "ls", *ASK_TOOLS))
"""Tools whose output says nothing here beside whether they worked, or is the user's answer."""
_TELLS = re.compile(r"\w").search
_MAX_SCANNED_CHARS = 4_000
"""Of an output, the beginning and the end that are looked at."""


def call_text(run: ToolRun) -> tuple[str, bool]:
    """Return what a call did, escaped and masked, and whether it failed."""
    is_users = isinstance(run.result, BashExecutionMessage)
    who = "the user ran" if is_users else data_line(run.name, _NAME_CHARS)
    outcome, failed = _outcome(run)
    called = data_line(_called(run.arguments), _CALL_CHARS)
    return f"- {who} {called}".rstrip() + f": {outcome}", failed


def _called(arguments: Mapping[str, JsonValue]) -> str:
    """Return what a call is about: its command, path or questions, else its short arguments."""
    for key in _TELLING_KEYS:
        value = arguments.get(key)
        if isinstance(value, str) and value.strip():
            return value
    questions = arguments.get("questions")
    if isinstance(questions, list):
        asked = (
            one.get("question") or one.get("prompt") for one in questions if isinstance(one, dict)
        )
        return " / ".join(text for text in asked if isinstance(text, str))
    pairs = ((key, value) for key, value in arguments.items() if isinstance(value, str | int))
    return ", ".join(f"{key}={value}" for key, value in pairs)


def _outcome(run: ToolRun) -> tuple[str, bool]:
    """Return how a call ended in a few words, and whether it failed."""
    if run.name == "bash":
        ended = exit_of(run)
        exited = f"exit {ended.code}" if ended.code else "ok"
        shown = exited if ended.status == "exited" else ended.status
        return _with_output(shown, ended.output), ended.failed
    match run.result:
        case ToolResultMessage(is_error=failed, content=content):
            output = content_text(content) if failed or run.name not in _QUIET_TOOLS else ""
            return _with_output("failed" if failed else "ok", output), failed
        case NestedCall(status=how) if how != "ok":
            return f"failed ({data_line(how, _NAME_CHARS)})", True
    return "ok", False


def _with_output(status: str, output: str) -> str:
    shown = _ends_of(output)
    return f"{status}, {shown}" if shown and shown != "(no output)" else status


def _ends_of(output: str) -> str:
    """Return a short output on one line, of a longer one the first line and the last.

    Secrets are masked before anything is cut: one may reach over several lines.
    """
    if len(output) > _MAX_SCANNED_CHARS:
        half = _MAX_SCANNED_CHARS // 2
        head, tail = mask_secrets(output[:half]), mask_secrets(output[-half:])
        output = f"{head[:-_EDGE_CHARS]}\n{tail[_EDGE_CHARS:]}"
    visible = drop_invisible(mask_secrets(output))
    lines = [line for line in map(fold_space, visible.splitlines()) if _TELLS(line)]
    if len(lines) < 2 or sum(map(len, lines)) <= _OUTCOME_CHARS:  # noqa: PLR2004 - first and last
        return data_line(" / ".join(lines), _OUTCOME_CHARS)
    first = data_line(lines[0], _OUTCOME_CHARS * 2 // 5)
    return f"{first} {LEFT_OUT} {data_line(lines[-1], _OUTCOME_CHARS * 3 // 5)}"
