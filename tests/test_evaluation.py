"""EVALUATION.md says what the committed summaries of runs say, judged by the labels of now."""

import re
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from longhaul.evals.rescoring import hash_labels
from longhaul.evals.session_labels import load_labels
from longhaul.evals.summary import Summary, parse_summary
from tests.pinned import ROOT

RUNS = sorted((ROOT / "eval" / "runs").glob("*.json"))
SPECS = re.findall(r"<!-- table: (.+?) -->", (ROOT / "EVALUATION.md").read_text(encoding="utf-8"))


def load(run: Path) -> Summary:
    return parse_summary(orjson.loads(run.read_bytes()))


def test_the_tables_are_those_of_the_summaries() -> None:
    command = [sys.executable, "tools/write_evaluation.py", "--check"]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0
    assert len(SPECS) >= 8


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.stem)
def test_a_run_was_judged_by_the_published_labels(run: Path) -> None:
    labels = hash_labels(load_labels(ROOT / "eval" / "sessions" / "labels.json"))
    assert load(run).run["labels"] == labels.label_hash


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.stem)
def test_a_run_is_in_the_tables_and_was_made_from_a_commit(run: Path) -> None:
    assert any(run.name in spec for spec in SPECS)
    commit = load(run).run["commit"]
    assert isinstance(commit, str)
    assert not commit.endswith("-dirty")
