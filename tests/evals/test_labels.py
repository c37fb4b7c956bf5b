from pathlib import Path

import pytest

from longhaul.evals.labels import Dialogue, DialogueError, LabelledRule, load_dialogues
from tests.evals.dialogue_files import RECORD, save_dialogues


def test_a_line_becomes_a_dialogue_with_its_kind_from_beside(tmp_path: Path) -> None:
    (found,) = load_dialogues(save_dialogues(tmp_path, RECORD), {"x1": "plain"})
    assert found == Dialogue(
        id="x1",
        kind="plain",
        messages=("From now on always write commit messages in Dutch.", "add a button"),
        rules=(LabelledRule(turn=1, marker="in dutch", lifted_at=None),),
    )


def test_the_kind_of_the_line_itself_comes_first(tmp_path: Path) -> None:
    (found,) = load_dialogues(save_dialogues(tmp_path, {**RECORD, "kind": "own"}), {"x1": "plain"})
    assert found.kind == "own"


RULE = RECORD["rules"][0]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"id": "x"}, "messages: expected list, got null"),
        ([], "dialogue: expected object, got list"),
        ({**RECORD, "messages": ["hello"]}, "messages[0]: expected object, got str"),
        ({**RECORD, "kind": 7}, "kind: expected str, got int"),
        (
            {**RECORD, "rules": [{**RULE, "message": "u9"}]},
            'rules[0].message: expected the id of a message, got "u9"',
        ),
        (
            {**RECORD, "rules": [RULE, {**RULE, "marker": "("}]},
            "rules[1].marker: expected a regular expression (missing ), unterminated subpattern at"
            ' position 0), got "("',
        ),
        (
            {**RECORD, "rules": [{"message": "u1", "marker": "x"}]},
            "rules[0].liftedAt: expected a message's id or null, got null",
        ),
        ({**RECORD, "rules": [{**RULE, "quote": 1}]}, "rules[0].quote: expected str, got int"),
    ],
)
def test_a_field_of_another_shape_is_named_with_file_and_line(
    tmp_path: Path, record: object, message: str
) -> None:
    path = save_dialogues(tmp_path, RECORD, record)
    with pytest.raises(DialogueError) as raised:
        list(load_dialogues(path))
    assert str(raised.value) == f"{path}:2 {message}"


def test_a_line_that_is_not_json_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("{")
    with pytest.raises(DialogueError, match=r"a\.jsonl:1 is not JSON: "):
        list(load_dialogues(path))
