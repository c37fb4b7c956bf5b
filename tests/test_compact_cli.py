"""`longhaul compact --model`: how it ends, by what became of the model's reply."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from longhaul.cli.main import main
from tests.pinned import DEMO

HOLDS_NOTHING: dict[str, object] = {"rules": []}
UNTRUE = {"rules": [{"message": "u1", "quote": "never said by anybody"}]}


def run(home: Path, *options: str | Path, **environment: str) -> Result:
    """Compact the demo in this process."""
    known = {"HOME": str(home), "PI_CODING_AGENT_DIR": None, "OPENAI_BASE_URL": None}
    return CliRunner().invoke(
        main, ["compact", str(DEMO), *map(str, options)], env={**known, **environment}
    )


def answered(home: Path, text: str, *options: str) -> Result:
    """Compact the demo with a reply of this text."""
    folder = home / "batch"
    run(home, "--model", f"batch:{folder}")
    (request,) = folder.glob("*.request.json")
    reply = folder / request.name.replace(".request.", ".reply.")
    reply.write_text(json.dumps({"text": text}), encoding="utf-8")
    return run(home, "--model", f"batch:{folder}", *options)


@pytest.mark.parametrize("text", ["I cannot do that.", "", '{"rules": "none"}'])
def test_a_reply_that_holds_nothing_to_go_by_ends_it_with_1(tmp_path: Path, text: str) -> None:
    done = answered(tmp_path, text)
    assert done.exit_code == 1
    assert done.stdout == run(tmp_path).stdout


@pytest.mark.parametrize("said", [HOLDS_NOTHING, UNTRUE])
def test_a_reply_that_can_be_read_ends_it_with_0_whatever_of_it_is_believed(
    tmp_path: Path, said: object
) -> None:
    assert answered(tmp_path, json.dumps(said)).exit_code == 0


def test_programs_get_the_state_and_the_same_exit_code(tmp_path: Path) -> None:
    done = answered(tmp_path, "no", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["summary"]


def test_a_server_that_cannot_be_reached_ends_it_with_1(tmp_path: Path) -> None:
    done = run(tmp_path, "--model", "llama.cpp/m", LLAMA_CPP_BASE_URL="http://127.0.0.1:9")
    assert done.exit_code == 1
    assert done.stdout == run(tmp_path).stdout
    asking = "asking llama.cpp/m, at most 120 s a reply (callDeadlineSeconds)"
    assert done.stderr.splitlines()[0] == asking
    assert "made without a model (llama.cpp/m: cannot be reached" in done.stderr


def test_a_deadline_in_the_settings_counts_for_the_command(tmp_path: Path) -> None:
    settings = tmp_path / ".pi" / "agent" / "longhaul.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"callDeadlineSeconds": 1.5}', encoding="utf-8")
    done = run(tmp_path, "--model", "llama.cpp/m", LLAMA_CPP_BASE_URL="http://127.0.0.1:9")
    assert done.stderr.startswith("asking llama.cpp/m, at most 1.5 s a reply (")


@pytest.mark.parametrize(
    "option", [("--mode", "turns"), ("--mode", "state"), ("--thinking", "low")]
)
def test_what_is_about_a_model_needs_one(tmp_path: Path, option: tuple[str, str]) -> None:
    done = run(tmp_path, *option)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"{option[0]} is about a model; name one with --model" in done.stderr
