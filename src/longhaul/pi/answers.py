"""What `serve` answers: each method of the protocol as a function of the session it names."""

import os
from dataclasses import replace
from pathlib import Path as FilePath

from longhaul.compaction.carry import fold_to
from longhaul.compaction.compact import (
    Compaction,
    CompactOptions,
    Report,
    compact,
    render_whole,
)
from longhaul.compaction.corrections import (
    Refused,
    Resolved,
    correctable_rules,
    find_correction,
    resolve_correction,
)
from longhaul.compaction.report_text import dropped_texts, kept_text, trouble_texts
from longhaul.compaction.state import State
from longhaul.config import Config, load_config
from longhaul.pi.asked_model import AskedModel, Models, open_asked_model
from longhaul.pi.calls import Extension
from longhaul.pi.params import (
    CompactParams,
    CorrectParams,
    RulesParams,
    Source,
    parse_compact,
    parse_correct,
    parse_rules,
    parse_source,
)
from longhaul.pi.protocol import METHOD_NOT_FOUND, Params, ProtocolError, Request
from longhaul.pi.recall import Recaller, RecallRequest
from longhaul.pi.recall_cache import find_cache_dir
from longhaul.pi.recall_params import parse_recall, recall_result
from longhaul.pi.sessions import Session
from longhaul.pi.source_reader import SourceReader
from longhaul.pi.usage import sum_usage
from longhaul.transcript.entries import CustomEntry, ModelChangeEntry, OpaqueEntry, Path


class Answers:
    """Answers one request after the other; what was read for one serves the next."""

    def __init__(self, agent_dir: FilePath, extension: Extension, models: Models) -> None:
        """Start without a session; the user's settings are in `agent_dir`, pi's agent folder.

        `extension` is asked for what only pi can do, `models` are those that settings can name.
        """
        self._agent_dir = agent_dir
        self._extension = extension
        self._models = models
        self._recaller = Recaller(find_cache_dir(os.environ))
        self._sources = SourceReader()

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
            case "recall":
                return self._recall(parse_source(request.params), parse_recall(request.params))
            case "correct":
                return self._correct(parse_correct(request.params))
            case "rules":
                return self._rules(parse_rules(request.params))
        raise ProtocolError(METHOD_NOT_FOUND, f"no method {request.method!r}")

    def _compact(self, params: CompactParams) -> Params:
        source = params.source
        session, path = self._sources.read(source)
        config = self._load_config(session, source)
        model = open_asked_model(source, session.header.cwd, config, self._extension, self._models)
        compaction = _build_compaction(path, params, config, model)
        usage = sum_usage(model.usages) if model else None
        return {
            **_addressed(source),
            "firstKeptEntryId": compaction.first_kept_entry_id,
            "tokensBefore": compaction.tokens_before,
            "summary": compaction.summary,
            "details": compaction.details,
            "notice": _render_notice(compaction.report) + _render_complaints(config),
            **({"usage": usage} if usage else {}),
        }

    def _show(self, source: Source) -> Params:
        session, path = self._sources.read(source)
        options = _options(source, self._load_config(session, source))
        text = "" if _is_blank(path) else render_whole(path, options).text
        return {**_addressed(source), "text": text}

    def _recall(self, source: Source, request: RecallRequest) -> Params:
        session, path = self._sources.read(source)
        config = self._load_config(session, source)
        asked = replace(request, ask_tools=config.ask_tools)
        answer = self._recaller.recall(session, path, asked)
        return {**_addressed(source), **recall_result(answer, self._recaller.note)}

    def _correct(self, params: CorrectParams) -> Params:
        state = self._fold(params.source)
        match resolve_correction(state, params.verb, params.argument):
            case Resolved(data=entry, notice=notice):
                return {"entry": entry, "notice": notice}
            case Refused(reason):
                return {"entry": None, "notice": reason}

    def _rules(self, params: RulesParams) -> Params:
        rules = correctable_rules(self._fold(params.source), params.verb)
        return {"rules": [{"name": f"r{rule.number}", "quote": rule.quote.text} for rule in rules]}

    def _fold(self, source: Source) -> State:
        """Return the state of the whole path up to the asked leaf."""
        session, path = self._sources.read(source)
        config = self._load_config(session, source)
        return fold_to(path, len(path), ask_tools=config.ask_tools).state

    def _load_config(self, session: Session, source: Source) -> Config:
        """Return the settings that hold for a session; whether to trust its project, pi says."""
        cwd = session.header.cwd
        if not cwd:
            return load_config(self._agent_dir)
        project_dir = FilePath("/") / cwd
        return load_config(self._agent_dir, project_dir, trusted=source.project_is_trusted)


def _build_compaction(
    path: Path, params: CompactParams, config: Config, model: AskedModel | None
) -> Compaction:
    """Return the compaction of `path` at the cut that pi chose, with what `model` adds to it."""
    options = _options(params.source, config, params.instructions)
    return compact(
        path,
        first_kept_entry_id=params.first_kept_entry_id,
        tokens_before=params.tokens_before,
        options=replace(options, model_name=model.name if model else ""),
        model=model,
    )


def _options(source: Source, config: Config, instructions: str = "") -> CompactOptions:
    """Return what pi and the user set for one compaction."""
    return CompactOptions(
        instructions=instructions,
        window_tokens=source.context_window,
        ask_tools=config.ask_tools,
        budget_chars=config.budget_chars,
        mode=config.mode,
        thinking=config.thinking or (source.thinking if config.model is None else None),
    )


def _render_notice(report: Report) -> str:
    """Return what the user is told a compaction kept, in part of a line."""
    call = report.call
    asked = f" with {call.model}" if call and call.n_calls and call.model else ""
    kept = f"kept {kept_text(report)}{asked}"
    return ", ".join((kept, *dropped_texts(report.call), *trouble_texts(report)))


def _is_blank(path: Path) -> bool:
    """Return whether nobody has said anything yet, nor pinned a rule."""
    settings = (ModelChangeEntry, OpaqueEntry, CustomEntry)
    return all(isinstance(entry, settings) and not find_correction(entry) for entry in path)


def _render_complaints(config: Config) -> str:
    """Return what the user is told is wrong with the settings, as the end of a line, or nothing."""
    if not config.complaints:
        return ""
    first, *others = config.complaints
    more = f" (and {len(others)} more: longhaul doctor)" if others else ""
    return f"; {first}{more}"


def _addressed(source: Source) -> Params:
    """Return what tells the extension that an answer is for its question."""
    return {"sessionId": source.session_id, "leafId": source.leaf_id}
