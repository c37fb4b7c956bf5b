"""What an assistant does in a turn, in one line of a test."""

from longhaul.transcript.entries import Entry
from tests.build import assistant, call, result


def work(command: str, output: str, closing: str) -> list[Entry]:
    """Return a command, what it printed, and the words that close its turn."""
    ran = call("bash", command=command)
    answer = result(ran, output, is_error="exited with code" in output)
    return [assistant("Running it.", [ran]), answer, assistant(closing)]
