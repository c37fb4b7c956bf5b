"""The check commands among what was run, and how each ended the last time."""

from dataclasses import dataclass
from typing import NamedTuple

from longhaul.compaction.ledger.check_commands import is_check
from longhaul.compaction.ledger.exits import exit_of
from longhaul.compaction.ledger.outcomes import judge_check
from longhaul.compaction.ledger.runs import ToolRun
from longhaul.compaction.ledger.shell import ShellCommand, parse_shell
from longhaul.compaction.render.escape import clip
from longhaul.compaction.secrets import MASK, mask_secrets
from longhaul.compaction.state import Check

MAX_COMMAND_CHARS = 400
"""As much of a command is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCheck:
    """A check in a command, whatever came of it."""

    shell: ShellCommand
    step_index: int
    """Which step of the command it is."""
    key: tuple[str, ...]
    """See `check_key`."""
    is_only: bool
    """True where the command holds no other check."""


class CheckRun(NamedTuple):
    """One run of a check, not yet judged; a tuple, as most are never judged."""

    check: PlannedCheck
    run: ToolRun


def check_command(shell: ShellCommand, index: int) -> str:
    """Return how a check is shown: its step as written, behind the `cd` that stands before it.

    What its output goes through (`2>&1 | tail -5`) is no part of it.
    """
    moves = [step for step in shell.steps[:index] if step.words[0] == "cd"]
    text = shell.steps[index].text
    whole = mask_secrets(f"{moves[-1].text} && {text}" if moves else text)
    return clip(whole, MAX_COMMAND_CHARS)


def check_key(command: str) -> tuple[str, ...]:
    """Return what makes two check commands the same check: the directory, the program, its words.

    Assignments, `env`, `time`, `npx`, `uv run`, `python -m` and the like are no part of it.
    """
    steps = parse_shell(MASK.sub("masked", command)).steps
    directory = next((step.words[1:] for step in steps if step.words[0] == "cd"), ())
    program = steps[-1].program if steps else ()
    return (*directory, "&&", *program)


def plan_checks(shell: ShellCommand) -> dict[int, PlannedCheck]:
    """Return the checks of a command by the index of their step."""
    indices = [index for index, step in enumerate(shell.steps) if is_check(step.program)]
    return {
        index: PlannedCheck(
            shell=shell,
            step_index=index,
            key=check_key(check_command(shell, index)),
            is_only=len(indices) == 1,
        )
        for index in indices
    }


def judge(check_run: CheckRun, *, files_changed_since: bool) -> Check:
    """Return a run as the last outcome of its check."""
    check, run = check_run
    outcome, evidence = judge_check(
        check.shell, check.step_index, exit_of(run), is_only=check.is_only
    )
    return Check(
        command=check_command(check.shell, check.step_index),
        outcome=outcome,
        evidence=evidence,
        turn=run.turn,
        files_changed_since=files_changed_since,
    )
