"""The check commands among what was run, and how each ended the last time."""

from dataclasses import dataclass

from longhaul.compaction.ledger.commands import is_check
from longhaul.compaction.ledger.outcomes import Exit, judge_check
from longhaul.compaction.ledger.shell import ShellCommand, parse_shell
from longhaul.compaction.render.escape import clip
from longhaul.compaction.state import Check

_MAX_COMMAND_CHARS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRun:
    """One run of a check, not yet judged."""

    shell: ShellCommand
    index: int
    """Which step of the command it is."""
    ended: Exit
    is_only: bool
    """True where the command holds no other check."""
    turn: int


def check_command(shell: ShellCommand, index: int) -> str:
    """Return how a check is shown: its step as written, behind the `cd` that stands before it.

    What its output goes through (`2>&1 | tail -5`) is no part of it.
    """
    moves = [step for step in shell.steps[:index] if step.words[0] == "cd"]
    text = shell.steps[index].text
    return clip(f"{moves[-1].text} && {text}" if moves else text, _MAX_COMMAND_CHARS)


def check_key(command: str) -> tuple[str, ...]:
    """Return what makes two check commands the same check: the directory, the program, its words.

    Assignments, `env`, `time`, `npx`, `uv run`, `python -m` and the like are no part of it.
    """
    steps = parse_shell(command).steps
    directory = next((step.words[1:] for step in steps if step.words[0] == "cd"), ())
    program = steps[-1].program if steps else ()
    return (*directory, "&&", *program)


def check_indices(shell: ShellCommand) -> list[int]:
    """Return which steps of a command are checks."""
    return [index for index, step in enumerate(shell.steps) if is_check(step.program)]


def judge(run: CheckRun, *, files_changed_since: bool) -> Check:
    """Return a run as the last outcome of its check."""
    outcome, evidence = judge_check(run.shell, run.index, run.ended, is_only=run.is_only)
    return Check(
        command=check_command(run.shell, run.index),
        outcome=outcome,
        evidence=evidence,
        turn=run.turn,
        files_changed_since=files_changed_since,
    )
