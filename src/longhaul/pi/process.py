"""Real pi in RPC mode as a child process: commands in, responses and events out."""

import contextlib
import json
import subprocess
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self, TypeAlias

from longhaul.errors import PiError
from longhaul.transcript.entries import JsonValue

Record: TypeAlias = Mapping[str, JsonValue]
"""One response or event of pi's, as it stands in its RPC reference."""


def parse_record(line: bytes) -> Record | None:
    """Return the object that one line of pi's output holds, or None where it is none."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


class PiProcess:
    """A running pi; every record it has sent so far stands in `records`, in order.

    Leaving the `with` block ends it: orderly, and by force where that takes too long.
    """

    def __init__(
        self,
        command: Sequence[str | Path],
        *,
        cwd: Path,
        environment: Mapping[str, str],
        timeout_s: float = 30,
    ) -> None:
        """Start `command`, a pi with `--mode rpc` among its options.

        `timeout_s` is how long each wait may take.
        """
        self.records: list[Record] = []
        self.stderr = ""
        self._timeout_s = timeout_s
        self._changed = threading.Condition()
        self._ended = False
        self._n_sent = 0
        self.process = subprocess.Popen(
            [str(part) for part in command],
            cwd=cwd,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        # A pi that loops does not see that its input has ended: it would outlive this process.
        weakref.finalize(self, self.process.kill)
        self._readers = (
            threading.Thread(target=self._read_records, daemon=True),
            threading.Thread(target=self._read_stderr, daemon=True),
        )
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Self:
        """Return the process itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End pi, if it still runs."""
        self.close()

    def send(self, kind: str, **fields: JsonValue) -> str:
        """Send one command without waiting for it; returns the id that its response will carry.

        Raises:
            PiError: pi has ended.
        """
        self._n_sent += 1
        command_id = f"c{self._n_sent}"
        self._write({"id": command_id, "type": kind, **fields})
        return command_id

    def request(self, kind: str, **fields: JsonValue) -> Record:
        """Send one command and return its response, a failed one (`success` false) too."""
        command_id = self.send(kind, **fields)
        return self.wait(
            lambda record: record.get("id") == command_id, what=f"a response to {kind}"
        )

    def prompt(self, message: str) -> None:
        """Send a user message and wait until pi will do nothing more by itself.

        Raises:
            PiError: pi refused the message, or did not settle in time.
        """
        start = len(self.records)
        response = self.request("prompt", message=message)
        if not response.get("success"):
            raise PiError(f"pi refused a prompt: {response.get('error')}")
        data = response.get("data")
        if isinstance(data, dict) and data.get("disposition") == "started":
            self.wait_for("agent_settled", start=start)

    def wait_for(self, kind: str, *, start: int = 0) -> Record:
        """Return the first record of type `kind` at `start` or later in `records`."""
        return self.wait(lambda record: record.get("type") == kind, what=kind, start=start)

    def wait(self, matches: Callable[[Record], bool], *, what: str, start: int = 0) -> Record:
        """Return the first record that `matches`, at `start` or later in `records`.

        Raises:
            PiError: it did not come in time, or pi ended without it; `what` names it.
        """
        checked = start

        def found() -> bool:
            nonlocal checked
            while checked < len(self.records):
                if matches(self.records[checked]):
                    return True
                checked += 1
            return self._ended

        with self._changed:
            in_time = self._changed.wait_for(found, self._timeout_s)
            if checked < len(self.records):
                return self.records[checked]
        how = "ended" if in_time else f"did not send it within {self._timeout_s} s"
        raise PiError(f"waited for {what}, but pi {how}: {self._last_words()}")

    def follow(self, index: int, *, timeout_s: float) -> Record | None:
        """Return the record at `index` of `records`; None where it does not come in `timeout_s`.

        Raises:
            PiError: pi has ended without it.
        """
        with self._changed:
            self._changed.wait_for(lambda: index < len(self.records) or self._ended, timeout_s)
            if index < len(self.records):
                return self.records[index]
            if self._ended:
                raise PiError(f"pi has ended: {self._last_words()}")
        return None

    def reply(self, **fields: JsonValue) -> None:
        """Answer a dialog that an extension has opened; `fields` name its `id` and the answer.

        Raises:
            PiError: pi has ended.
        """
        self._write({"type": "extension_ui_response", **fields})

    def close(self) -> int:
        """End pi as its clients should, by closing its input; kill it where that takes too long.

        Returns its exit code. Closing it again does nothing.
        """
        with contextlib.suppress(OSError):
            self._pipe(self.process.stdin).close()
        try:
            self.process.wait(self._timeout_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
        return self._collect()

    def kill(self) -> None:
        """Kill pi at once, without a chance to clean up."""
        self.process.kill()
        with contextlib.suppress(OSError):
            self._pipe(self.process.stdin).close()
        self._collect()

    def _write(self, record: Record) -> None:
        stdin = self._pipe(self.process.stdin)
        try:
            stdin.write(json.dumps(record).encode() + b"\n")
            stdin.flush()
        except OSError as error:
            raise PiError(f"pi has ended: {self._last_words()}") from error

    def _collect(self) -> int:
        code = self.process.wait()
        for reader in self._readers:
            reader.join(self._timeout_s)
        self._pipe(self.process.stdout).close()
        self._pipe(self.process.stderr).close()
        return code

    def _read_records(self) -> None:
        for line in self._pipe(self.process.stdout):
            record = parse_record(line)
            if record is not None:
                with self._changed:
                    self.records.append(record)
                    self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _read_stderr(self) -> None:
        for line in self._pipe(self.process.stderr):
            self.stderr += line.decode(errors="replace")

    def _last_words(self) -> str:
        return self.stderr.strip()[-500:] or "it said nothing on stderr"

    @staticmethod
    def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
        assert pipe is not None, "started with pipes for all three streams"
        return pipe
