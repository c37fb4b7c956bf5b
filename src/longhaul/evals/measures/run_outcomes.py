"""How each step of a shell command ended, as far as the exit code and the output prove it."""

import re
from dataclasses import dataclass

from longhaul.evals.measures.run_results import Result, RunOutcome, read_result
from longhaul.evals.measures.run_steps import Shell, Step

_CLOSING = re.compile(
    r"(?:^|\n\n)Command (?:exited with code (?P<code>\d+)"
    r"|timed out after [^\n]*|aborted|terminated without an exit code)\s*$"
)
_CLOSING_CHARS = 300
_HARMLESS = frozenset(("cd", "echo", "printf", "true", ":", "export", "mkdir", "sleep", "pwd"))
"""Programs that are not expected to fail."""
_ENDS_SHELL = frozenset(("exit", "exec", "set", "trap", "return", "source", ".", "eval"))
"""After one of these a shell may end early, or go on after a failure, in ways not looked into."""
_FILTERS = frozenset(("tail", "head", "grep", "egrep", "rg", "tee", "cat"))
"""Programs behind a pipe that print lines as they came."""
_VIEWERS = _FILTERS | frozenset(("less", "sed", "awk", "diff"))
"""Programs that may print the result of another run; what git prints is marked line by line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a whole shell command ended."""

    code: int | None
    """Its exit code; None where it was stopped, never started, or no code is told."""
    output: str

    @property
    def is_failure(self) -> bool:
        """Whether it ended in any other way than with exit code 0."""
        return self.code != 0


def read_ended(text: str, *, is_error: bool) -> Ended:
    """Return how a call of pi's `bash` ended, from its result's text.

    Source: pi 1.6.0, which marks as errors the results that end with a line on how it failed.
    """
    if not is_error:
        return Ended(code=0, output=text)
    found = _CLOSING.search(text, max(0, len(text) - _CLOSING_CHARS))
    if found is None:
        return Ended(code=None, output=text)
    code = found["code"]
    return Ended(code=int(code) if code else None, output=text[: found.start()])


def judge_step(shell: Shell, index: int, ended: Ended) -> Result:
    """Return how step `index` of a command ended.

    `unproven` where neither the exit code must be its own nor a result line its own, and where the
    two disagree.
    """
    step = shell.steps[index]
    if shell.is_compound or step.after == "&" or ended.code is None:
        return Result()
    by_exit = _judge_exit(shell.steps, index, ended.code)
    shown = _shown(shell.steps, index, ended.output)
    if "unproven" not in (by_exit, shown.outcome) and by_exit != shown.outcome:
        return Result()
    if shown.outcome != "unproven":
        return shown
    return Result(outcome=by_exit)


def _judge_exit(steps: tuple[Step, ...], index: int, code: int) -> RunOutcome:
    if any(step.program in _ENDS_SHELL for step in steps[:index]):
        return "unproven"
    after = [step.after for step in steps[index:-1]]
    before = _chain_before(steps, index)
    if steps[index].after == "|" or any(step.after == "||" for step in before):
        return "unproven"
    if code == 0:
        return "passed" if all(join in ("&&", "|") for join in after) else "unproven"
    others = (*before, *steps[index + 1 :])
    is_alone = all(join == "&&" for join in after) and all(
        step.program in _HARMLESS and step.after != "|" for step in others
    )
    return "failed" if is_alone else "unproven"


def _chain_before(steps: tuple[Step, ...], index: int) -> tuple[Step, ...]:
    start = index
    while start > 0 and steps[start].before in ("&&", "||", "|"):
        start -= 1
    return steps[start:index]


def _shown(steps: tuple[Step, ...], index: int, output: str) -> Result:
    """Return what the output shows of a check that is the only one of its command."""
    kind = steps[index].kind
    if kind is None or sum(step.kind is not None for step in steps) > 1:
        return Result()
    last = index
    while steps[last].after == "|":
        last += 1
        if steps[last].program not in _FILTERS:
            return Result()
    others = (*steps[:index], *steps[last + 1 :])
    result = read_result(kind, output)
    may_be_older = any(step.program in _VIEWERS and step.before != "|" for step in others)
    return Result() if may_be_older and result.total is None else result
