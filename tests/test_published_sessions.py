"""The published sessions and their labels hold, and real pi opens them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from longhaul.cli.main import main
from longhaul.pi.process import PiProcess
from longhaul.pi.sessions import load_session
from longhaul.record.play_file import stem_of
from tests.pinned import PI, ROOT, pi_environment

SESSIONS = ROOT / "eval" / "sessions"
PLAYS = ROOT / "eval" / "plays"
NAMES = sorted(stem_of(file) for file in PLAYS.glob("*.play.yaml"))


def run(*arguments: str | Path) -> tuple[int, str]:
    done = CliRunner().invoke(main, list(map(str, arguments)))
    return done.exit_code, done.output


def test_every_play_has_a_session_and_labels() -> None:
    labels = json.loads((SESSIONS / "labels.json").read_text(encoding="utf-8"))
    assert sorted(labels) == NAMES
    assert sorted(file.stem for file in SESSIONS.glob("*.jsonl")) == NAMES


def test_the_published_sessions_pass_their_check() -> None:
    assert run("check-session", SESSIONS)[0] == 0


def test_the_published_labels_hold() -> None:
    assert run("labels", "check", SESSIONS)[0] == 0


def test_the_published_sessions_hold_what_the_evaluation_needs() -> None:
    record = json.loads(run("labels", "check", SESSIONS / "labels.json", "--json")[1])
    compactions = sorted(len(one["compactions"]) for one in record["sessions"])
    judgements = record["judgements"]
    assert sum(compactions) >= 70
    assert compactions[-2] >= 18
    assert judgements["rules"] >= 200
    assert judgements["lifts"] >= 30
    assert judgements["values"] >= 30


@pytest.mark.parametrize("name", NAMES)
def test_real_pi_opens_a_copy_of_a_published_session(name: str, tmp_path: Path) -> None:
    session = load_session(SESSIONS / f"{name}.jsonl")
    header, *lines = (SESSIONS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    copy = tmp_path / f"{name}.jsonl"
    moved = json.dumps({**json.loads(header), "cwd": str(tmp_path)})
    copy.write_text("\n".join((moved, *lines)) + "\n", encoding="utf-8")
    command = (PI, "--mode", "rpc", "--session", copy, "-ne")
    with PiProcess(
        command, cwd=tmp_path, environment=pi_environment(tmp_path / "agent", tmp_path)
    ) as pi:
        data = pi.request("get_entries")["data"]
    assert isinstance(data, dict)
    assert isinstance(data["entries"], list)
    ids = [entry["id"] for entry in data["entries"] if isinstance(entry, dict)]
    assert set(ids) >= {entry.id for entry in session.path}
