"""How the call of a shell tool ended."""

import re
from typing import Literal, NamedTuple

from longhaul.compaction.ledger.runs import ToolRun
from longhaul.transcript.entries import NestedCall, ToolResultMessage, content_text

Status = Literal["exited", "timed out", "aborted", "no exit code", "did not run"]


class Exit(NamedTuple):
    """How a whole shell command ended; a tuple, as there are very many."""

    status: Status
    code: int = 0
    """The exit code where the status is `exited`."""
    output: str = ""
    """What it printed, without pi's own last line."""

    @property
    def failed(self) -> bool:
        """Whether it ended in any other way than with exit code 0."""
        return self.status != "exited" or self.code != 0


_STATUS = re.compile(
    r"(?:^|\n\n)Command (?:exited with code (?P<code>-?\d+)|(?P<timeout>timed out after [^\n]*)"
    r"|(?P<aborted>aborted)|(?P<none>terminated without an exit code))\s*$"
)


def exit_of(run: ToolRun) -> Exit:
    """Return how a run of a shell tool ended."""
    result = run.result
    if isinstance(result, ToolResultMessage):
        return parse_exit(content_text(result.content), is_error=result.is_error)
    if isinstance(result, NestedCall):
        return Exit(status="exited" if result.status == "ok" else "no exit code")
    if result.cancelled:
        return Exit(status="aborted", output=result.output)
    if result.exit_code is None:
        return Exit(status="no exit code", output=result.output)
    return Exit(status="exited", code=result.exit_code, output=result.output)


def parse_exit(text: str, *, is_error: bool) -> Exit:
    """Return how a call of pi's shell tool ended, from its result's text.

    A failed call without pi's closing line was refused or broke before the command ran.
    """
    if not is_error:
        return Exit(status="exited", code=0, output=text)
    found = _STATUS.search(text, max(0, len(text) - 400))
    if found is None:
        return Exit(status="did not run", output=text)
    output = text[: found.start()]
    if found["code"]:
        return Exit(status="exited", code=int(found["code"]), output=output)
    if found["timeout"]:
        return Exit(status="timed out", output=output)
    return Exit(status="aborted" if found["aborted"] else "no exit code", output=output)
