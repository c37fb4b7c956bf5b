"""The sandbox that pi runs in: what it holds, and the command that makes it.

A read-only system without a network, an empty home and an empty project folder, both gone when pi
ends. The model is reached through one Unix socket; nothing else of this machine's user is inside.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from longhaul.pi.install import render_extension
from longhaul.record.machine import LonghaulInside, Machine
from longhaul.record.plays import Play
from longhaul.transcript.entries import JsonValue

HOME = "/home/dev"
PROJECTS = "/work"
_AGENT_DIR = "/opt/agent"
_EXTENSIONS = "/opt/ext"
_SESSIONS = "/opt/out"
_NODE = "/opt/node/bin/node"
_PI = "/opt/pi/node_modules"
_FORWARD = "/opt/model/forward.mjs"
_SOCKET = "/opt/model/model.sock"
_BASE_URL = "http://127.0.0.1:8000/v1"
"""Where `forward.mjs` listens inside."""
_USER_ID = "1000"
_SYSTEM = ("bin", "sbin", "lib", "lib32", "lib64")
"""Folders beside /usr that programs are found by; links into it on most systems."""
_ETC = ("alternatives", "ld.so.cache", "ssl/certs", "ca-certificates", "mime.types")
"""What programs need of /etc; nothing there names the machine or its users."""
_ENVIRONMENT = {
    "HOME": HOME,
    "USER": "dev",
    "PATH": "/opt/node/bin:/usr/local/bin:/usr/bin:/bin",
    "TZ": "UTC",
    "LANG": "C.UTF-8",
    "PI_CODING_AGENT_DIR": _AGENT_DIR,
    "PI_OFFLINE": "1",
    "PI_TELEMETRY": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "GIT_AUTHOR_NAME": "dev",
    "GIT_AUTHOR_EMAIL": "dev@example.invalid",
    "GIT_COMMITTER_NAME": "dev",
    "GIT_COMMITTER_EMAIL": "dev@example.invalid",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFolder:
    """A folder of this machine that one recording's files lie in."""

    root: Path

    @property
    def socket(self) -> Path:
        """Where the endpoint listens."""
        return self.root / "model.sock"

    @property
    def sessions(self) -> Path:
        """Where pi writes the session."""
        return self.root / "out"

    @property
    def inside(self) -> Path:
        """What is bound into the sandbox file by file."""
        return self.root / "inside"


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What the session calls the model that made it: `provider/model-id`."""

    provider: str
    model_id: str


def prepare(
    folder: RunFolder, play: Play, label: Label, about: JsonValue, longhaul: LonghaulInside | None
) -> None:
    """Write what the sandbox will hold; `about` is the session's note on its own making."""
    folder.sessions.mkdir()
    folder.inside.mkdir()
    _write(folder, "models.json", json.dumps(_models(play, label)))
    _write(folder, "settings.json", json.dumps(_settings(play)))
    _write(folder, "passwd", f"dev:x:{_USER_ID}:{_USER_ID}::{HOME}:/bin/bash\n")
    _write(folder, "forward.mjs", _read("forward.mjs"))
    note = f"const RECORDING = {json.dumps(about)};"
    _write(folder, "recording.ts", _read("recording.ts").replace("const RECORDING = {};", note))
    if longhaul is not None:
        _write(folder, "longhaul.ts", render_extension(longhaul.command))


def sandbox_command(
    machine: Machine,
    folder: RunFolder,
    play: Play,
    label: Label,
    extensions: Sequence[Path],
    longhaul: LonghaulInside | None,
) -> tuple[str, ...]:
    """Return the command that runs pi in RPC mode inside the sandbox, as its process 1.

    Otherwise bubblewrap is, and whoever runs `ps` in there reads the machine's paths off it.
    """
    files = [*extensions, folder.inside / "recording.ts"]
    files += [folder.inside / "longhaul.ts"] if longhaul else []
    # A folder for each: two files may have one name.
    places = [f"{_EXTENSIONS}/{at}/{file.name}" for at, file in enumerate(files, 1)]
    project = f"{PROJECTS}/{play.name}"
    return (
        *(str(machine.bubblewrap), "--unshare-all", "--die-with-parent", "--new-session"),
        *("--as-pid-1", "--hostname", "sandbox", "--uid", _USER_ID, "--gid", _USER_ID),
        "--clearenv",
        *(part for one in _ENVIRONMENT.items() for part in ("--setenv", *one)),
        *_system(folder),
        *(part for name in ("/tmp", HOME, project, _AGENT_DIR) for part in ("--tmpfs", name)),
        *_bind(machine.node, _NODE),
        *_bind(machine.node_modules, _PI),
        *_bind(folder.inside / "models.json", f"{_AGENT_DIR}/models.json"),
        *_bind(folder.inside / "settings.json", f"{_AGENT_DIR}/settings.json"),
        *_bind(folder.inside / "forward.mjs", _FORWARD),
        *(part for one in zip(files, places, strict=True) for part in _bind(*one)),
        *(part for one in (longhaul.binds if longhaul else ()) for part in _bind(*one)),
        *("--bind", str(folder.socket), _SOCKET, "--bind", str(folder.sessions), _SESSIONS),
        *("--remount-ro", "/", "--chdir", project),
        *(_NODE, "--import", _FORWARD, f"{_PI}/{machine.pi}", "--mode", "rpc"),
        *("--provider", label.provider, "--model", label.model_id, "--thinking", "low"),
        *("--session-dir", _SESSIONS, "--name", play.name, "-ne", "-ns"),
        *(part for place in places for part in ("-e", place)),
    )


def _system(folder: RunFolder) -> Iterator[str]:
    """Yield the options for a read-only system that names neither the machine nor its users."""
    yield from _bind(Path("/usr"), "/usr")
    for name in _SYSTEM:
        place = Path("/", name)
        if place.is_symlink():
            yield from ("--symlink", str(place.readlink()), str(place))
        elif place.exists():
            yield from _bind(place, str(place))
    for name in _ETC:
        if Path("/etc", name).exists():
            yield from _bind(Path("/etc", name), f"/etc/{name}")
    yield from _bind(folder.inside / "passwd", "/etc/passwd")
    yield from ("--proc", "/proc", "--dev", "/dev")


def _bind(outside: Path, inside: str) -> tuple[str, str, str]:
    return "--ro-bind", str(outside), inside


def _models(play: Play, label: Label) -> JsonValue:
    model: JsonValue = {
        "id": label.model_id,
        "reasoning": True,
        "contextWindow": play.window_tokens,
        "maxTokens": play.reserve_tokens,
    }
    provider: JsonValue = {
        "baseUrl": _BASE_URL,
        "api": "openai-completions",
        "apiKey": "none",
        "models": [model],
    }
    return {"providers": {label.provider: provider}}


def _settings(play: Play) -> JsonValue:
    limits: JsonValue = {
        "reserveTokens": play.reserve_tokens,
        "keepRecentTokens": play.keep_recent_tokens,
    }
    return {"compaction": limits, "defaultThinkingLevel": "low"}


def _write(folder: RunFolder, name: str, text: str) -> None:
    (folder.inside / name).write_text(text, encoding="utf-8")


def _read(name: str) -> str:
    return resources.files("longhaul.record").joinpath("inside", name).read_text("utf-8")
