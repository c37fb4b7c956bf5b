"""One session of the matrix: real pi with Longhaul, `/compact`, and a turn that has to recall.

The turns before the compaction are scripted. The compaction and the turn after it are the model's
own; that turn is asked in a pi that resumes the session from its file and has no tool but
Longhaul's recall, so that a model under test runs nothing on this machine.
"""

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Literal

from longhaul.compaction.compact import Model
from longhaul.compaction.completion import ThinkingLevel
from longhaul.compaction.diff.items import count_items
from longhaul.compaction.diff.record import DETAILS_KEY, CallRecord, find_call
from longhaul.errors import PiError
from longhaul.evals.matrix_task import RECALL, SCRIPT_NAME, TOOL, ScriptedWork, Task
from longhaul.pi.chat import ChatRequest, Reply
from longhaul.pi.install import install_extension
from longhaul.pi.installed_pi import InstalledPi
from longhaul.pi.loopback_endpoint import LoopbackEndpoint
from longhaul.pi.model_answers import Exchange, ModelAnswers
from longhaul.pi.private_pi import MODEL, PrivatePi
from longhaul.pi.process import PiProcess, Record
from longhaul.pi.sessions import load_session
from longhaul.transcript.entries import (
    AssistantMessage,
    CompactionEntry,
    JsonValue,
    MessageEntry,
    Path,
    ToolResultMessage,
    UserMessage,
    content_text,
)
from longhaul.transcript.projection import project_path
from longhaul.transcript.shapes import text_or_empty

Step = Literal["starting pi", "working", "compacting", "recalling"]
_RECALL_TOOL = "longhaul_recall"
_KEEP_RECENT_TOKENS = 1
"""All but the newest reply is closed."""
_MOST_RESERVE_TOKENS = 16_384
_PI_S = 60.0
"""For pi's own part of each wait."""
_N_CALLS_WAITED = 4
"""So many replies may come before pi ends a wait: a turn may call recall a few times."""
_LEVELS: dict[str, JsonValue] = {"off": "none", "xhigh": "xhigh", "max": "max"}
"""By this pi names these levels to the endpoint as well; the others it does by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What the sessions of one model run with."""

    pi: InstalledPi
    model: Model
    window_tokens: int
    reply_limit_s: float
    """How long the model has for a reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one session."""

    is_longhauls: bool
    """False where pi's own compaction ran instead."""
    notice: str
    """What the user was told of the compaction."""
    calls: tuple[Exchange, ...]
    """What the compaction asked of the model."""
    n_verified: int
    """Items of the model's diff that the session bears out."""
    n_dropped: int
    """Those that it does not, and those that only mark a rule."""
    failure: str
    """Why nothing, or not all, of the model's reply was used; empty where all was."""
    summary: str
    kept: str
    """The text of what stands after the summary, as the resumed model saw it."""
    answer: str
    """What the model said to the questions."""
    answer_failure: str
    """Why it said nothing; empty where it did."""


def run_session(
    setup: Setup,
    task: Task,
    *,
    thinking: ThinkingLevel | None,
    on_step: Callable[[Step], None] = lambda _: None,
) -> Outcome:
    """Return what came of one session; nothing of it is left.

    Raises:
        PiError: pi ended, refused a command or compacted nothing.
        InstallError: this Python cannot start Longhaul's server.
        SessionError: what pi wrote cannot be read.
    """
    with ExitStack() as stack:
        root = stack.enter_context(tempfile.TemporaryDirectory(prefix="longhaul-matrix-"))
        stage = _Stage(setup, task)
        endpoint = stack.enter_context(LoopbackEndpoint(stage.answer))
        private = PrivatePi(root=FilePath(root), pi=setup.pi)
        _prepare(private, endpoint, setup, task, thinking)
        on_step("starting pi")
        options = ("--thinking", thinking) if thinking else ()
        timeout_s = _PI_S + _N_CALLS_WAITED * setup.reply_limit_s
        with private.start((*options, "--tools", TOOL), timeout_s=timeout_s) as pi:
            on_step("working")
            for turn in task.turns:
                pi.prompt(turn)
            on_step("compacting")
            stage.begin_model()
            notice = _compact(pi)
        calls = tuple(stage.model.exchanges)
        file = _session_file(private)
        before = load_session(file).path
        on_step("recalling")
        recall = ("--session", file, "--tools", _RECALL_TOOL, *options)
        with private.start(recall, timeout_s=timeout_s) as pi:
            pi.prompt(RECALL)
        failure = _last_failure(pi)
        return _outcome(before, load_session(file).path, calls, notice, failure)


class _Stage:
    """Who answers pi: the script until the compaction, then the model."""

    def __init__(self, setup: Setup, task: Task) -> None:
        self._work = ScriptedWork(task)
        self.model = ModelAnswers(setup.model)
        self._is_models = False

    def begin_model(self) -> None:
        self._is_models = True

    def answer(self, request: ChatRequest) -> Reply:
        return (self.model if self._is_models else self._work).answer(request)


def _prepare(
    private: PrivatePi,
    endpoint: LoopbackEndpoint,
    setup: Setup,
    task: Task,
    thinking: ThinkingLevel | None,
) -> None:
    reserve_tokens = min(_MOST_RESERVE_TOKENS, setup.window_tokens // 4)
    model: dict[str, JsonValue] = {
        "id": MODEL,
        "contextWindow": setup.window_tokens,
        "maxTokens": reserve_tokens,
        "reasoning": thinking is not None,
        "thinkingLevelMap": _LEVELS,
    }
    limits: JsonValue = {
        "reserveTokens": reserve_tokens,
        "keepRecentTokens": _KEEP_RECENT_TOKENS,
    }
    settings: dict[str, JsonValue] = {"compaction": limits, "retry": {"enabled": False}}
    private.make(endpoint.provider(model), settings=settings)
    private.write("longhaul.json", {"callDeadlineSeconds": setup.reply_limit_s})
    install_extension(private.agent_dir)
    (private.project / SCRIPT_NAME).write_text(task.script, encoding="utf-8")


def _compact(pi: PiProcess) -> str:
    """Let pi compact, and return what the user is told of it."""
    start = len(pi.records)
    response = pi.request("compact")
    if not response.get("success"):
        raise PiError(f"pi did not compact: {response.get('error')}")
    said = [record for record in pi.records[start:] if record.get("method") == "notify"]
    return "; ".join(str(record.get("message")) for record in said)


def _session_file(private: PrivatePi) -> FilePath:
    files = list(private.sessions.rglob("*.jsonl"))
    if len(files) != 1:
        raise PiError(f"pi has written {len(files)} session files; one was to come")
    return files[0]


def _last_failure(pi: PiProcess) -> str:
    """Return why the newest reply is none; empty where it is one, or none was asked for."""
    messages = [record.get("message") for record in pi.records if _is_end_of_message(record)]
    for message in reversed(messages):
        if isinstance(message, dict) and message.get("role") == "assistant":
            is_error = message.get("stopReason") in ("error", "aborted")
            return text_or_empty(message.get("errorMessage")) or "it failed" if is_error else ""
    return "the model was asked for none"


def _is_end_of_message(record: Record) -> bool:
    return record.get("type") == "message_end"


def _outcome(
    before: Path, after: Path, calls: tuple[Exchange, ...], notice: str, answer_failure: str
) -> Outcome:
    """Return what the session's path holds, right after the compaction and at its end."""
    entry = next((one for one in reversed(before) if isinstance(one, CompactionEntry)), None)
    if entry is None:
        raise PiError("pi says that it compacted, and has written no compaction")
    call = find_call(entry)
    replies = [_reply(one) for one in after[len(before) :]]
    said = [reply for reply in replies if reply is not None]
    return Outcome(
        is_longhauls=DETAILS_KEY in (entry.details or {}),
        notice=notice,
        calls=calls,
        n_verified=_n_verified(call),
        n_dropped=len(call.dropped) if call else 0,
        failure=_failure(call),
        summary=entry.summary,
        kept=_kept_text(before),
        answer="\n".join(content_text(reply.content) for reply in said).strip(),
        answer_failure=answer_failure,
    )


def _n_verified(call: CallRecord | None) -> int:
    if call is None:
        return 0
    return count_items(call.diff) - sum(dropped.marked for dropped in call.dropped)


def _failure(call: CallRecord | None) -> str:
    return call.failure if call else "the model was not asked"


def _reply(entry: object) -> AssistantMessage | None:
    if isinstance(entry, MessageEntry) and isinstance(entry.message, AssistantMessage):
        return entry.message
    return None


def _kept_text(path: Path) -> str:
    """Return what the model sees beside the summary."""
    shown = (message for one in project_path(path)[1:] for message in one.messages)
    spoken = (UserMessage, AssistantMessage, ToolResultMessage)
    return "\n".join(content_text(one.content) for one in shown if isinstance(one, spoken))
