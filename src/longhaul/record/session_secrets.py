"""Secrets in a session. What looks for them is imported only where that is asked for."""

import importlib.util
from typing import Protocol

from longhaul.errors import CheckError
from longhaul.models.installing import pip_command
from longhaul.record.session_lines import Line


class SecretScanner(Protocol):
    """Tells which types of secrets there are, never the secrets."""

    def types_in(self, text: str) -> set[str]:
        """Return the types of the secrets in a text."""

    def types_in_outline(self, outline: str) -> set[str]:
        """Return the types of the secrets in a line as it stands, where random ids are usual."""


def open_secret_scanner() -> SecretScanner:
    """Return a scanner; only now detect-secrets is imported, which nothing else needs.

    Raises:
        CheckError: it is not installed; the message says how.
    """
    if importlib.util.find_spec("detect_secrets") is None:
        command = pip_command("pi-longhaul[eval]")
        raise CheckError(f"looking for secrets needs an extra: {command}")
    from longhaul.record.secret_plugins import PluginScanner  # noqa: PLC0415 - see above

    return PluginScanner()


def find_secrets(line: Line, scanner: SecretScanner) -> str | None:
    """Return which types of secrets a line holds, or None.

    Every string of it is looked at, and its outline, for what a key says of its value.
    """
    types = scanner.types_in_outline(line.outline).union(*map(scanner.types_in, line.texts))
    if not types:
        return None
    return (
        f"holds what looks like a secret ({', '.join(sorted(types))}); withdraw it if it is one and"
        " record without it, or review it"
    )
