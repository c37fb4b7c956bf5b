"""The session that a request names, from its file or from the entries that came with it."""

from pathlib import Path as FilePath

from longhaul.errors import SessionError
from longhaul.pi.params import Source
from longhaul.pi.protocol import SESSION_UNREADABLE, ProtocolError
from longhaul.pi.sessions import Session, SessionReader, path_to, session_from_records
from longhaul.transcript.entries import Path

_SENT = "what pi sent"
"""How a session without a file is named."""


class SourceReader:
    """Reads one source after the other; keeps the session file read last, to go on from there."""

    def __init__(self) -> None:
        """Start without a session."""
        self._session_file = ""
        self._reader = SessionReader(FilePath())

    def read(self, source: Source) -> tuple[Session, Path]:
        """Return the session, and its path that ends at the asked leaf.

        Raises:
            ProtocolError: the file cannot be read or does not hold that path.
        """
        try:
            session = self._read_session(source)
        except SessionError as error:
            raise ProtocolError(SESSION_UNREADABLE, str(error)) from error
        path = path_to(session, source.leaf_id)
        if session.header.id != source.session_id or not path:
            where = source.session_file or _SENT
            raise ProtocolError(SESSION_UNREADABLE, f"{where} does not hold the session's path")
        return session, path

    def _read_session(self, source: Source) -> Session:
        if source.session_file is None:
            records = (dict(record) for record in source.records)
            return session_from_records(records, file=FilePath(_SENT))
        if source.session_file != self._session_file:
            self._session_file = source.session_file
            self._reader = SessionReader(FilePath(source.session_file))
        return self._reader.read()
