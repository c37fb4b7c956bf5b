"""The commands as a person types them, each in a process of its own."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.listener import Listener
from tests.pinned import DEMO, LONGHAUL


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def run(home: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", **more}
    return subprocess.run(
        [LONGHAUL, *arguments], env=environment, capture_output=True, text=True, check=False
    )


def test_compact_prints_the_state_and_says_what_it_costs(home: Path) -> None:
    done = run(home, "compact", str(DEMO))
    assert done.returncode == 0
    assert "\n## Goal\n- u1: " in done.stdout
    assert "\n## Rules\n" in done.stdout
    tokens, cut, kept, took = (line.split(":")[0] for line in done.stderr.splitlines()[:4])
    assert (tokens, cut, kept, took) == ("tokens", "cut", "kept", "time")


def test_compact_gives_programs_one_json_object(home: Path) -> None:
    done = run(home, "compact", "--json", str(DEMO))
    record = json.loads(done.stdout)
    assert record["tokensAfter"] < record["tokensBefore"]
    assert record["characters"] == len(record["summary"]) <= 10_000
    assert record["details"]["longhaul"]["version"] == 2
    assert done.stderr == ""


def test_compact_writes_nothing(home: Path, tmp_path: Path) -> None:
    copy = tmp_path / "session.jsonl"
    copy.write_bytes(DEMO.read_bytes()[:-1])
    before = copy.stat()
    run(home, "compact", str(copy))
    assert (copy.read_bytes(), copy.stat().st_mtime_ns) == (
        DEMO.read_bytes()[:-1],
        before.st_mtime_ns,
    )
    assert not home.exists()


def test_compact_takes_pis_settings_from_its_agent_folder(home: Path) -> None:
    agent_dir = home / ".pi" / "agent"
    agent_dir.mkdir(parents=True)
    (agent_dir / "settings.json").write_text('{"compaction": {"keepRecentTokens": 3000}}')
    by_settings = json.loads(run(home, "compact", "--json", str(DEMO)).stdout)
    (agent_dir / "settings.json").unlink()
    options = ("--json", "--keep-recent-tokens", "3000")
    by_option = json.loads(run(home, "compact", *options, str(DEMO)).stdout)
    by_default = json.loads(run(home, "compact", "--json", str(DEMO)).stdout)
    assert by_settings["firstKeptEntryId"] == by_option["firstKeptEntryId"]
    assert by_settings["firstKeptEntryId"] != by_default["firstKeptEntryId"]


def test_compact_says_where_there_is_nothing_to_compact(home: Path) -> None:
    done = run(home, "compact", "--keep-recent-tokens", "1000000", str(DEMO))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("nothing to compact: ")
    assert "--keep-recent-tokens" in done.stderr


def test_compact_passes_instructions_on(home: Path) -> None:
    done = run(home, "compact", "--instructions", "mind the harbour", str(DEMO))
    assert '- asked for with this compaction: "mind the harbour"' in done.stdout


def test_damage_is_reported_by_line(home: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(DEMO.read_bytes() + b'{"type": "mess\n')
    done = run(home, "compact", str(damaged))
    n_lines = len(DEMO.read_bytes().splitlines()) + 1
    assert done.returncode == 0
    assert f"{damaged}:{n_lines}: " in done.stderr


@pytest.mark.parametrize(
    ("content", "why"), [(None, "no such file"), (b"", "empty"), (b"hello\n", "not a pi session")]
)
def test_a_file_that_is_no_session_ends_in_one_line(
    home: Path, tmp_path: Path, content: bytes | None, why: str
) -> None:
    file = tmp_path / "s.jsonl"
    if content is not None:
        file.write_bytes(content)
    for command in ("compact", "show"):
        done = run(home, command, str(file))
        assert done.returncode == 1
        assert len(done.stderr.splitlines()) == 1
        assert why in done.stderr


def test_a_file_name_cannot_move_the_cursor(home: Path, tmp_path: Path) -> None:
    done = run(home, "compact", str(tmp_path / "a\x1b[2Jb"))
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize("arguments", [["compact"], ["frobnicate"], ["show", "--nope"]])
def test_misuse_ends_with_2_and_no_traceback(home: Path, arguments: list[str]) -> None:
    done = run(home, *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.fixture
def compacted(tmp_path: Path) -> Path:
    """Return a copy of the demo session that pi compacted at its last user message."""
    lines = DEMO.read_bytes().splitlines()
    entries = [json.loads(line) for line in lines[1:]]
    users = [one["id"] for one in entries if one.get("message", {}).get("role") == "user"]
    entry = {
        "type": "compaction",
        "id": "c0ffee01",
        "parentId": entries[-1]["id"],
        "timestamp": "2026-01-01T00:00:00.000Z",
        "summary": "whatever pi wrote",
        "firstKeptEntryId": users[-1],
        "tokensBefore": 40_000,
    }
    file = tmp_path / "compacted.jsonl"
    file.write_bytes(b"\n".join([*lines, json.dumps(entry).encode(), b""]))
    return file


def test_show_tells_what_each_compaction_closed_and_gave(home: Path, compacted: Path) -> None:
    done = run(home, "show", str(compacted))
    assert done.returncode == 0
    row = next(line for line in done.stdout.splitlines() if "40,000" in line)
    assert [cell.strip() for cell in row.split("│")][1:3] == ["1", "pi"]
    assert "1  u1 to u26" in done.stdout
    assert "   goal u1: " in done.stdout
    assert "whatever pi wrote" not in done.stdout


def test_the_table_of_show_has_room_in_eighty_columns(home: Path, compacted: Path) -> None:
    table = run(home, "show", str(compacted), COLUMNS="80").stdout.splitlines()[:5]
    assert max(map(len, table)) <= 80
    row = next(line for line in table if "│" in line)
    assert row.split("│")[4].strip().endswith(" entries")
    assert table[4].startswith("└")


def test_show_gives_programs_the_same(home: Path, compacted: Path) -> None:
    (step,) = json.loads(run(home, "show", "--json", str(compacted)).stdout)
    assert (step["compaction"], step["by"], step["turns"]) == (1, "pi", [1, 26])
    n_rules = len(step["rulesInForce"]) + len(step["rulesLifted"])
    assert len(step["rulesGained"]) == n_rules > 0
    assert step["valuesGained"]


def test_a_session_compacted_just_now_has_nothing_left(home: Path, compacted: Path) -> None:
    done = run(home, "compact", str(compacted))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("already compacted at line ")


def test_show_says_where_there_was_no_compaction(home: Path) -> None:
    assert run(home, "show", str(DEMO)).stdout.startswith("no compaction yet")


def test_a_reader_that_goes_away_ends_it_quietly(home: Path) -> None:
    command = f"{LONGHAUL} compact {DEMO} 2>&1 | head -1"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, env={**os.environ}
    )
    assert "Traceback" not in done.stdout + done.stderr
    assert not home.exists()


def test_ctrl_c_ends_the_server_without_a_word() -> None:
    hello = b'{"jsonrpc": "2.0", "id": 1, "method": "hello", "params": {"protocol": 1}}\n'
    with subprocess.Popen(
        [LONGHAUL, "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(hello)
        server.stdin.flush()
        assert json.loads(server.stdout.readline())["id"] == 1
        server.send_signal(signal.SIGINT)
        _, said = server.communicate(timeout=20)
        assert (said, server.returncode) == (b"", 128 + signal.SIGINT)


def test_the_state_is_given_to_programs_with_what_is_damaged(home: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(DEMO.read_bytes() + b'{"type": "mess\n')
    text = run(home, "show", "--state", str(damaged)).stdout
    done = run(home, "show", "--state", "--json", str(damaged))
    record = json.loads(done.stdout)
    assert record["session"] == json.loads(DEMO.read_text().splitlines()[0])["id"]
    assert record["text"] == text.removesuffix("\n")
    assert [problem.split(":")[0] in done.stderr for problem in record["problems"]] == [True]


@pytest.mark.parametrize("options", [[], ["--json"], ["--state"], ["--state", "--json"]])
def test_show_says_what_is_damaged_and_skipped(
    home: Path, tmp_path: Path, options: list[str]
) -> None:
    lines = DEMO.read_bytes().splitlines()
    first_id = json.loads(lines[1])["id"]
    branch = {**json.loads(lines[2]), "id": "b0000001", "parentId": first_id}
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(b"\n".join([*lines, b"{", b"", json.dumps(branch).encode(), b""]))
    done = run(home, "show", *options, str(damaged))
    assert done.returncode == 0
    assert done.stderr.startswith(f"{damaged}:{len(lines) + 1}: ")
    n_lines = len(lines) + 3
    assert done.stderr.endswith(f"{n_lines} lines read, 1 blank, 1 skipped; 1 root, 2 branches\n")


def test_show_says_nothing_beside_a_sound_session_of_one_branch(home: Path) -> None:
    assert run(home, "show", str(DEMO)).stderr == ""


def test_a_current_folder_that_is_gone_is_named(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    command = f"cd {folder} && rmdir {folder} && exec {LONGHAUL} doctor"
    done = subprocess.run(
        ["bash", "-c", command],
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "Error: the current folder does not exist\n")


def test_the_state_of_a_compacted_session_can_be_looked_at(home: Path, compacted: Path) -> None:
    done = run(home, "show", "--state", str(compacted))
    assert done.returncode == 0
    assert "\n## Goal\n- u1: " in done.stdout


def test_doctor_names_what_is_wrong_with_longhauls_own_settings(home: Path) -> None:
    agent_dir = home / "agent"
    agent_dir.mkdir(parents=True)
    found = []
    for text in ('{"askTool": []}', '{"localOnlyRoots": "/a"}', "{bad", "{}"):
        (agent_dir / "longhaul.json").write_text(text)
        findings = json.loads(run(home, "doctor", "--json", "--agent-dir", str(agent_dir)).stdout)
        found += [one["level"] for one in findings if one["subject"] == "longhaul.json"]
    assert found == ["warning", "error", "error", "ok"]


def test_doctor_on_a_machine_without_pi_says_what_to_do(home: Path) -> None:
    environment = {"PATH": "/nowhere", "HOME": str(home)}
    done = subprocess.run(
        [LONGHAUL, "doctor"], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "to do: npm install -g @earendil-works/pi-coding-agent" in done.stdout
    assert "to do: longhaul install pi" in done.stdout


def test_a_full_disk_ends_it_in_one_line(home: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [LONGHAUL, "compact", DEMO], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "cannot write: No space left on device" in done.stderr
    assert not home.exists()


def test_an_awaited_reply_is_said_and_ends_with_3(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "batch"
    asked = run(home, "compact", str(DEMO), "--model", f"batch:{folder}")
    assert (asked.returncode, asked.stdout) == (3, "")
    assert asked.stderr.startswith("Waiting: 1 of 1 replies missing; no reply yet")
    (request,) = folder.glob("*.request.json")
    reply = folder / request.name.replace(".request.", ".reply.")
    reply.write_text(json.dumps({"text": '{"rules": []}', "tokens_in": 1}), encoding="utf-8")
    done = run(home, "compact", str(DEMO), "--model", f"batch:{folder}")
    assert "model: 0 items of the model's taken, 0 dropped" in done.stderr


def test_a_local_only_session_is_handed_to_no_model_elsewhere(home: Path, tmp_path: Path) -> None:
    settings = home / ".pi" / "agent" / "longhaul.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps({"localOnlyRoots": [str(DEMO.parent)]}), encoding="utf-8")
    folder = tmp_path / "batch"
    asked = run(home, "compact", str(DEMO), "--model", f"batch:{folder}")
    assert asked.returncode == 1
    assert "is local only" in asked.stderr
    assert not folder.exists()


@pytest.mark.parametrize("mode", ["state", "turns"])
@pytest.mark.parametrize("is_local_only", [True, False])
def test_not_a_byte_of_a_local_only_session_reaches_a_model_elsewhere(
    home: Path, mode: str, *, is_local_only: bool
) -> None:
    settings = home / ".pi" / "agent" / "longhaul.json"
    settings.parent.mkdir(parents=True)
    roots = [str(DEMO.parent)] if is_local_only else []
    wanted = {"localOnlyRoots": roots, "callDeadlineSeconds": 2}
    settings.write_text(json.dumps(wanted), encoding="utf-8")
    with Listener() as listener:
        keys = {"OPENAI_BASE_URL": listener.url, "OPENAI_API_KEY": "none"}
        model = ("--model", "openai-compatible/one", "--mode", mode)
        asked = run(home, "compact", str(DEMO), *model, **keys)
    assert asked.returncode == 1
    assert (listener.received == b"") == is_local_only


def test_where_nobody_can_tell_what_is_local_only_the_file_to_mend_is_named(
    home: Path, tmp_path: Path
) -> None:
    settings = home / ".pi" / "agent" / "longhaul.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("[]", encoding="utf-8")
    asked = run(home, "compact", str(DEMO), "--model", f"batch:{tmp_path}")
    assert asked.returncode == 1
    assert asked.stderr.endswith(
        f" or none; {settings} is not as expected: an object, not list;"
        " until it is mended, sessions are local only\n"
    )
