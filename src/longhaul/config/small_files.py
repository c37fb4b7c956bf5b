"""Settings files read as what they should be: plain files, and small."""

import errno
import os
import stat
from pathlib import Path

MAX_BYTES = 1 << 20
"""Far more than anybody's settings take."""


def read_small_file(file: Path, *, max_bytes: int = MAX_BYTES) -> bytes:
    """Return what a file holds.

    A project brings such files, whoever wrote it, and a link in it may lead anywhere: a pipe is
    not waited for, and a device or what is too large is not read.

    Raises:
        OSError: there is none, or it cannot be read.
        ValueError: it is no plain file, or too large; the message says so in part of a line.
    """
    handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    try:
        mode = os.fstat(handle).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise ValueError("no plain file")
        with open(handle, "rb", closefd=False) as stream:
            data = stream.read(max_bytes + 1)
    finally:
        os.close(handle)
    if len(data) > max_bytes:
        raise ValueError(f"larger than {max_bytes:,} bytes")
    return data
