"""The session files that a check is given, folders opened, each under a name of its own."""

from collections.abc import Iterator, Sequence
from pathlib import Path as FilePath

from longhaul.errors import CheckError
from longhaul.pi.scan import show_file

SUFFIX = ".jsonl"


def find_session_files(given: Sequence[FilePath]) -> dict[str, FilePath]:
    """Return session files by name (the file's, without `.jsonl`), in the order given.

    A folder stands for every `.jsonl` file in it; a file that is given twice counts once.

    Raises:
        CheckError: a folder holds no session, a file is none or a link, or two are of one name.
        OSError: a folder cannot be read.
    """
    found: dict[str, FilePath] = {}
    for file in (one for path in given for one in _files_of(path)):
        name = _session_name(file)
        known = found.setdefault(name, file)
        if known.absolute() != file.absolute():
            raise CheckError(
                f"{show_file(known)} and {show_file(file)} are of one name; check them one by one"
            )
    return found


def _files_of(path: FilePath) -> Iterator[FilePath]:
    if not path.is_dir():
        yield path
        return
    files = sorted(file for file in path.iterdir() if file.name.endswith(SUFFIX))
    if not files:
        raise CheckError(f"{show_file(path)}: no session ({SUFFIX}) in it")
    yield from files


def _session_name(file: FilePath) -> str:
    if file.is_symlink():
        raise CheckError(f"{show_file(file)}: a link; give the file that it leads to")
    name = file.name.removesuffix(SUFFIX)
    if name in {"", file.name}:
        raise CheckError(f"{show_file(file)}: no session; its name would end in {SUFFIX}")
    return name
