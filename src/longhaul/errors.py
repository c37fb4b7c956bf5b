"""The errors a caller of Longhaul can act on."""

from typing import ClassVar


class LonghaulError(Exception):
    """Base of every error that Longhaul raises on purpose; its text fits on one line."""


class SessionError(LonghaulError):
    """A session file cannot be read at all: it is missing, no file, or no pi session."""


class TranscriptError(LonghaulError):
    """An entry is not what the format says; the message names file, line and field."""


class SettingsError(LonghaulError):
    """A settings file is not what pi or Longhaul accepts; the message names file and key."""


class PiError(LonghaulError):
    """A running pi ended, refused a command, or did not do in time what was awaited of it."""


class InstallError(LonghaulError):
    """The extension cannot be placed or removed; the message says why and names the file."""


class ModelError(LonghaulError):
    """A model gave no reply, or not in time; the message says why and what to do."""


class ReplyAwaitedError(ModelError):
    """A reply that a file is to hold is not there yet; run again once it is."""

    exit_code: ClassVar[int] = 3
    """How a command ends that could not go on without it."""

    def __init__(self, text: str, *, missing: str = "") -> None:
        """Keep `missing`, what is not there, apart from what to do; by default all of `text`."""
        super().__init__(text)
        self.missing = missing or text


class CacheError(LonghaulError):
    """The user's cache cannot be used safely; the message names the folder and says why."""


class CheckError(LonghaulError):
    """A check cannot be made: a file or a package that it goes by is missing or malformed."""
