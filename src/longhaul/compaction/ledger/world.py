"""What the tools did, read off the entries alone: the World of a state."""

from collections.abc import Iterable
from dataclasses import replace

from longhaul.compaction.ledger.checks import CheckRun, check_key, judge
from longhaul.compaction.ledger.commits import GitOutcome, MadeCommit, find_git
from longhaul.compaction.ledger.exits import Exit, exit_of
from longhaul.compaction.ledger.runs import ToolRun
from longhaul.compaction.ledger.shell_plans import Effect, ShellPlan, plan_command
from longhaul.compaction.render.escape import clip
from longhaul.compaction.secrets import mask_secrets
from longhaul.compaction.state import Check, Command, Commit, World
from longhaul.transcript.entries import BashExecutionMessage, NestedCall, ToolResultMessage

_MAX_CHECKS = 40
_MAX_COMMITS = 20
_MAX_COMMANDS = 40
_MAX_TITLE_CHARS = 120
_ENDED_WELL = Exit(status="exited")
_SHELL_TOOLS = ("bash", "powershell")


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
        self.commands = {noted.command: (noted.failed, noted.turn) for noted in world.commands}
        """By command, in the order of the last run: whether it failed, and the turn."""
        self.time = 0
        """Counts what was noted."""
        self.changed_at = 0
        """When a file was last changed; 0 where nothing noted here did."""

    def world(self) -> World:
        checks = list(self.checks.values())[-_MAX_CHECKS:]
        commands = list(self.commands.items())[-_MAX_COMMANDS:]
        return World(
            checks=tuple(self._judged(time, check) for time, check in checks),
            commits=tuple(self.commits),
            head=self.head,
            modified=tuple(self.modified),
            read=tuple(self.read),
            commands=tuple(
                Command(command=command, failed=failed, turn=turn)
                for command, (failed, turn) in commands
            ),
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
                self._note_shell(plan_command(command), run)
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

    def _note_shell(self, plan: ShellPlan, run: ToolRun) -> None:
        ended = _ended(run)
        failed = ended.failed
        is_hidden = isinstance(run.result, BashExecutionMessage) and run.result.exclude_from_context
        if not is_hidden:
            self.commands.pop(plan.shown, None)
            self.commands[plan.shown] = failed, run.turn
        if ended.status == "did not run":
            return
        for effect in plan.effects:
            self._note_files(effect, failed=failed)
            if effect.check is not None and not is_hidden:
                self._note_check(CheckRun(effect.check, run))
        if plan.git is not None:
            git = find_git(plan.git, exit_of(run).output, failed=failed)
            self._note_git(git, run.turn, is_hidden=is_hidden)

    def _note_files(self, effect: Effect, *, failed: bool) -> None:
        if effect.changes_files:
            self._note_change(())
        if effect.writes_files:
            self._note_change(() if failed else effect.written)

    def _note_check(self, check_run: CheckRun) -> None:
        self.time += 1
        key = check_run.check.key
        self.checks.pop(key, None)
        self.checks[key] = self.time, check_run

    def _note_git(self, git: GitOutcome, turn: int, *, is_hidden: bool) -> None:
        if is_hidden:
            self.head = self.head if git.head is None else ""
            return
        for made in git.made:
            self._note_commit(made, turn)
        if git.head:
            head, known = git.head, (commit.hash for commit in reversed(self.commits))
            self.head = next((short for short in known if head.startswith(short)), head)
        elif git.head is not None:
            self.head = ""

    def _note_commit(self, made: MadeCommit, turn: int) -> None:
        if made.is_amended and self.commits and self.commits[-1].hash == self.head:
            self.commits.pop()
        if all(commit.hash != made.hash for commit in self.commits):
            title = clip(mask_secrets(made.title), _MAX_TITLE_CHARS)
            self.commits.append(Commit(hash=made.hash, title=title, turn=turn))
            del self.commits[:-_MAX_COMMITS]


def _failed(run: ToolRun) -> bool:
    if isinstance(run.result, ToolResultMessage):
        return run.result.is_error
    return isinstance(run.result, NestedCall) and run.result.status != "ok"


def _ended(run: ToolRun) -> Exit:
    """Return how a run of a shell tool ended, without the output where it ended well.

    Few outputs are ever looked at.
    """
    is_well = isinstance(run.result, ToolResultMessage) and not run.result.is_error
    return _ENDED_WELL if is_well else exit_of(run)
