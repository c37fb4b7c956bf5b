"""Whether a shell command got as far as one of its steps."""

import re

from longhaul.compaction.ledger.shell import ShellCommand, Step

_LEAVING = frozenset(("exit", "return", "logout"))
_EXITS = re.compile(r"\bexit\b")


def is_out_of_reach(shell: ShellCommand, index: int) -> bool:
    """Return whether a step before `index` surely ends the command: `exit 0; pytest`."""
    return any(
        _leaves(step) and step.before in ("", ";") and not _is_subshell(step)
        for step in shell.steps[:index]
    )


def may_have_ended(shell: ShellCommand, index: int, code: int) -> bool:
    """Return whether a step before `index` can be what ended the command with exit code `code`.

    That is an `exit` with that code or one not written out, a command put in the shell's place, a
    trap that exits, and, where `code` is not 0, any failure under `set -e`.
    """
    return any(_may_end(step, code) for step in shell.steps[:index])


def _may_end(step: Step, code: int) -> bool:
    if step.words[0] == "trap":
        return any(map(_EXITS.search, step.words))
    if _ends_at_failure(step):
        return code != 0
    return _leaves(step) and not _is_subshell(step) and _may_give(step, code)


def _leaves(step: Step) -> bool:
    """Return whether a step ends the shell; an `exec` of nothing only redirects."""
    return step.words[0] in _LEAVING or (step.words[0] == "exec" and len(step.words) > 1)


def _may_give(step: Step, code: int) -> bool:
    """Return whether a leaving step may end with `code`; without a number it passes one on."""
    if step.words[0] == "exec":
        return True
    given = step.words[1] if step.words[1:] else "$?"
    if given.isdecimal():
        return int(given) % 256 == code
    is_of_failure = given == "$?" and step.before == "||"
    return code != 0 or not is_of_failure


def _is_subshell(step: Step) -> bool:
    return step.before == "|" or step.after in ("|", "&")


def _ends_at_failure(step: Step) -> bool:
    """Return whether a step is `set -e`, alone or among other options."""
    return step.words[0] == "set" and any(
        (word.startswith("-") and "e" in word) or word == "errexit" for word in step.words[1:]
    )
