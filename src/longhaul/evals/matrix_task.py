"""The short session of the matrix: what is asked for, and what has to be recalled.

The work is scripted, so that it is the same for every model: what is under test is the compaction
and the turn after it.
"""

import re
from dataclasses import dataclass

from longhaul.pi.chat import Call, ChatRequest, Reply

TOOL = "bash"
"""What the scripted work runs."""
SCRIPT_NAME = "release.sh"
RECALL = (
    f"Two questions about this session, before we go on. Which build id did {SCRIPT_NAME} print?"
    " And which file did I say is never to be edited by hand? Answer in one sentence with both;"
    " nothing has to be run for it."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """The two things that only the session holds; no two runs have the same."""

    value: str
    """What the work prints."""
    file: str
    """What the rule is about."""

    @property
    def script(self) -> str:
        """The shell script of the project that prints the value."""
        return f'echo "packing 3 files"\necho "build id: {self.value}"\n'

    @property
    def turns(self) -> tuple[str, ...]:
        """What the user says before the compaction."""
        return (
            f"Make a release: run sh {SCRIPT_NAME} and tell me the build id that it prints.",
            f"A rule for all that follows: never edit {self.file} by hand.",
            "Which files are in this folder?",
        )

    @property
    def replies(self) -> tuple[Reply, ...]:
        """What the assistant does and says to them, each once and in order."""
        return (
            _run("call_1", f"sh {SCRIPT_NAME}"),
            Reply(text=f"The release is made; its build id is {self.value}."),
            Reply(text="Understood."),
            _run("call_2", "ls"),
            Reply(text=f"There is one file here, {SCRIPT_NAME}, and it is the one I ran."),
        )


def _run(call_id: str, command: str) -> Reply:
    return Reply(calls=(Call(id=call_id, name=TOOL, arguments={"command": command}),))


def holds(text: str, name: str) -> bool:
    """Return whether `text` holds `name` as a whole word."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) is not None


class ScriptedWork:
    """Answers the session's own requests from the task's replies."""

    def __init__(self, task: Task) -> None:
        """Start at the first reply."""
        self._left = iter(task.replies)

    def answer(self, request: ChatRequest) -> Reply:  # noqa: ARG002 - an Answer's
        """Return the next reply; one that ends the turn where there is none left."""
        return next(self._left, Reply(text="That was all."))
