"""Where a recording goes: looked at before it begins, written in one step at its end."""

import os
import tempfile
from pathlib import Path

from longhaul.record.driving import RecordError


def require_target(target: Path, *, overwrite: bool) -> None:
    """Refuse a place that cannot be written, before hours of recording and not after them.

    Raises:
        RecordError: there is no such folder, it cannot be written, or the file is there already.
    """
    if not target.parent.is_dir():
        raise RecordError(f"{target.parent} is no folder; make it, or name another with --out")
    if target.is_dir():
        raise RecordError(f"{target} is a folder; name another with --out")
    if target.exists() and not overwrite:
        raise RecordError(f"{target} is there already; replace it with --overwrite")
    try:
        with tempfile.TemporaryFile(dir=target.parent):
            return
    except OSError as error:
        raise RecordError(
            f"cannot write to {target.parent}: {error.strerror}; name another folder with --out"
        ) from error


def save_session(target: Path, session: bytes) -> None:
    """Write a session file so that a file of its name is always a whole one."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(session)
        temporary.chmod(0o644)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
