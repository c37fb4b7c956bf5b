"""What the tools did, read off the entries alone: the World of a state."""

from collections.abc import Iterable
from dataclasses import replace

from longhaul.compaction.ledger.changes import changes_files, is_temporary
from longhaul.compaction.ledger.checks import (
    CheckRun,
    check_command,
    check_indices,
    check_key,
    judge,
)
from longhaul.compaction.ledger.commands import is_only_looking
from longhaul.compaction.ledger.commits import Git, Made, find_git
from longhaul.compaction.ledger.outcomes import Exit, end_of_pipe, parse_exit
from longhaul.compaction.ledger.runs import ToolRun
from longhaul.compaction.ledger.shell import ShellCommand, parse_shell
from longhaul.compaction.render.escape import clip
from longhaul.compaction.state import Check, Command, Commit, World
from longhaul.compaction.statements import text_of
from longhaul.transcript.entries import BashExecutionMessage, NestedCall, ToolResultMessage

_MAX_CHECKS = 40
_MAX_COMMITS = 20
_MAX_COMMANDS = 40
_MAX_COMMAND_CHARS = 400
_SHELL_TOOLS = ("bash", "powershell")
_LITERAL_STOPS = frozenset("$*?[]{}~`&!")
"""Characters by which a redirection's target may be another file than it reads."""


def advance_world(world: World, runs: Iterable[ToolRun]) -> World:
    """Return `world` after `runs`, oldest first; runs that went before it are in it already."""
    ledger = _Ledger(world)
    for run in runs:
        ledger.note(run)
    return ledger.world()


class _Ledger:
    """A world that is being written."""

    def __init__(self, world: World) -> None:
        self.checks: dict[tuple[str, ...], tuple[int, Check | CheckRun]] = {
            check_key(check.command): (0, check) for check in world.checks
        }
        """By key, in the order of the last run, with the time of it."""
        self.commits = list(world.commits)
        self.head = world.head
        self.modified = dict.fromkeys(world.modified)
        self.read = dict.fromkeys(world.read)
        self.commands = {noted.command: noted for noted in world.commands}
        self.time = 0
        """Counts what was noted."""
        self.changed_at = 0
        """When a file was last changed; 0 where nothing noted here did."""

    def world(self) -> World:
        checks = list(self.checks.values())[-_MAX_CHECKS:]
        return World(
            checks=tuple(self._judged(time, check) for time, check in checks),
            commits=tuple(self.commits),
            head=self.head,
            modified=tuple(self.modified),
            read=tuple(self.read),
            commands=tuple(self.commands.values())[-_MAX_COMMANDS:],
        )

    def _judged(self, time: int, check: Check | CheckRun) -> Check:
        is_stale = self.changed_at > time
        if isinstance(check, CheckRun):
            return judge(check, files_changed_since=is_stale)
        return replace(check, files_changed_since=True) if is_stale else check

    def note(self, run: ToolRun) -> None:
        """Write down what one run did."""
        if run.name in _SHELL_TOOLS:
            command = run.arguments.get("command")
            if isinstance(command, str):
                self._note_shell(command, _exit_of(run), run)
        elif not _failed(run):
            path = run.arguments.get("path")
            if isinstance(path, str) and run.name in ("edit", "write"):
                self._note_change((path,))
            elif isinstance(path, str) and run.name == "read" and path not in self.modified:
                self.read.pop(path, None)
                self.read[path] = None

    def _note_change(self, paths: Iterable[str]) -> None:
        self.time += 1
        self.changed_at = self.time
        for path in paths:
            self.read.pop(path, None)
            self.modified.pop(path, None)
            self.modified[path] = None

    def _note_shell(self, command: str, ended: Exit, run: ToolRun) -> None:
        failed = ended.status != "exited" or ended.code != 0
        is_hidden = isinstance(run.result, BashExecutionMessage) and run.result.exclude_from_context
        if not is_hidden:
            shown = _shown(command)
            self.commands.pop(shown, None)
            self.commands[shown] = Command(command=shown, failed=failed, turn=run.turn)
        if ended.status == "did not run" or is_only_looking(command):
            return
        shell = parse_shell(command)
        checks = check_indices(shell)
        own_pipes = {own for index in checks for own in range(index, end_of_pipe(shell, index) + 1)}
        enters = any(step.words[0] in ("cd", "pushd") for step in shell.steps)
        for index, step in enumerate(shell.steps):
            is_check = index in checks
            if (is_check or index not in own_pipes) and changes_files(step.program, command):
                self._note_change(())
            if step.writes and index not in own_pipes:
                self._note_writes(step.writes, failed=failed, enters=enters)
            if is_check and not is_hidden:
                self._note_check(shell, index, ended, is_only=len(checks) == 1, turn=run.turn)
        if _may_name_git(command):
            git = find_git(shell.steps, ended.output, failed=failed)
            self._note_git(git, run.turn, is_hidden=is_hidden)

    def _note_writes(self, writes: Iterable[str], *, failed: bool, enters: bool) -> None:
        """Note the files a command's output went to; by path where it is certain which they are."""
        written = [path for path in writes if not is_temporary(path)]
        if written:
            is_certain = not failed and not enters
            self._note_change(
                path for path in written if is_certain and _LITERAL_STOPS.isdisjoint(path)
            )

    def _note_check(
        self, shell: ShellCommand, index: int, ended: Exit, *, is_only: bool, turn: int
    ) -> None:
        self.time += 1
        run = CheckRun(shell=shell, index=index, ended=ended, is_only=is_only, turn=turn)
        key = check_key(check_command(shell, index))
        self.checks.pop(key, None)
        self.checks[key] = self.time, run

    def _note_git(self, git: Git, turn: int, *, is_hidden: bool) -> None:
        if is_hidden:
            self.head = self.head if git.head is None else ""
            return
        for made in git.made:
            self._note_commit(made, turn)
        if git.head is not None:
            known = (commit.hash for commit in reversed(self.commits))
            head = git.head
            self.head = next((short for short in known if head.startswith(short)), head)

    def _note_commit(self, made: Made, turn: int) -> None:
        if made.is_amended and self.commits and self.commits[-1].hash == self.head:
            self.commits.pop()
        if all(commit.hash != made.hash for commit in self.commits):
            self.commits.append(Commit(hash=made.hash, title=made.title, turn=turn))
            del self.commits[:-_MAX_COMMITS]


def _shown(command: str) -> str:
    """Return a command as the state shows it.

    Exact, but for one over 400 characters or with a here-document: of that its first line, and `…`
    to say that it is not whole.
    """
    first, *others = command.split("\n", 1)
    if len(command) <= _MAX_COMMAND_CHARS and not (others and "<<" in first):
        return command
    return clip(f"{first.rstrip()} …" if others else first, _MAX_COMMAND_CHARS)


def _may_name_git(command: str) -> bool:
    return "git" in command or "version" in command or "gh pr" in command


def _failed(run: ToolRun) -> bool:
    if isinstance(run.result, NestedCall):
        return run.result.status != "ok"
    return isinstance(run.result, ToolResultMessage) and run.result.is_error


def _exit_of(run: ToolRun) -> Exit:
    """Return how a run of a shell tool ended."""
    result = run.result
    if isinstance(result, ToolResultMessage):
        return parse_exit(text_of(result.content), is_error=result.is_error)
    if isinstance(result, NestedCall):
        return Exit(status="exited" if result.status == "ok" else "no exit code")
    if result.cancelled:
        return Exit(status="aborted", output=result.output)
    if result.exit_code is None:
        return Exit(status="no exit code", output=result.output)
    return Exit(status="exited", code=result.exit_code, output=result.output)
