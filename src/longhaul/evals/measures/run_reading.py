"""Reads what the tool results of a path prove, for the harness: not by the compactor's ledger."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from longhaul.compaction.statements import with_turns
from longhaul.evals.measures.entry_texts import tool_calls
from longhaul.evals.measures.hash_places import HashPlaces
from longhaul.evals.measures.run_commits import (
    MIN_HASH_CHARS,
    SeenCommit,
    find_commits,
    moves_head,
)
from longhaul.evals.measures.run_outcomes import Ended, judge_step, read_ended
from longhaul.evals.measures.run_steps import CheckKind, parse_command
from longhaul.evals.measures.runs import Change, CommandRun, Runs, StepRun
from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    JsonValue,
    MessageEntry,
    NestedCall,
    Path,
    ToolCall,
    ToolResultMessage,
    content_text,
)

_SHELL = "bash"
_CHANGING = frozenset(("write", "edit"))
_Found = TypeVar("_Found", CommandRun, SeenCommit)


def read_runs(path: Path) -> Runs:
    """Return what the tool results of a path prove."""
    reading = _Reading(path)
    calls: dict[str, ToolCall] = {}
    for index, (entry, turn) in enumerate(with_turns(path)):
        if isinstance(entry, MessageEntry):
            _note_calls(calls, entry)
            for tool in _tool_runs(calls, entry):
                reading.add(tool, index, turn)
    return reading.finish()


@dataclass(frozen=True, slots=True)
class _ToolRun:
    name: str
    arguments: Mapping[str, JsonValue]
    ended: Ended


def _note_calls(calls: dict[str, ToolCall], entry: MessageEntry) -> None:
    if isinstance(entry.message, AssistantMessage):
        calls.update((call.id, call) for call in tool_calls(entry.message))


def _tool_runs(calls: dict[str, ToolCall], entry: MessageEntry) -> Iterator[_ToolRun]:
    message = entry.message
    if isinstance(message, BashExecutionMessage):
        code = None if message.cancelled else message.exit_code
        yield _ToolRun(
            _SHELL, {"command": message.command}, Ended(code=code, output=message.output)
        )
    elif isinstance(message, ToolResultMessage):
        yield from map(_nested_run, message.nested_calls)
        call = calls.pop(message.tool_call_id, None)
        if call is not None:
            ended = read_ended(content_text(message.content), is_error=message.is_error)
            yield _ToolRun(call.name, call.arguments, ended)


def _nested_run(nested: NestedCall) -> _ToolRun:
    code = 0 if nested.status == "ok" else None
    return _ToolRun(nested.name, nested.arguments, Ended(code=code, output=""))


def _grouped(items: Iterable[_Found], key: Callable[[_Found], str]) -> dict[str, list[_Found]]:
    groups: dict[str, list[_Found]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


class _Reading:
    """Findings of a path while it is read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._steps: dict[str, list[StepRun]] = {}
        self._checks: dict[CheckKind, list[StepRun]] = {}
        self._commands: list[CommandRun] = []
        self._commits: list[SeenCommit] = []
        self._head_moves: list[int] = []
        self._changes: list[Change] = []

    def add(self, tool: _ToolRun, index: int, turn: int) -> None:
        """Note what one tool did."""
        command, file = tool.arguments.get("command"), tool.arguments.get("path")
        if tool.name == _SHELL and isinstance(command, str):
            self._add_command(command, tool.ended, index, turn)
        elif tool.name in _CHANGING and isinstance(file, str) and not tool.ended.is_failure:
            self._changes.append(Change(index=index, file=file))

    def finish(self) -> Runs:
        """Return all findings."""
        by_text = _grouped(self._commands, lambda run: run.text)
        return Runs(
            hash_places=HashPlaces(self._path),
            steps=self._steps,
            checks=self._checks,
            commands=self._commands,
            commands_by_text=by_text,
            texts=sorted(by_text),
            commits=self._commits,
            commits_by_hash=_grouped(self._commits, lambda seen: seen.hash[:MIN_HASH_CHARS]),
            head_moves=self._head_moves,
            changes=self._changes,
        )

    def _add_command(self, command: str, ended: Ended, index: int, turn: int) -> None:
        text = " ".join(command.split())
        run = CommandRun(index=index, turn=turn, text=text, is_failure=ended.is_failure)
        self._commands.append(run)
        self._commits += find_commits(command, ended.output, index=index, turn=turn)
        if moves_head(command):
            self._head_moves.append(index)
        for step in self._steps_of(command, ended, index, turn):
            self._steps.setdefault(step.text, []).append(step)
            if step.kind is not None:
                self._checks.setdefault(step.kind, []).append(step)

    def _steps_of(self, command: str, ended: Ended, index: int, turn: int) -> Iterable[StepRun]:
        shell = parse_command(command)
        for position, step in enumerate(shell.steps):
            yield StepRun(
                index=index,
                turn=turn,
                text=step.text,
                folder=step.folder,
                kind=step.kind,
                is_alone=len(shell.steps) == 1,
                result=judge_step(shell, position, ended),
            )
