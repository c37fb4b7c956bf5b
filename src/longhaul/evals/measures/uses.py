"""What assistant messages use: the files and commands of their tool calls, the values in them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from longhaul.compaction.secrets import mask_secrets
from longhaul.evals.measures.entry_texts import message_texts, tool_calls
from longhaul.evals.measures.file_names import base_name, find_file_names
from longhaul.evals.measures.used_commands import normalized_commands
from longhaul.evals.measures.value_tokens import find_values
from longhaul.transcript.entries import AssistantMessage

_FILE_TOOLS = frozenset(("read", "write", "edit"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Uses:
    """What some messages use, each name once, in order."""

    paths: tuple[str, ...]
    """As the file tools were given them, without `./` before."""
    commands: tuple[str, ...]
    """Normalized; those that hold a secret are left out."""
    files: tuple[str, ...]
    """The names of `paths` without folders."""
    artifacts: tuple[str, ...]
    """Names of files inside commands, without folders."""
    values: tuple[str, ...]
    """Sorted."""


def find_uses(messages: Iterable[AssistantMessage]) -> Uses:
    """Return what the text and the tool calls of some messages use; reasoning is not read."""
    listed = list(messages)
    paths = dict.fromkeys(path for message in listed for path in _paths(message))
    commands = [command for message in listed for command in _commands(message)]
    steps = dict.fromkeys(step for command in commands for step in normalized_commands(command))
    artifacts = dict.fromkeys(name for command in commands for name in find_file_names(command))
    values = {value for message in listed for value in _values(message)}
    return Uses(
        paths=tuple(paths),
        commands=tuple(step for step in steps if mask_secrets(step) == step),
        files=tuple(dict.fromkeys(filter(None, map(base_name, paths)))),
        artifacts=tuple(artifacts),
        values=tuple(sorted(values)),
    )


def _paths(message: AssistantMessage) -> Iterator[str]:
    for call in tool_calls(message):
        path = call.arguments.get("path")
        if call.name in _FILE_TOOLS and isinstance(path, str) and path.strip():
            yield path.strip().removeprefix("./")


def _commands(message: AssistantMessage) -> Iterator[str]:
    for call in tool_calls(message):
        command = call.arguments.get("command")
        if isinstance(command, str):
            yield command


def _values(message: AssistantMessage) -> Iterator[str]:
    texts = message_texts(message)
    for text in (*texts.said, *texts.called):
        yield from find_values(text)
