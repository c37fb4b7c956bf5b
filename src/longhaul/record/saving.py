"""Where a recording goes: looked at before it begins, written at its end."""

import os
import tempfile
from pathlib import Path

from longhaul.pi.whole_file import write_whole
from longhaul.record.driving import RecordError


def require_target(target: Path, *, overwrite: bool) -> None:
    """Refuse a place that cannot be written, before hours of recording and not after them.

    A folder that is not there yet is none of the reasons: it is made when there is a session.

    Raises:
        RecordError: the folder cannot be written, or the file is there already.
    """
    if target.is_dir():
        raise RecordError(f"{target} is a folder; name another with --out")
    if os.path.lexists(target) and not overwrite:
        raise RecordError(f"{target} is there already; replace it with --overwrite")
    folder = next(one for one in target.absolute().parents if one.exists())
    try:
        with tempfile.TemporaryFile(dir=folder):
            return
    except OSError as error:
        raise RecordError(
            f"cannot write to {folder}: {error.strerror}; name another folder with --out"
        ) from error


def save_session(target: Path, session: bytes) -> None:
    """Write a session file; a file of its name is always a whole one, an older one until then.

    Its folder is made where it is missing.

    Raises:
        RecordError: it cannot be written; nothing of it is left then.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, session)
    except OSError as error:
        raise RecordError(
            f"cannot write {target}: {error.strerror}; make room there, or name another folder"
            " with --out, and record again"
        ) from error
