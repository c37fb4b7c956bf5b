"""How what a model needs is installed: with the Python that lacks it, whichever is on the PATH."""

import shlex
import sys


def pip_command(*arguments: str) -> str:
    """Return the command that installs `arguments` for the running Python, ready for a shell."""
    return f"{shlex.join((sys.executable, '-m', 'pip', 'install'))} {shlex.join(arguments)}"
