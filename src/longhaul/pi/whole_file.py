"""Files that are whole whenever somebody sees them."""

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, content: bytes, *, mode: int = 0o644) -> None:
    """Write a file in one step; what stood at `path` stays until all of `content` is on the disk.

    `mode` says who may read it.

    Raises:
        OSError: it cannot be written; nothing of it is left then.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
