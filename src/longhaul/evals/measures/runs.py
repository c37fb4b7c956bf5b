"""What the tool results of a session prove, read for the harness: not by the compactor's ledger."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from longhaul.compaction.statements import with_turns
from longhaul.evals.measures.entry_texts import entry_texts
from longhaul.evals.measures.run_commits import (
    MIN_HASH_CHARS,
    SeenCommit,
    find_commits,
    is_same_hash,
    moves_head,
)
from longhaul.evals.measures.run_outcomes import Ended, judge_step, read_ended
from longhaul.evals.measures.run_results import Result
from longhaul.evals.measures.run_steps import CheckKind, parse_command
from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    Entry,
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


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRun:
    """One step of a command that ran, or may have run."""

    index: int
    """Of the entry that holds the result."""
    turn: int
    """7 for `u7`."""
    text: str
    """The step, white space folded, without redirections."""
    folder: str
    """Where the `cd` before it goes; empty where none stands before it."""
    kind: CheckKind | None
    is_alone: bool
    """Its command has no other step."""
    result: Result


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRun:
    """A whole shell command that ran."""

    index: int
    turn: int
    text: str
    """White space folded."""
    is_failure: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A file that a file tool wrote."""

    index: int
    file: str


_Placed = TypeVar("_Placed", StepRun, CommandRun, SeenCommit, Change)


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """What ran on a path and how it ended, all of it oldest first; see `before`."""

    path: Path
    steps: Mapping[str, Sequence[StepRun]]
    """By text."""
    checks: Mapping[CheckKind, Sequence[StepRun]]
    commands: Sequence[CommandRun]
    commands_by_text: Mapping[str, Sequence[CommandRun]]
    texts: Sequence[str]
    """Those of the commands, sorted, so that those with one beginning stand together."""
    commits: Sequence[SeenCommit]
    commits_by_hash: Mapping[str, Sequence[SeenCommit]]
    """By the first seven digits."""
    head_moves: Sequence[int]
    """Entries after whose commands HEAD may have been another."""
    changes: Sequence[Change]


def before(items: Sequence[_Placed], end: int) -> Sequence[_Placed]:
    """Return those of a path's findings whose result stands in `path[:end]`."""
    return items[: bisect_left(items, end, key=lambda item: item.index)]


def find_seen(runs: Runs, hash_text: str, end: int) -> Sequence[SeenCommit]:
    """Return what git showed of a commit in `path[:end]`."""
    alike = before(runs.commits_by_hash.get(hash_text[:MIN_HASH_CHARS], ()), end)
    return [seen for seen in alike if is_same_hash(seen.hash, hash_text)]


def has_appeared(runs: Runs, hash_text: str, end: int) -> bool:
    """Return whether a hash, or its first seven digits, stands in any message of `path[:end]`."""
    start = hash_text[:MIN_HASH_CHARS]
    if find_seen(runs, hash_text, end):
        return True
    return any(start in text for entry in runs.path[:end] for text in _all_texts(entry))


def _all_texts(entry: Entry) -> Iterator[str]:
    texts = entry_texts(entry)
    yield from (*texts.said, *texts.called, *texts.printed, *texts.told, *texts.thought)


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
        for block in entry.message.content:
            if isinstance(block, ToolCall):
                calls[block.id] = block


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


def _grouped(items: Iterable[_Placed], key: Callable[[_Placed], str]) -> dict[str, list[_Placed]]:
    groups: dict[str, list[_Placed]] = {}
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
            path=self._path,
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
