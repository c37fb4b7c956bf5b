"""A pi of its own in throwaway folders: nothing of the user's is read, and nothing is left."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from longhaul.pi.installed_pi import InstalledPi, private_environment
from longhaul.pi.process import PiProcess
from longhaul.transcript.entries import JsonValue

PROVIDER = "loopback"
"""How the provider is called that stands behind a private pi."""
MODEL = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivatePi:
    """The folders of one pi under `root`, which the caller makes and removes."""

    root: Path
    pi: InstalledPi

    @property
    def agent_dir(self) -> Path:
        """The agent folder: settings, models, extensions."""
        return self.root / "agent"

    @property
    def home(self) -> Path:
        """Its user's home."""
        return self.root / "home"

    @property
    def project(self) -> Path:
        """Where it works."""
        return self.root / "project"

    @property
    def sessions(self) -> Path:
        """Where it writes sessions."""
        return self.root / "sessions"

    def make(self, provider: Mapping[str, JsonValue], *, settings: Mapping[str, JsonValue]) -> None:
        """Make the folders, with `provider` for `models.json` and pi's `settings`."""
        for folder in (self.agent_dir, self.home, self.project, self.sessions):
            folder.mkdir(parents=True)
        self.write("models.json", {"providers": {PROVIDER: dict(provider)}})
        self.write("settings.json", settings)

    def write(self, name: str, value: Mapping[str, JsonValue]) -> None:
        """Write a file of JSON into the agent folder."""
        (self.agent_dir / name).write_text(json.dumps(value), encoding="utf-8")

    def start(
        self, options: Sequence[str | Path] = (), *, model: str = MODEL, timeout_s: float
    ) -> PiProcess:
        """Start pi in RPC mode with further `options`; each wait may take `timeout_s`."""
        return PiProcess(
            [
                *(*self.pi.command, "--mode", "rpc", "--provider", PROVIDER, "--model", model),
                *("--session-dir", self.sessions, *options),
            ],
            cwd=self.project,
            environment=private_environment(self.agent_dir, self.home, node=self.pi.node),
            timeout_s=timeout_s,
        )
