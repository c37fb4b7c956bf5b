from pathlib import Path

from longhaul.evals.labels import load_dialogues
from longhaul.evals.rule_measures import Tally, by_kind, judge
from tests.evals.dialogue_files import RECORD, save_dialogues


def test_a_rule_that_is_found_is_kept_and_what_is_no_rule_is_no_stray(tmp_path: Path) -> None:
    (dialogue,) = load_dialogues(save_dialogues(tmp_path, RECORD), {})
    assert judge(dialogue).tally == Tally(messages=2, in_force=1, kept=1, kept_anywhere=1)


def test_a_line_of_a_message_that_gives_no_rule_counts_as_stray(tmp_path: Path) -> None:
    (dialogue,) = load_dialogues(save_dialogues(tmp_path, {**RECORD, "rules": []}), {})
    judged = judge(dialogue)
    assert judged.tally == Tally(messages=2, strays=1)
    assert judged.notes[0].startswith("stray  x1 - r1 (u1)")


def test_a_rule_in_no_line_is_lost(tmp_path: Path) -> None:
    rules = [{"message": "u2", "marker": "nowhere at all", "liftedAt": None}]
    (dialogue,) = load_dialogues(save_dialogues(tmp_path, {**RECORD, "rules": rules}), {})
    assert "lost   x1 u2 /nowhere at all/" in judge(dialogue).notes


def test_sums_are_by_kind_and_in_all(tmp_path: Path) -> None:
    records = [{**RECORD, "kind": "b"}, {**RECORD, "kind": "a"}]
    sums = by_kind([judge(d) for d in load_dialogues(save_dialogues(tmp_path, *records), {})])
    assert list(sums) == ["all", "a", "b"]
    assert sums["all"].messages == 4
