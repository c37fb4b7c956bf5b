"""What is read of a run, and what is said of one that is damaged or not comparable."""

import json
import re
from pathlib import Path

import pytest

from longhaul.errors import LonghaulError
from longhaul.evals.measures.amounts import Count
from longhaul.evals.report.loading import load_run, require_one_labelling
from longhaul.evals.rows import RowKey
from tests.evals.report.run_files import ROWS, SECOND, failed_row, save_run, text_row

SECRET = "ghp_" + "abcdefghij" * 3 + "123456"


def test_a_run_holds_every_text_with_what_was_found_in_it(tmp_path: Path) -> None:
    run = load_run(save_run(tmp_path / "one"))
    text = run.texts[RowKey("tide", 2, "state", 1)]
    assert (run.name, run.label_hash, run.is_chained) == ("one", "abc", True)
    assert [*run.texts] == [row.key for row in ROWS]
    assert (text.text, text.failure, text.amounts["goal"]) == (SECOND, "", Count(lost=("u1",)))


def test_of_two_rows_with_one_key_the_last_counts_and_an_unfinished_line_is_passed_over(
    tmp_path: Path,
) -> None:
    folder = save_run(tmp_path, rows=[*ROWS, text_row(1, "made again")])
    with (folder / "rows.jsonl").open("a", encoding="utf-8") as stream:
        stream.write('{"session": "ti')
    assert load_run(folder).texts[RowKey("tide", 1, "state", 1)].text == "made again"


def test_a_row_without_a_score_has_no_amounts_and_a_failure_no_text(tmp_path: Path) -> None:
    folder = save_run(tmp_path, rows=[failed_row(1, "no model", arm="state"), ROWS[1]])
    (folder / "scores.jsonl").unlink()
    texts = [*load_run(folder).texts.values()]
    assert [(one.text, one.failure, dict(one.amounts)) for one in texts] == [
        ("", "no model", {}),
        ("lower", "", {}),
    ]


def test_secrets_of_texts_and_names_are_masked(tmp_path: Path) -> None:
    amounts = {"state": {1: {"need": Count(kept=(SECRET,), lost=(f"curl {SECRET}",))}}}
    folder = save_run(tmp_path, rows=[text_row(1, f"token {SECRET}")], amounts=amounts)
    assert SECRET in (folder / "rows.jsonl").read_text(encoding="utf-8")
    assert SECRET not in repr(load_run(folder).texts)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("rows.jsonl", "{\n", "rows.jsonl:1: no JSON"),
        ("rows.jsonl", '{"session": 3}\n', "rows.jsonl:1: session: expected str, got int"),
        ("scores.jsonl", '\n{"a": 1}\n', "scores.jsonl:1: no JSON"),
        ("summary.json", '{"sessions": {}}', "summary.json: run: expected object, got null"),
        ("run.json", "[]", "run.json: not of a run"),
        ("run.json", '{"labels": 3}', "run.json: labels: expected str, got int"),
    ],
)
def test_a_damaged_file_is_named_with_line_and_field(
    tmp_path: Path, name: str, content: str, said: str
) -> None:
    folder = save_run(tmp_path)
    (folder / name).write_text(content, encoding="utf-8")
    with pytest.raises(LonghaulError, match=re.escape(f"{folder}/{said}")):
        load_run(folder)


def test_a_folder_without_a_run_and_one_without_its_summary_are_named(tmp_path: Path) -> None:
    with pytest.raises(LonghaulError, match="no run in it; `longhaul score` makes one"):
        load_run(tmp_path)
    (save_run(tmp_path) / "summary.json").unlink()
    with pytest.raises(LonghaulError, match=r"summary\.json: no such file"):
        load_run(tmp_path)


def test_runs_of_different_labels_are_refused_in_a_line(tmp_path: Path) -> None:
    runs = [load_run(save_run(tmp_path / name, labels=name)) for name in ("abc", "def")]
    with pytest.raises(LonghaulError) as refused:
        require_one_labelling(runs)
    assert str(refused.value) == (
        "abc and def were judged by different labels (abc, def): judge both anew by the same ones,"
        " `longhaul score --rescore RUN --labels FILE`"
    )
    require_one_labelling(runs[:1])


def test_scores_by_other_labels_than_the_run_names_are_refused(tmp_path: Path) -> None:
    folder = save_run(tmp_path)
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    (folder / "run.json").write_text(json.dumps({**run, "labels": None}), encoding="utf-8")
    with pytest.raises(LonghaulError, match="tide compaction 1, state: judged by labels abc"):
        load_run(folder)
