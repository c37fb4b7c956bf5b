"""EVALUATION.md says what the committed summaries of runs say, judged by the labels of now."""

import re
from collections.abc import Iterator

import pytest

from longhaul.evals.rescoring import hash_labels
from longhaul.evals.session_labels import load_labels
from tests.pinned import ROOT
from tools.write_evaluation import PAGE, RUNS, fill_page, load_run

NAMES = sorted(file.name for file in RUNS.glob("*.json"))


def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def table_specs() -> Iterator[str]:
    yield from re.findall(r"<!-- table: (.+?) -->", page())


def test_the_tables_are_those_of_the_summaries() -> None:
    assert fill_page(page()) == page()
    assert len(list(table_specs())) >= 8


@pytest.mark.parametrize("name", NAMES)
def test_a_run_was_judged_by_the_published_labels(name: str) -> None:
    labels = hash_labels(load_labels(ROOT / "eval" / "sessions" / "labels.json"))
    assert load_run(name).run["labels"] == labels.label_hash


@pytest.mark.parametrize("name", NAMES)
def test_a_run_is_in_the_tables_and_was_made_from_a_commit(name: str) -> None:
    run = load_run(name).run
    assert any(name in spec for spec in table_specs())
    commit = run["commit"]
    assert isinstance(commit, str)
    assert not commit.endswith("-dirty")
