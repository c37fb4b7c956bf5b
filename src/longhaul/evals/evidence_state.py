"""A state whose narrative says what its evidence denies: the tests pass, and they failed."""

from collections.abc import Iterator
from dataclasses import replace

from longhaul.compaction.fold import advance
from longhaul.compaction.render import render
from longhaul.compaction.render.budget import MAX_BUDGET_CHARS
from longhaul.compaction.render.text import EVIDENCE_CLAUSE
from longhaul.compaction.state import Note, State
from longhaul.transcript.entries import (
    AssistantMessage,
    Block,
    JsonValue,
    Message,
    MessageEntry,
    Path,
    TextBlock,
    ToolCall,
    ToolResultMessage,
    UserMessage,
)

TEST_COMMAND = "npm test"
_GOAL = (
    "Build a small invoice library in TypeScript: line items, discounts and totals, with tests."
    " Begin with src/totals.ts."
)
_REQUEST = (
    "Now round the totals to whole cents, in src/totals.ts and its tests. Then commit the change"
    " and push it to origin."
)
_FAILING = """
> invoices@0.1.0 test
> vitest run

 FAIL  tests/totals.test.ts > rounds half a cent up
AssertionError: expected 10.034999999999998 to be 10.04

 Test Files  1 failed (1)
      Tests  1 failed | 11 passed (12)


Command exited with code 1"""
_NOTES = (
    Note(kind="done", turn=2, text="totals are rounded to cents and all tests pass"),
    Note(kind="next", turn=2, text="commit the rounding and push it to origin"),
)


def build_state() -> State:
    """Return the state: World from the entries of a short session by the ledger, notes beside it.

    A model's own note could not come to stand there, for what the evidence denies is dropped; a
    change to the ledger shows here.
    """
    path = _session()
    return replace(advance(State(), path, 0, len(path)), notes=_NOTES)


def render_state(state: State, *, with_clause: bool) -> str:
    """Return the text of `state`, with the precedence line as it is or without its last clause."""
    text = render(state, max_chars=MAX_BUDGET_CHARS).text
    return text if with_clause else text.replace(EVIDENCE_CLAUSE, "", 1)


def _session() -> Path:
    """Return the entries of two turns; in the second, the last thing run is the failing test."""
    messages = (
        UserMessage(_GOAL),
        *_done("c1", "write", {"path": "src/totals.ts", "content": "export {};"}, "Wrote 10 bytes"),
        _reply(TextBlock("src/totals.ts is there, with its first tests.")),
        UserMessage(_REQUEST),
        *_done("c2", "edit", {"path": "src/totals.ts", "edits": []}, "Edited src/totals.ts"),
        *_done("c3", "bash", {"command": TEST_COMMAND}, _FAILING.strip("\n"), is_error=True),
    )
    return tuple(_entries(messages))


def _entries(messages: tuple[Message, ...]) -> Iterator[MessageEntry]:
    parent = None
    for number, message in enumerate(messages, 1):
        yield MessageEntry(id=f"e{number}", parent_id=parent, line=number + 1, message=message)
        parent = f"e{number}"


def _done(
    call_id: str,
    tool: str,
    arguments: dict[str, JsonValue],
    output: str,
    *,
    is_error: bool = False,
) -> tuple[Message, Message]:
    """Return a tool call and its result."""
    result = ToolResultMessage(
        tool_call_id=call_id, tool_name=tool, content=(TextBlock(output),), is_error=is_error
    )
    return _reply(ToolCall(id=call_id, name=tool, arguments=arguments)), result


def _reply(block: Block) -> AssistantMessage:
    reason = "toolUse" if isinstance(block, ToolCall) else "stop"
    return AssistantMessage(content=(block,), stop_reason=reason)
