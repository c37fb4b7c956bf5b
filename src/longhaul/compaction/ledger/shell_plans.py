"""What a shell command may do to files, checks and history, before its output is looked at."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from longhaul.compaction.ledger.changes import changes_files, is_temporary
from longhaul.compaction.ledger.check_commands import is_only_looking
from longhaul.compaction.ledger.checks import MAX_COMMAND_CHARS, PlannedCheck, plan_checks
from longhaul.compaction.ledger.git_plans import GitPlan, plan_git
from longhaul.compaction.ledger.outcomes import end_of_pipe
from longhaul.compaction.ledger.shell import ShellCommand, parse_shell
from longhaul.compaction.render.escape import clip
from longhaul.compaction.secrets import mask_secrets

_LITERAL_STOPS = frozenset("$*?[]{}~`&!")
"""Characters by which a redirection's target may be another file than it reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What one step of a command may do, in this order."""

    changes_files: bool
    writes_files: bool
    """Whether its output goes to files that are not temporary."""
    written: tuple[str, ...]
    """Those of them whose paths are certain if the command succeeds."""
    check: PlannedCheck | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellPlan:
    """What one command may do; nothing, if it only looks."""

    shown: str
    """The command as the state shows it."""
    effects: tuple[Effect, ...] = ()
    """Of the steps that have one, in order."""
    git: GitPlan | None = None


@lru_cache(maxsize=1024)
def plan_command(command: str) -> ShellPlan:
    """Return what `command` may do."""
    if is_only_looking(command):
        return ShellPlan(shown=_shown(command))
    shell = parse_shell(command)
    return ShellPlan(
        shown=_shown(command),
        effects=tuple(_effects(command, shell)),
        git=plan_git(shell.steps) if _may_name_git(command) else None,
    )


def _effects(command: str, shell: ShellCommand) -> Iterator[Effect]:
    """Yield the effects of a command's steps; what a check's output goes through has none."""
    checks = plan_checks(shell)
    own_pipes = {own for index in checks for own in range(index, end_of_pipe(shell, index) + 1)}
    enters = any(step.words[0] in ("cd", "pushd") for step in shell.steps)
    for index, step in enumerate(shell.steps):
        check, is_own = checks.get(index), index in own_pipes
        changes = (check is not None or not is_own) and changes_files(step.program, command)
        writes = [path for path in step.writes if not is_own and not is_temporary(path)]
        if changes or writes or check is not None:
            yield Effect(
                changes_files=changes,
                writes_files=bool(writes),
                written=() if enters else tuple(filter(_LITERAL_STOPS.isdisjoint, writes)),
                check=check,
            )


def _shown(command: str) -> str:
    """Return a command as the state shows it.

    Exact, but for masked secrets, and for one over 400 characters or with a here-document: of that
    its first line, and `…` to say that it is not whole.
    """
    command = mask_secrets(command)
    first, *others = command.split("\n", 1)
    if len(command) <= MAX_COMMAND_CHARS and not (others and "<<" in first):
        return command
    return clip(f"{first.rstrip()} …" if others else first, MAX_COMMAND_CHARS)


def _may_name_git(command: str) -> bool:
    return "git" in command or "version" in command or "gh pr" in command
