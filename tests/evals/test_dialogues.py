from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner

from longhaul.evals.dialogues import (
    Dialogue,
    DialogueError,
    LabelledRule,
    Tally,
    by_kind,
    judge,
    load_dialogues,
    main,
)

RECORD = {
    "id": "x1",
    "messages": [
        {"id": "u1", "text": "From now on always write commit messages in Dutch."},
        {"id": "u2", "text": "add a button"},
    ],
    "rules": [{"message": "u1", "marker": "in dutch", "liftedAt": None}],
}


def saved(folder: Path, *records: object) -> Path:
    path = folder / "some.dialogues.jsonl"
    path.write_bytes(b"\n".join(orjson.dumps(record) for record in records))
    return path


def test_a_line_becomes_a_dialogue_with_its_kind_from_beside(tmp_path: Path) -> None:
    (found,) = load_dialogues(saved(tmp_path, RECORD), {"x1": "plain"})
    assert found == Dialogue(
        id="x1",
        kind="plain",
        messages=("From now on always write commit messages in Dutch.", "add a button"),
        rules=(LabelledRule(turn=1, marker="in dutch", lifted_at=None),),
    )


def test_the_kind_of_the_line_itself_comes_first(tmp_path: Path) -> None:
    (found,) = load_dialogues(saved(tmp_path, {**RECORD, "kind": "own"}), {"x1": "plain"})
    assert found.kind == "own"


@pytest.mark.parametrize("record", [{"id": "x"}, [], {**RECORD, "rules": [{"message": "u9"}]}])
def test_a_line_of_another_shape_is_named(tmp_path: Path, record: object) -> None:
    with pytest.raises(DialogueError, match=r"some\.dialogues\.jsonl:1: "):
        list(load_dialogues(saved(tmp_path, record), {}))


def test_a_rule_that_is_found_is_kept_and_what_is_no_rule_is_no_stray(tmp_path: Path) -> None:
    (dialogue,) = load_dialogues(saved(tmp_path, RECORD), {})
    assert judge(dialogue).tally == Tally(messages=2, in_force=1, kept=1, kept_anywhere=1)


def test_a_line_of_a_message_that_gives_no_rule_counts_as_stray(tmp_path: Path) -> None:
    (dialogue,) = load_dialogues(saved(tmp_path, {**RECORD, "rules": []}), {})
    judged = judge(dialogue)
    assert judged.tally == Tally(messages=2, strays=1)
    assert judged.notes[0].startswith("stray  x1 - r1 (u1)")


def test_a_rule_in_no_line_is_lost(tmp_path: Path) -> None:
    rules = [{"message": "u2", "marker": "nowhere at all", "liftedAt": None}]
    (dialogue,) = load_dialogues(saved(tmp_path, {**RECORD, "rules": rules}), {})
    assert "lost   x1 u2 /nowhere at all/" in judge(dialogue).notes


def test_sums_are_by_kind_and_in_all(tmp_path: Path) -> None:
    records = [{**RECORD, "kind": "b"}, {**RECORD, "kind": "a"}]
    sums = by_kind([judge(d) for d in load_dialogues(saved(tmp_path, *records), {})])
    assert list(sums) == ["all", "a", "b"]
    assert sums["all"].messages == 4


def test_the_command_prints_a_table_or_json(tmp_path: Path) -> None:
    path = saved(tmp_path, RECORD)
    (tmp_path / "some.kinds.json").write_bytes(orjson.dumps({"x1": "plain"}))
    table = CliRunner().invoke(main, [str(path)])
    assert table.exit_code == 0
    assert "plain" in table.output
    found = orjson.loads(CliRunner().invoke(main, [str(path), "--json"]).output)
    assert found["kinds"]["plain"]["kept"] == 1


def test_a_bad_file_ends_in_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, [str(saved(tmp_path, {"id": "x"}))])
    assert result.exit_code == 1
    assert result.output.count("\n") == 1
