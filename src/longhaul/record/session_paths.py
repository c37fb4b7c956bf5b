"""Absolute paths that lead out of the sandbox a session was recorded in."""

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from longhaul.record.session_lines import Line
from longhaul.record.session_wording import name_some

INSIDE = (
    "/home/dev",  # the sandbox's throwaway home
    "/tmp",  # the sandbox's own, empty at the start
    "/dev",  # null, stdin and the like
    "/proc",  # of the sandbox's own processes
    "/usr",  # the read-only system; the same files on every Debian
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/etc",  # the system's, with accounts made for the sandbox
    "/opt/node",  # the pinned Node
    "/opt/pi",  # the pinned pi, which its prompt names
    "/opt/ext",  # extensions that the recording loads
    "/opt/model",  # the way out to the model: a forwarder and a socket
    "/opt/longhaul",  # Longhaul, where it compacts the recorded session
    "/opt/python",  # the Python that it runs on there
    "/opt/agent",  # pi's settings in the sandbox
    "/opt/out",  # where pi writes the session
)
"""Places of the sandbox itself, and the folders above them by name alone: alike wherever a session
is recorded, so they tell nothing."""

_TOP_FOLDERS = (
    *("bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "libx32", "lost\\+found"),
    *("media", "mnt", "nix", "opt", "proc", "root", "run", "sbin", "snap", "srv", "sys", "tmp"),
    *("usr", "var", "work", "workspace", "workspaces"),  # Linux, its containers included
    *("Applications", "Library", "Network", "System", "Users", "Volumes", "cores", "private"),
    *("cygdrive", "[A-Za-z]/Users"),  # Windows, as its ports of Unix shells see it
)
_WINDOWS_FOLDERS = r"users|windows|winnt|program ?files|programdata|documents and settings|te?mp"

_NO_REQUEST = (
    r"(?<!\b(?:GET|PUT) )(?<!\b(?:POST|HEAD) )(?<!\b(?:PATCH|TRACE) )(?<!\bDELETE )"
    r"(?<!\b(?:OPTIONS|CONNECT) )"
)
"""What follows the method of a web request is a path of that server."""
_BEGINS = (
    r"(?:(?<![A-Za-z0-9_.~/\\*)}\]%$<-])"  # not src/lib, ./lib, ~/lib, */lib, $(x)/lib, //lib
    r"|(?<=/)(?=\\)"  # s/\/home/: the first slash is sed's
    r"|(?<=<)(?!/[A-Za-z0-9]+>)"  # </root> is a tag, </root/file an input
    r"|(?<=\\[nrt])"  # a line break as source text spells it
    r"|(?<=^-)"  # a line that a diff takes away
    r"|(?<=[\s\"'=]-[A-Za-z]))"  # an option of one letter: -I/usr/include
)
_UNIX = re.compile(
    rf"{_NO_REQUEST}{_BEGINS}\\*+/((?:{'|'.join(_TOP_FOLDERS)})"
    r"(?![A-Za-z0-9_-]|\.[A-Za-z0-9])(?:\\*+/[A-Za-z0-9._+-]*+)*+)",
    re.MULTILINE,
)
_WINDOWS = re.compile(
    r"(?<![A-Za-z0-9_])(?:"
    rf"[A-Za-z]:(?:\\{{1,4}}|/)(?=(?i:{_WINDOWS_FOLDERS})\b)"
    r"|[A-Z]:(?!\\[nrt])(?:\\{1,4}|/)(?=[A-Za-z0-9_.$-]{2})"
    r")[A-Za-z0-9_.$\\/+-]*+"
)
_FILE_URL = re.compile(r"(?<![A-Za-z0-9_])file://([A-Za-z0-9/][A-Za-z0-9._+%~:/-]*+)", re.I)
_DRIVE = re.compile(r"/[A-Za-z]:")


def find_paths(line: Line, name: str) -> str | None:
    """Return what is wrong with the absolute paths in a line of session `name`, or None.

    A path is looked at where it begins with a folder that stands at the top of a Linux, macOS or
    Windows system, or is a `file:` URL. A path of a web request (`GET /var`) is none.
    """
    found = [path for text in line.texts for path in outside_paths(text, name)]
    if not found:
        return None
    return f"{name_some(found)}: outside the sandbox; record without it, or review it"


def outside_paths(text: str, name: str) -> Iterator[str]:
    """Yield each path in a text that leads out of the sandbox of session `name`."""
    if "/" in text:
        for match in _UNIX.finditer(text):
            path = _normal(match[1])
            if not _is_inside(path, name):
                yield path
        for match in _FILE_URL.finditer(text):
            if not _is_inside_url(unquote(match[1]), name):
                yield match[0]
    if ":\\" in text or ":/" in text:
        yield from (match[0] for match in _WINDOWS.finditer(text))


def _normal(path: str) -> str:
    """Return an absolute path without `..`, doubled or escaped slashes, and a sentence's end."""
    return posixpath.normpath("/" + path.replace("\\", "").strip("/").rstrip("."))


def _is_inside(path: str, name: str) -> bool:
    places = (*INSIDE, f"/work/{name}")
    return any(f"{path}/".startswith(f"{one}/") or one.startswith(f"{path}/") for one in places)


def _is_inside_url(rest: str, name: str) -> bool:
    """Return whether what follows `file://` stays inside."""
    path = rest.removeprefix("localhost")
    if not path.startswith("/") or _DRIVE.match(path):
        return False
    normal = _normal(path.partition(":")[0])
    return normal == "/" or _is_inside(normal, name)
