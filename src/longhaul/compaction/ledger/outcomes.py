"""How a check ended, as far as the exit code and the output prove it.

The exit code that pi shows is the whole command's. It proves a check's outcome only where it must
be the check's own; else only a result line of the check's own output can.
"""

from longhaul.compaction.ledger.exits import Exit
from longhaul.compaction.ledger.reach import is_out_of_reach, may_have_ended
from longhaul.compaction.ledger.result_lines import Result, judge_output
from longhaul.compaction.ledger.shell import ShellCommand, Step
from longhaul.compaction.render.escape import clip
from longhaul.compaction.state import CheckOutcome

_EVIDENCE_CHARS = 120

_TRANSPARENT = frozenset(
    (
        *("cd", "echo", "printf", "true", ":", "export", "set", "source", ".", "mkdir", "pwd"),
        *(
            "pushd",
            "popd",
            "ulimit",
            "clear",
            "date",
            "sleep",
            "unset",
            "umask",
            "shopt",
            "trap",
            "for",
        ),
    )
)
"""Programs whose failing is not expected, and whose output is no check's."""
_WHOLE_FILTERS = frozenset(("tail", "tee", "cat"))
"""Filters that keep the end of an output."""
_FILTERS = _WHOLE_FILTERS | frozenset(
    ("head", "grep", "egrep", "rg", "sed", "awk", "cut", "sort", "uniq", "tr", "nl", "wc")
)
_VIEWERS = frozenset(
    ("cat", "head", "tail", "less", "more", "grep", "egrep", "rg", "sed", "awk", "bat")
)
"""Programs that may print an older result."""


def judge_check(
    shell: ShellCommand, index: int, ended: Exit, *, is_only: bool
) -> tuple[CheckOutcome, str]:
    """Return the outcome of the check that `shell.steps[index]` is, and the evidence, one line.

    `is_only` says that the command holds no other check, so that a result line must be this one's.
    """
    outcome = _judge_exit(shell, index, ended)
    shown = Result(outcome="unproven")
    output = _own_output(shell, index, ended) if is_only else ""
    if output:
        is_last = end_of_pipe(shell, index) == len(shell.steps) - 1
        shown = judge_output(
            output,
            keeps_end=is_last and _WHOLE_FILTERS.issuperset(_filters(shell, index)),
            may_repeat=shell.is_compound,
        )
    if outcome == "unproven" and ended.status == "exited":
        outcome = shown.outcome
    if shown.line and outcome == shown.outcome:
        return outcome, clip(shown.line, _EVIDENCE_CHARS)
    return outcome, _exit_evidence(ended, outcome)


def _exit_evidence(ended: Exit, outcome: CheckOutcome) -> str:
    if ended.status != "exited":
        return ended.status
    return f"exit {ended.code}{' of the whole command' if outcome == 'unproven' else ''}"


def _judge_exit(shell: ShellCommand, index: int, ended: Exit) -> CheckOutcome:
    """Return what the exit code of the whole command proves about one step."""
    step = shell.steps[index]
    if ended.status != "exited" or shell.is_compound or step.after == "&":
        return "unproven"
    last = end_of_pipe(shell, index)
    if is_out_of_reach(shell, index) or may_have_ended(shell, index, ended.code):
        return "unproven"
    if last != index and not _keeps_exit(shell, index, last):
        return "unproven"
    if ended.code == 0:
        return _judge_success(shell, index, last)
    return _judge_failure(shell, index, last, ended)


def end_of_pipe(shell: ShellCommand, index: int) -> int:
    """Return the index of the last step of the pipeline that step `index` feeds."""
    while shell.steps[index].after == "|" and index + 1 < len(shell.steps):
        index += 1
    return index


def _keeps_exit(shell: ShellCommand, index: int, last: int) -> bool:
    """Return whether a pipeline ends with the exit code of its step `index`."""
    options = [step.words for step in shell.steps[:index] if step.words[0] == "set"]
    has_pipefail = any("pipefail" in words for words in options)
    return has_pipefail and all(
        step.words[0] in _WHOLE_FILTERS for step in shell.steps[index + 1 : last + 1]
    )


def _judge_success(shell: ShellCommand, index: int, last: int) -> CheckOutcome:
    """With exit code 0 every step of the last `&&` chain succeeded."""
    joins = [step.after for step in shell.steps[last:-1]] + [shell.steps[-1].after]
    if any(join not in ("&&", "|", "") for join in _without_final_separator(joins)):
        return "unproven"
    return "passed" if "||" not in _joins_before(shell, index) else "unproven"


def _judge_failure(shell: ShellCommand, index: int, last: int, ended: Exit) -> CheckOutcome:
    """With another code the first step of the last chain that can fail is the one that failed."""
    after = shell.steps[last + 1 :]
    joins = _without_final_separator([step.after for step in shell.steps[last:]])
    if any(join not in ("&&", "") for join in joins) or not all(map(_is_transparent, after)):
        return "unproven"
    chain = _chain_before(shell, index)
    if not all(map(_is_transparent, chain)) or "||" in _joins_before(shell, index):
        return "unproven"
    cannot_enter = any(step.words[0] == "cd" for step in chain) and ": cd: " in ended.output
    return "unproven" if cannot_enter else "failed"


def _without_final_separator(joins: list[str]) -> list[str]:
    return joins[:-1] if joins and joins[-1] == ";" else joins


def _chain_before(shell: ShellCommand, index: int) -> list[Step]:
    """Return the steps before `index` that are joined to it by `&&`, or feed it."""
    start = index
    while start > 0 and shell.steps[start].before in ("&&", "||", "|"):
        start -= 1
    return list(shell.steps[start:index])


def _joins_before(shell: ShellCommand, index: int) -> set[str]:
    return {step.after for step in _chain_before(shell, index)}


def _is_transparent(step: Step) -> bool:
    return step.words[0] in _TRANSPARENT or all("=" in word for word in step.words)


def _filters(shell: ShellCommand, index: int) -> list[str]:
    """Return the programs that the step's output goes through."""
    last = end_of_pipe(shell, index)
    return [step.words[0] for step in shell.steps[index + 1 : last + 1]]


def _own_output(shell: ShellCommand, index: int, ended: Exit) -> str:
    """Return the part of a command's output in which a result line must be this check's.

    All of it, unless another step prints a file, where an older result may stand: then the last
    line, if this is the last step and was surely run. None of it where the check's output went
    elsewhere, or the command ended before it.
    """
    step, last = shell.steps[index], end_of_pipe(shell, index)
    piped = shell.steps[index + 1 : last + 1]
    if is_out_of_reach(shell, index) or any(part.words[0] not in _FILTERS for part in piped):
        return ""
    written = {target for part in (step, *piped) for target in part.writes}
    others = [*shell.steps[:index], *shell.steps[last + 1 :]]
    readers = [part for part in others if not written.isdisjoint(part.words)]
    if written and not readers:
        return ""
    if not any(_is_viewer(part) for part in others if part not in readers):
        return ended.output
    if last != len(shell.steps) - 1 or not _was_run(shell, index, ended.code):
        return ""
    return ended.output.rstrip().rsplit("\n", 1)[-1]


def _was_run(shell: ShellCommand, index: int, code: int) -> bool:
    """Return whether nothing before a step can have kept it from being run."""
    is_joined = not _joins_before(shell, index).isdisjoint(("&&", "||"))
    return not is_joined and not may_have_ended(shell, index, code)


def _is_viewer(step: Step) -> bool:
    return step.words[0] in _VIEWERS and step.before != "|"
