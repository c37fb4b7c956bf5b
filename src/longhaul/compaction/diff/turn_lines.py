"""What happened in a span, a line each: what was typed and replied, and what each tool call did."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from longhaul.compaction.diff.call_text import call_text
from longhaul.compaction.diff.framing import LEFT_OUT, data_line, shorten
from longhaul.compaction.ledger import find_runs
from longhaul.compaction.ledger.runs import ToolRun
from longhaul.compaction.rules.own_words import read_lines
from longhaul.compaction.statements import (
    Statement,
    count_turns,
    find_statements,
    with_turns,
)
from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    BranchSummaryEntry,
    ContextEditEntry,
    CustomMessageEntry,
    Entry,
    MessageEntry,
    Path,
    UserMessage,
    content_text,
)
from longhaul.transcript.projection import edited_messages

LineKind = Literal["message", "reply", "call", "remark"]

_LONG_MESSAGE_CHARS = 400
"""Only in a longer message is looked for what was pasted into it."""
_REPLY_CHARS = 600
_REMARK_CHARS = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLine:
    """One line of a digest."""

    turn: int
    kind: LineKind
    text: str
    """Escaped and masked, its label included; a message's is not clipped."""
    own: str = ""
    """A long message without what was pasted into it; empty where nothing is known to be."""
    is_cut: bool = False
    """True for a reply of which the middle is left out, however much room there is."""
    is_failure: bool = False
    """True for a call that failed."""
    is_last: bool = False
    """True for the last reply of its turn in the span."""


def find_turn_lines(
    path: Path, *, start: int, end: int, n_turns: int, ask_tools: tuple[str, ...]
) -> list[TurnLine]:
    """Return what `path[start:end]` holds, oldest first; `n_turns` user messages stand before it.

    Messages are what the user typed; one that an edit left out or rewrote is no longer there.
    Replies and calls are shown as edits leave them.
    """
    edits = {entry.target_id: entry for entry in path if isinstance(entry, ContextEditEntry)}
    typed: dict[str, list[TurnLine]] = {}
    for said in find_statements(path, start, end, n_turns=n_turns, ask_tools=ask_tools):
        if said.entry_id not in edits:
            typed.setdefault(said.entry_id, []).append(_message_line(said))
    runs: dict[str, list[ToolRun]] = {}
    for run in find_runs(path, start, end, n_turns):
        runs.setdefault(run.entry_id, []).append(run)
    lines = _message_before(path, start, n_turns, edits)
    for entry, turn in with_turns(path[start:end], n_turns):
        lines += _entry_lines(entry, turn, edits, runs.get(entry.id, []))
        lines += typed.get(entry.id, [])
    return _with_last(lines)


def _message_line(said: Statement) -> TurnLine:
    label = f"u{said.turn} user{' answers' if said.is_answer else ''}: "
    own = _without_pasted(said.text) if len(said.text) > _LONG_MESSAGE_CHARS else ""
    return TurnLine(
        turn=said.turn,
        kind="message",
        text=label + data_line(said.text),
        own=own and label + data_line(own),
    )


def _without_pasted(text: str) -> str:
    """Return `text` with `[…]` for each stretch of pasted lines; empty where there is none."""
    lines = read_lines(text)
    if all(line.own for line in lines):
        return ""
    shown = [text[line.start : line.end] if line.own else LEFT_OUT for line in lines]
    return "\n".join(line for line, _ in groupby(shown))


def _message_before(
    path: Path, start: int, n_turns: int, edits: Mapping[str, ContextEditEntry]
) -> list[TurnLine]:
    """Return the ends of the message whose turn goes on at `start`, if one does."""
    if start < len(path) and count_turns(path, start, start + 1):
        return []
    asked = next((at for at in range(start - 1, -1, -1) if count_turns(path, at, at + 1)), None)
    if asked is None or path[asked].id in edits:
        return []
    return [
        TurnLine(
            turn=n_turns,
            kind="remark",
            text=f"u{n_turns}, said before this stretch: {data_line(said.text, _REMARK_CHARS)}",
        )
        for said in find_statements(path, asked, asked + 1, n_turns=n_turns - 1)
    ]


def _with_last(lines: list[TurnLine]) -> list[TurnLine]:
    """Mark the last reply of each turn."""
    last = {line.turn: index for index, line in enumerate(lines) if line.kind == "reply"}
    return [
        replace(line, is_last=line.kind == "reply" and last[line.turn] == index)
        for index, line in enumerate(lines)
    ]


def _entry_lines(
    entry: Entry, turn: int, edits: Mapping[str, ContextEditEntry], runs: list[ToolRun]
) -> Iterator[TurnLine]:
    match entry:
        case MessageEntry(message=UserMessage()) if entry.id in edits:
            yield TurnLine(turn=turn, kind="remark", text=f"u{turn} was edited out of the session")
        case MessageEntry(message=AssistantMessage()):
            yield from _reply_lines(entry, turn, edits)
        case MessageEntry():
            for run in runs:
                yield from _call_line(run, turn)
        case CustomMessageEntry():
            note = data_line(content_text(entry.content), _REMARK_CHARS)
            yield TurnLine(turn=turn, kind="remark", text=f"- an extension adds: {note}")
        case BranchSummaryEntry() if entry.summary:
            note = data_line(entry.summary, _REMARK_CHARS)
            yield TurnLine(turn=turn, kind="remark", text=f"- came back from a branch: {note}")


def _reply_lines(
    entry: MessageEntry, turn: int, edits: Mapping[str, ContextEditEntry]
) -> Iterator[TurnLine]:
    for message in edited_messages(entry, edits):
        if isinstance(message, AssistantMessage) and content_text(message.content).strip():
            whole = data_line(content_text(message.content))
            said = shorten(whole, _REPLY_CHARS)
            yield TurnLine(turn=turn, kind="reply", text=f"- says: {said}", is_cut=said != whole)


def _call_line(run: ToolRun, turn: int) -> Iterator[TurnLine]:
    result = run.result
    if not (isinstance(result, BashExecutionMessage) and result.exclude_from_context):
        text, failed = call_text(run)
        yield TurnLine(turn=turn, kind="call", text=text, is_failure=failed)
