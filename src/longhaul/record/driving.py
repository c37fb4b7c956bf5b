"""One turn after another: what the user does, and what pi reports while it works."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from longhaul.errors import LonghaulError
from longhaul.pi.process import PiProcess, Record
from longhaul.record.fields import show
from longhaul.record.play_notes import failure_text
from longhaul.record.plays import Turn
from longhaul.record.script import PlayProblem, PlayScript
from longhaul.record.way_back import go_back, user_entry_ids
from longhaul.transcript.shapes import text_or_empty

ESC_AFTER_S = 1.0
"""How long a tool call runs before the user stops it."""
_ABORT_S = 60.0
"""How long pi may take to end a turn that was aborted."""
_DIALOGS = ("select", "input", "confirm", "editor")


class RecordError(LonghaulError):
    """A recording cannot go on; nothing of it is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long a recording waits, in seconds."""

    stall_s: float = 600.0
    """For the next event of a turn; then it is aborted, as Esc would."""
    turn_s: float = 5_400.0
    """For a turn; then the recording fails."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a recording is."""

    turn: int
    """Number of the turn that runs, from 1."""
    n_turns: int
    step: int = 0
    """Assistant messages of this turn so far."""
    tokens: int = 0
    """What the newest reply's usage says the context holds."""
    n_compactions: int = 0
    is_compacting: bool = False


@dataclass(slots=True)
class _RunningTurn:
    """What is known of a turn while it runs."""

    answers: list[str] = field(default_factory=list)
    """Of the user to dialogs, those that were not given yet."""
    failure: str = ""
    """Of the newest reply: pi asks again where one fails."""
    extension_failure: str = ""
    esc_at: float | None = None
    """When the user presses Esc, on the monotonic clock."""


@dataclass(slots=True)
class Driver:
    """Sends a session's user messages to pi and waits for each turn's end."""

    pi: PiProcess
    script: PlayScript | None
    """None where a live model answers."""
    patience: Patience
    progress: Progress
    on_progress: Callable[[Progress], None]
    problems: list[PlayProblem] = field(default_factory=list)
    """A play's dialogs without an answer, and answers without a dialog."""
    notes: list[PlayProblem] = field(default_factory=list)
    """A play's tool calls that failed: some are meant to."""
    aborted: list[int] = field(default_factory=list)
    """Numbers of the turns that stalled."""
    _entry_ids: dict[int, str] = field(default_factory=dict)
    """Of the user's messages, by the number of the turn."""
    _user_ids: tuple[str, ...] = ()
    """Of all user messages, those of extensions too, at the end of the newest turn."""
    _turn: _RunningTurn = field(default_factory=_RunningTurn)

    def run(self, number: int, turn: Turn) -> None:
        """Let the user say one turn, and wait until pi will do nothing more by itself.

        Raises:
            RecordError: the turn does not end, or no model answered it.
            PiError: pi has ended.
        """
        self._say(replace(self.progress, turn=number, step=0))
        if turn.back_to is not None and not go_back(self.pi, self._entry_ids[turn.back_to]):
            raise RecordError(f"u{number}: pi did not go back to before u{turn.back_to}")
        self._turn = _RunningTurn(list(turn.answers))
        if self.script:
            self.script.begin_turn(number, turn)
        start = len(self.pi.records)
        # The response is not waited for: pi may compact before it takes the message.
        self.pi.send("prompt", message=turn.user)
        self._follow(number, start)
        self._end_turn(number)

    def _end_turn(self, number: int) -> None:
        if failure := self._turn.failure or self._turn.extension_failure:
            raise RecordError(f"u{number}: {failure}")
        if number not in self.aborted:
            self._note_unused(number)
        known, self._user_ids = self._user_ids, user_entry_ids(self.pi)
        new = [one for one in self._user_ids if one not in known]
        if not new:
            raise RecordError(f"u{number}: pi ended the turn without the user's message")
        # Later ones are of extensions.
        self._entry_ids[number] = new[0]

    def _note_unused(self, number: int) -> None:
        """Note what a turn that came to its own end has left over."""
        if self._turn.answers:
            self._note(number, f"{len(self._turn.answers)} of its answers were not asked for")
        if self.script:
            self.script.end_turn()

    def _follow(self, number: int, start: int) -> None:
        """Take pi's records from `start` on, until the turn has ended."""
        at = start
        end_s = time.monotonic() + self.patience.turn_s
        while True:
            record = self.pi.follow(at, timeout_s=self._wait_s(number, end_s))
            if record is not None:
                at += 1
                if record.get("type") == "agent_settled":
                    return
                self._take(number, record)
            elif self._turn.esc_at is not None:
                self._turn.esc_at = None
                self.pi.send("abort")
            else:
                self._require_patience(number, end_s)
                self.aborted.append(number)
                self.pi.send("abort")

    def _wait_s(self, number: int, end_s: float) -> float:
        now = time.monotonic()
        if self._turn.esc_at is not None:
            return max(self._turn.esc_at - now, 0.0)
        stall_s = _ABORT_S if number in self.aborted else self.patience.stall_s
        return max(min(stall_s, end_s - now), 0.0)

    def _require_patience(self, number: int, end_s: float) -> None:
        if number in self.aborted:
            raise RecordError(
                f"u{number}: pi did not end the turn within {_ABORT_S:g} s of an abort"
            )
        if time.monotonic() >= end_s:
            minutes = self.patience.turn_s / 60
            raise RecordError(f"u{number} still runs after {minutes:g} min (--turn-limit)")

    def _take(self, number: int, record: Record) -> None:
        match record.get("type"):
            case "response":
                _require_accepted(number, record)
            case "message_end":
                self._take_message(record)
            case "tool_execution_start" | "tool_execution_end" if self.script:
                self._take_tool_call(number, record, is_aborting=self.script.is_aborting())
            case "compaction_start":
                self._say(replace(self.progress, is_compacting=True))
            case "compaction_end":
                self._take_compaction(record)
            case "extension_ui_request" if record.get("method") in _DIALOGS:
                self._answer_dialog(number, record)
            case "extension_error":
                self._turn.extension_failure = (
                    f"an extension failed: {show(str(record.get('error')))}"
                )

    def _take_message(self, record: Record) -> None:
        message = record.get("message")
        if not isinstance(message, dict) or message.get("role") != "assistant":
            return
        is_error = message.get("stopReason") == "error"
        why = text_or_empty(message.get("errorMessage"))
        self._turn.failure = f"pi got no reply: {show(why)}" if is_error else ""
        usage = message.get("usage")
        tokens = usage.get("totalTokens") if isinstance(usage, dict) else None
        newest = tokens if isinstance(tokens, int) and tokens else self.progress.tokens
        self._say(replace(self.progress, step=self.progress.step + 1, tokens=newest))

    def _take_compaction(self, record: Record) -> None:
        is_done = isinstance(record.get("result"), dict)
        n_compactions = self.progress.n_compactions + is_done
        self._say(replace(self.progress, n_compactions=n_compactions, is_compacting=False))
        # One that stalled was stopped with its turn; the next turn runs.
        if not is_done and self.progress.turn not in self.aborted:
            why = text_or_empty(record.get("errorMessage")) or "it was aborted"
            raise RecordError(f"u{self.progress.turn}: pi did not compact: {show(why)}")

    def _answer_dialog(self, number: int, record: Record) -> None:
        dialog_id = record.get("id")
        if not self._turn.answers:
            self.pi.reply(id=dialog_id, cancelled=True)
            title = show(str(record.get("title")))
            self._note(number, f"the user has no answer left to {title}")
            return
        answer = self._turn.answers.pop(0)
        if record.get("method") == "confirm":
            self.pi.reply(id=dialog_id, confirmed=answer.lower() in ("yes", "true", "y"))
        else:
            self.pi.reply(id=dialog_id, value=answer)

    def _note(self, number: int, text: str) -> None:
        """Note a misfit of the play; a live model may well ask other things, or none."""
        if self.script:
            self.problems.append(PlayProblem(f"u{number}", text))

    def _take_tool_call(self, number: int, record: Record, *, is_aborting: bool) -> None:
        """Take the begin or the end of a scripted call; one that Esc ends is meant to fail."""
        if is_aborting:
            if record.get("type") == "tool_execution_start":
                self._turn.esc_at = self._turn.esc_at or time.monotonic() + ESC_AFTER_S
        elif text := failure_text(record):
            self.notes.append(PlayProblem(f"u{number} step {self.progress.step}", text))

    def _say(self, progress: Progress) -> None:
        self.progress = progress
        self.on_progress(progress)


def _require_accepted(number: int, response: Record) -> None:
    if not response.get("success"):
        why = show(str(response.get("error")))
        raise RecordError(f"u{number}: pi refused {response.get('command')}: {why}")
    data = response.get("data")
    if isinstance(data, dict) and data.get("disposition") == "handled":
        raise RecordError(f"u{number}: pi takes this message for a command; no turn begins")
