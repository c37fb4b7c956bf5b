"""Arms inside real pi: its own compaction, and any extension that answers for it.

pi runs on a copy of the session, in folders of its own, and reaches the model through a loopback
endpoint of this process, so that tokens and time are counted as for every other arm.
"""

import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from longhaul.compaction.compact import Model
from longhaul.compaction.completion import ThinkingLevel
from longhaul.compaction.diff.record import find_call
from longhaul.errors import PiError
from longhaul.evals.arms.arm import Arm, Handed, Made
from longhaul.evals.arms.longhaul import describe_call
from longhaul.evals.arms.pi_copy import write_copy
from longhaul.evals.arms.timed import TimedModel
from longhaul.pi.install import install_extension
from longhaul.pi.installed_pi import InstalledPi
from longhaul.pi.loopback_endpoint import LoopbackEndpoint
from longhaul.pi.model_answers import ModelAnswers
from longhaul.pi.private_pi import MODEL, PrivatePi
from longhaul.pi.process import PiProcess
from longhaul.pi.sessions import load_session
from longhaul.transcript.entries import CompactionEntry, JsonValue

OWN_EXTENSION = "longhaul"
"""Instead of an extension's file: Longhaul's own."""
PI_S = 60.0
"""For pi's own part of a compaction."""
_N_CALLS = 4
"""So many replies a compaction may wait for, one after the other; pi's own asks for two."""
_MAX_DEADLINE_S = 600.0
"""The longest that Longhaul's settings allow."""
_DEFAULT_WINDOW_TOKENS = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PiSetup:
    """What pi is run with."""

    pi: InstalledPi
    model: Model | None
    """None: whatever asks for one fails."""
    thinking: ThinkingLevel | None
    window_tokens: int | None
    """None for that of each recording."""
    max_output_tokens: int | None
    """None for as many as the recording's reserve."""
    reply_limit_s: float


def open_real_pi(setup: PiSetup, extension: str = "") -> Arm:
    """Return the arm of pi's own compaction, or of the extension in the file so named.

    Where it runs it raises PiError: pi did not start or compact, cut elsewhere, or the extension
    left the compaction to pi; the message says which.
    """

    def run(handed: Handed) -> Made:
        model = TimedModel(setup.model)
        with ExitStack() as stack:
            root = stack.enter_context(tempfile.TemporaryDirectory(prefix="longhaul-score-"))
            endpoint = stack.enter_context(LoopbackEndpoint(ModelAnswers(model).answer))
            private, copy = prepare_copy(setup, handed, Path(root), endpoint)
            failure = _compact(setup, private, copy, extension)
            if model.awaited is not None:
                raise model.awaited
            if failure:
                raise PiError(failure)
            return _made(handed, copy, model, by_extension=bool(extension))

    return run


def prepare_copy(
    setup: PiSetup, handed: Handed, root: Path, endpoint: LoopbackEndpoint
) -> tuple[PrivatePi, Path]:
    """Return a pi of its own under `root`, and the copy of a session that it can open."""
    private = PrivatePi(root=root, pi=setup.pi)
    private.make(endpoint.provider(_model(setup, handed)), settings=_settings(handed))
    deadline_s = min(setup.reply_limit_s, _MAX_DEADLINE_S)
    private.write("longhaul.json", {"callDeadlineSeconds": deadline_s})
    copy = private.sessions / "copy.jsonl"
    write_copy(handed, copy, cwd=private.project)
    return private, copy


def _compact(setup: PiSetup, private: PrivatePi, copy: Path, extension: str) -> str:
    """Let pi compact a copy; return why it did not, or nothing."""
    options: list[str | Path] = ["--session", copy, *_extension_options(private, extension)]
    if setup.thinking is not None:
        options += ["--thinking", setup.thinking]
    timeout_s = PI_S + _N_CALLS * setup.reply_limit_s
    with private.start(options, timeout_s=timeout_s) as pi:
        response = pi.request("compact")
        failure = "" if response.get("success") else f"pi did not compact: {response.get('error')}"
        return _extension_failure(pi) or failure


def _extension_options(private: PrivatePi, extension: str) -> Sequence[str | Path]:
    if extension == OWN_EXTENSION:
        install_extension(private.agent_dir)
        return ()
    return ("-ne", "-e", Path(extension).absolute()) if extension else ("-ne",)


def _extension_failure(pi: PiProcess) -> str:
    """Return what an extension did wrong, in pi's words; empty where none did."""
    errors = [record for record in pi.records if record.get("type") == "extension_error"]
    return f"the extension failed: {errors[0].get('error')}" if errors else ""


def _model(setup: PiSetup, handed: Handed) -> dict[str, JsonValue]:
    recorded = handed.settings
    window = setup.window_tokens or recorded.window_tokens or _DEFAULT_WINDOW_TOKENS
    return {
        "id": MODEL,
        "contextWindow": window,
        "maxTokens": setup.max_output_tokens or recorded.reserve_tokens,
        "reasoning": setup.thinking is not None,
    }


def _settings(handed: Handed) -> dict[str, JsonValue]:
    recorded = handed.settings
    compaction: JsonValue = {
        "enabled": False,  # not by itself: only where it is told to
        "reserveTokens": recorded.reserve_tokens,
        "keepRecentTokens": recorded.keep_recent_tokens,
    }
    return {"compaction": compaction, "retry": {"enabled": False}}


def _made(handed: Handed, copy: Path, model: TimedModel, *, by_extension: bool) -> Made:
    entry = load_session(copy).path[-1]
    if not isinstance(entry, CompactionEntry):
        raise PiError("pi says that it compacted, and has written no compaction")
    recorded = handed.cut.entry.first_kept_entry_id
    if entry.first_kept_entry_id != recorded:
        raise PiError(f"it cut at {entry.first_kept_entry_id}, the recording at {recorded}")
    if entry.from_hook != by_extension:
        raise PiError("the extension left the compaction to pi")
    made = Made(
        text=entry.summary,
        details=entry.details,
        from_hook=entry.from_hook,
        tokens_in=model.tokens_in,
        tokens_out=model.tokens_out,
        tokens_cached=model.tokens_cached,
        seconds=model.seconds,
        n_calls=len(model.calls),
    )
    call = find_call(entry)
    return made if call is None else describe_call(made, call)
