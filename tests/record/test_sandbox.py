"""What the sandbox is made of, before it is made."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from longhaul.record.machine import LonghaulInside, Machine
from longhaul.record.plays import Play, parse_play
from longhaul.record.sandbox import Label, RunFolder, prepare, sandbox_command
from tests.record.plays import play_record, say, turn

MACHINE = Machine(
    bubblewrap=Path("/usr/bin/bwrap"),
    node=Path("/home/ann/node"),
    node_modules=Path("/home/ann/node_modules"),
    pi="x/cli.js",
    pi_version="1.6.0",
)
LABEL = Label(provider="example", model_id="large")
LONGHAUL = LonghaulInside(binds=((Path("/home/ann/longhaul"), "/opt/longhaul"),), command=("py",))


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return RunFolder(root=tmp_path)


def play() -> Play:
    return parse_play(play_record(turn("Go.", say("Done."))))


def command(
    folder: RunFolder,
    extensions: Sequence[Path] = (),
    longhaul: LonghaulInside | None = None,
) -> tuple[str, ...]:
    return sandbox_command(MACHINE, folder, play(), LABEL, extensions, longhaul)


def binds(parts: Sequence[str], option: str) -> dict[str, str]:
    """Return the folders of this machine by their places inside."""
    return {parts[at + 2]: parts[at + 1] for at, part in enumerate(parts) if part == option}


def test_pi_is_told_of_the_plays_limits_and_of_no_real_address(folder: RunFolder) -> None:
    prepare(folder, play(), LABEL, {"a": 1}, None)
    model = {"id": "large", "reasoning": True, "contextWindow": 10_000, "maxTokens": 4_000}
    provider = {
        "baseUrl": "http://127.0.0.1:8000/v1",
        "api": "openai-completions",
        "apiKey": "none",
        "models": [model],
    }
    models = json.loads((folder.inside / "models.json").read_text())
    assert models == {"providers": {"example": provider}}
    assert json.loads((folder.inside / "settings.json").read_text()) == {
        "compaction": {"reserveTokens": 4_000, "keepRecentTokens": 500},
        "defaultThinkingLevel": "low",
    }
    assert 'const RECORDING = {"a": 1};' in (folder.inside / "recording.ts").read_text()


def test_longhauls_own_extension_is_there_only_where_it_compacts(folder: RunFolder) -> None:
    prepare(folder, play(), LABEL, {}, LONGHAUL)
    assert '"py"' in (folder.inside / "longhaul.ts").read_text()
    assert "/opt/ext/2/longhaul.ts" in command(folder, longhaul=LONGHAUL)
    assert not [part for part in command(folder) if "longhaul.ts" in part]


def test_only_the_socket_and_the_sessions_folder_can_be_written(folder: RunFolder) -> None:
    assert binds(command(folder, longhaul=LONGHAUL), "--bind") == {
        "/opt/model/model.sock": str(folder.root / "model.sock"),
        "/opt/out": str(folder.root / "out"),
    }


def test_everything_is_parted_from_this_machine_and_ends_with_it(folder: RunFolder) -> None:
    options = command(folder)
    wanted = {"--unshare-all", "--clearenv", "--die-with-parent", "--new-session", "--as-pid-1"}
    assert wanted <= {*options}
    assert not [part for part in options if part.startswith("--share")]


def test_the_system_comes_from_this_machine_read_only(folder: RunFolder) -> None:
    found = binds(command(folder, [Path("/home/ann/a.ts")], LONGHAUL), "--ro-bind")
    assert found["/usr"] == "/usr"
    assert {place: source for place, source in found.items() if source.startswith("/home")} == {
        "/opt/node/bin/node": "/home/ann/node",
        "/opt/pi/node_modules": "/home/ann/node_modules",
        "/opt/ext/1/a.ts": "/home/ann/a.ts",
        "/opt/longhaul": "/home/ann/longhaul",
    }


def test_pi_runs_by_neutral_paths_with_all_extensions_but_the_users(folder: RunFolder) -> None:
    files = [Path("/home/ann/a.ts"), Path("/home/bob/a.ts")]
    parts = command(folder, files)
    start = parts.index("/opt/node/bin/node", parts.index("--chdir"))
    assert parts[start - 1] == "/work/tiny"
    assert parts[start:] == (
        *("/opt/node/bin/node", "--import", "/opt/model/forward.mjs"),
        *("/opt/pi/node_modules/x/cli.js", "--mode", "rpc"),
        *("--provider", "example", "--model", "large", "--thinking", "low"),
        *("--session-dir", "/opt/out", "--name", "tiny", "-ne", "-ns"),
        *("-e", "/opt/ext/1/a.ts", "-e", "/opt/ext/2/a.ts", "-e", "/opt/ext/3/recording.ts"),
    )
