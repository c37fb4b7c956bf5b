"""One test's own pi: agent folder, home, project and sessions in a temporary folder."""

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longhaul.pi.install import install_extension, uninstall_extension
from longhaul.pi.process import PiProcess, Record
from tests.pi.scripted_server import ScriptedServer
from tests.pinned import PI, pi_environment

WINDOW_TOKENS = 24_000
RESERVE_TOKENS = 8_000
KEEP_RECENT_TOKENS = 300


@dataclass(frozen=True, slots=True)
class Workspace:
    """A folder that holds everything one pi may touch."""

    root: Path
    server: ScriptedServer

    @property
    def agent_dir(self) -> Path:
        return self.root / "home" / ".pi" / "agent"

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def sessions(self) -> Path:
        return self.root / "sessions"

    def prepare(self) -> None:
        """Make the folders and tell pi of the scripted model."""
        for folder in (self.agent_dir, self.project, self.sessions):
            folder.mkdir(parents=True)
        model = {"id": "scripted", "contextWindow": WINDOW_TOKENS, "maxTokens": RESERVE_TOKENS}
        provider = {
            "baseUrl": self.server.base_url,
            "api": "openai-completions",
            "apiKey": "none",
            "models": [model],
        }
        self.write_json("models.json", {"providers": {"scripted": provider}})
        limits = {"reserveTokens": RESERVE_TOKENS, "keepRecentTokens": KEEP_RECENT_TOKENS}
        self.write_json("settings.json", {"compaction": limits, "retry": {"enabled": False}})

    def write_json(self, name: str, value: object) -> None:
        (self.agent_dir / name).write_text(json.dumps(value), encoding="utf-8")

    def install(self, command: Sequence[str] | None = None) -> None:
        """Place the extension where pi finds it by itself; `command` stands in for the server."""
        install_extension(self.agent_dir, command=command)

    def uninstall(self) -> None:
        uninstall_extension(self.agent_dir)

    def start(
        self, *options: str | Path, session: Path | None = None, **environment: str
    ) -> PiProcess:
        """Start pi in RPC mode, on a session file where one is given."""
        return PiProcess(
            [*self.command("rpc"), *(("--session", session) if session else ()), *options],
            cwd=self.project,
            environment=self.environment(**environment),
        )

    def print_mode(
        self, *prompts: str, session: Path | None = None
    ) -> "subprocess.CompletedProcess[str]":
        """Run pi in print mode, where there is no user interface."""
        options = ("--session", str(session)) if session else ()
        return subprocess.run(
            [*map(str, self.command("text")), *options, "-p", *prompts],
            cwd=self.project,
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def command(self, mode: str) -> tuple[str | Path, ...]:
        return (*self.interactive(), "--mode", mode)

    def interactive(self) -> tuple[str | Path, ...]:
        """Return the command of a pi in its terminal interface."""
        model = ("--provider", "scripted", "--model", "scripted")
        return (PI, *model, "--session-dir", self.sessions)

    def environment(self, **more: str) -> Mapping[str, str]:
        return {**pi_environment(self.agent_dir, self.home), **more}

    def session_file(self) -> Path:
        """Return the only session file."""
        (found,) = self.sessions.rglob("*.jsonl")
        return found


def read_entries(session: Path) -> list[dict[str, Any]]:
    """Return every line of a session file; a line that is not JSON fails the test."""
    text = session.read_text(encoding="utf-8")
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def compactions(session: Path) -> list[dict[str, Any]]:
    return [entry for entry in read_entries(session) if entry["type"] == "compaction"]


def summaries(session: Path) -> list[str]:
    return [entry["summary"] for entry in compactions(session)]


def notices(pi: PiProcess) -> list[str]:
    """Return what was said to the user so far, in order."""
    return [str(record["message"]) for record in pi.records if _is_notice(record)]


def _is_notice(record: Record) -> bool:
    return record.get("type") == "extension_ui_request" and record.get("method") == "notify"


def children(pid: int) -> Iterator[int]:
    """Yield the processes that `pid` has started and that still run."""
    yield from (child for child, parent in _running() if parent == pid)


def command_of(pid: int) -> str:
    """Return the command line of a process; empty where it has ended."""
    command = ["ps", "-o", "command=", "-p", str(pid)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def is_running(pid: int) -> bool:
    return any(child == pid for child, _ in _running())


def _running() -> Iterator[tuple[int, int]]:
    """Yield every process that has not ended, with its parent."""
    command = ["ps", "-A", "-o", "pid=,ppid=,stat="]
    listing = subprocess.run(command, capture_output=True, text=True, check=True)
    for line in listing.stdout.splitlines():
        pid, parent, status = line.split()[:3]
        if not status.startswith("Z"):
            yield int(pid), int(parent)
