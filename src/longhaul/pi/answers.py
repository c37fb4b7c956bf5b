"""What `serve` answers: each method of the protocol as a function of the session it names."""

from pathlib import Path as FilePath

from longhaul.compaction.compact import (
    Compaction,
    CompactOptions,
    Report,
    compact_offline,
    render_whole,
)
from longhaul.compaction.report_text import kept_text, trouble_texts
from longhaul.config import Config, load_config
from longhaul.errors import SessionError
from longhaul.pi.protocol import (
    METHOD_NOT_FOUND,
    SESSION_UNREADABLE,
    CompactParams,
    Params,
    ProtocolError,
    Request,
    Source,
    parse_compact,
    parse_source,
)
from longhaul.pi.sessions import Session, SessionReader, path_to, session_from_records
from longhaul.transcript.entries import Path


class Answers:
    """Answers one request after the other; keeps the session read last, to go on from there."""

    def __init__(self, agent_dir: FilePath) -> None:
        """Start without a session; the user's settings are in `agent_dir`, pi's agent folder."""
        self._agent_dir = agent_dir
        self._session_file = ""
        self._reader = SessionReader(FilePath())

    def __call__(self, request: Request) -> Params:
        """Return the result of a request.

        Raises:
            ProtocolError: there is none; the code says why.
        """
        match request.method:
            case "compact":
                return self._compact(parse_compact(request.params))
            case "show":
                return self._show(parse_source(request.params))
        raise ProtocolError(METHOD_NOT_FOUND, f"no method {request.method!r}")

    def _compact(self, params: CompactParams) -> Params:
        path = self._load_path(params.source)
        config = load_config(self._agent_dir)
        compaction = make_compaction(path, params, config)
        return {
            **_addressed(params.source),
            "firstKeptEntryId": compaction.first_kept_entry_id,
            "tokensBefore": compaction.tokens_before,
            "summary": compaction.summary,
            "details": compaction.details,
            "notice": render_notice(compaction.report) + settings_text(config),
        }

    def _show(self, source: Source) -> Params:
        path = self._load_path(source)
        config = load_config(self._agent_dir)
        options = make_options(source, config)
        return {**_addressed(source), "text": render_whole(path, options).text}

    def _load_path(self, source: Source) -> Path:
        """Return the path that ends at the asked leaf.

        Raises:
            ProtocolError: the file cannot be read or does not hold that path.
        """
        try:
            session = self._load(source)
        except SessionError as error:
            raise ProtocolError(SESSION_UNREADABLE, str(error)) from error
        path = path_to(session, source.leaf_id)
        if session.header.id != source.session_id or not path:
            where = source.session_file or "what pi sent"
            raise ProtocolError(SESSION_UNREADABLE, f"{where} does not hold the session's path")
        return path

    def _load(self, source: Source) -> Session:
        if source.session_file is None:
            records = (dict(record) for record in source.records)
            return session_from_records(records, file=FilePath("what pi sent"))
        if source.session_file != self._session_file:
            self._session_file = source.session_file
            self._reader = SessionReader(FilePath(source.session_file))
        return self._reader.read()


def make_compaction(path: Path, params: CompactParams, config: Config) -> Compaction:
    """Return the compaction of `path` at the cut that pi chose."""
    return compact_offline(
        path,
        first_kept_entry_id=params.first_kept_entry_id,
        tokens_before=params.tokens_before,
        options=make_options(params.source, config, params.instructions),
    )


def make_options(source: Source, config: Config, instructions: str = "") -> CompactOptions:
    """Return what pi and the user set for one compaction."""
    return CompactOptions(
        instructions=instructions,
        window_tokens=source.context_window,
        ask_tools=config.ask_tools,
        budget_chars=config.budget_chars,
    )


def render_notice(report: Report) -> str:
    """Return what the user is told a compaction kept, in part of a line."""
    return ", ".join((f"kept {kept_text(report)}", *trouble_texts(report)))


def settings_text(config: Config) -> str:
    """Return what the user is told is wrong with the settings, as the end of a line, or nothing."""
    if not config.complaints:
        return ""
    first, *others = config.complaints
    more = f" (and {len(others)} more: longhaul doctor)" if others else ""
    return f"; {first}{more}"


def _addressed(source: Source) -> Params:
    """Return what tells the extension that an answer is for its question."""
    return {"sessionId": source.session_id, "leafId": source.leaf_id}
