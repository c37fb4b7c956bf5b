"""What the check of labels finds, each time in labels that hold but for one thing."""

from pathlib import Path
from typing import Any

import pytest

from longhaul.evals.due import DueCounts
from longhaul.evals.judge import find_spelling
from longhaul.evals.label_check import SessionCheck, check_labels, check_session, find_unlabelled
from longhaul.evals.labelled_session import LabelFinding, turn_names
from longhaul.evals.session_labels import parse_labels
from tests.evals.label_files import BODIES, LABELS, NAME, changed, parsed, save_session
from tests.records import asked, replied
from tests.strategies import Record

RULES = LABELS["rules"]
(VALUE,) = LABELS["values"]


def checked(folder: Path, record: object, *bodies: Record) -> SessionCheck:
    return check_session(NAME, save_session(folder, *bodies), parsed(record))


def told(check: SessionCheck) -> list[tuple[str, str, str, int | None]]:
    """Return findings as level, place below the session, text, line."""
    return [
        (one.level, one.place.removeprefix(f"{NAME}."), one.text, one.line)
        for one in check.findings
    ]


def with_value(**fields: Any) -> dict[str, Any]:
    return changed(values=[{**VALUE, **fields}])


def test_labels_that_hold_give_no_finding_and_their_judgements(tmp_path: Path) -> None:
    check = checked(tmp_path, LABELS)
    assert told(check) == []
    assert check.counts == DueCounts(
        goal=3, rules=3, span=2, earlier=1, lifts=1, values=1, history=1
    )


@pytest.mark.parametrize(
    ("record", "place", "number"),
    [
        (changed(goal={"turn": "u7", "marker": "tide"}), "goal.turn", 7),
        (changed(rules=[{"turn": "u8", "marker": "x"}]), "rules[0].turn", 8),
        (changed(rules=[{**RULES[0], "liftedAt": "u9"}]), "rules[0].liftedAt", 9),
        (with_value(turn="u7", usedAt=["u6", "u8"][1:]), "values[0].turn", 7),
        (with_value(usedAt=["u6", "u8"]), "values[0].usedAt[1]", 8),
        (changed(doubtful=["u70"]), "doubtful[0]", 70),
        (changed(oneOffs=["u4", "u7"]), "oneOffs[1]", 7),
    ],
)
def test_a_message_that_the_session_lacks_is_an_error(
    tmp_path: Path, record: object, place: str, number: int
) -> None:
    text = f"u{number} does not exist: the path has 6 user messages"
    first, *more = told(checked(tmp_path, record))
    assert first == ("error", place, text, None)
    assert {text for _, _, text, _ in more} <= {"u8 does not exist: the path has 6 user messages"}


def test_turns_are_those_of_the_path_that_the_session_ends_on(tmp_path: Path) -> None:
    aside = [asked("tried, and left"), {**asked("Another branch."), "parentId": "e1"}]
    check = checked(tmp_path, {"goal": {"turn": "u2", "marker": "another"}}, *BODIES[:2], *aside)
    assert told(check) == [("note", NAME, "no compaction: nothing is judged", None)]


@pytest.mark.parametrize(
    ("fields", "finding"),
    [
        (
            {"oneOffs": ["u4", "u2"]},
            ("error", "oneOffs[1]", "u2 is listed as rules[0] too, and cannot be both", 4),
        ),
        (
            {"doubtful": ["u3"]},
            ("error", "doubtful[0]", "u3 is listed as rules[1] too, and cannot be both", 7),
        ),
        (
            {"doubtful": ["u5"]},
            (
                "error",
                "doubtful[0]",
                "u5 is listed as rules[0].liftedAt too, and cannot be both",
                14,
            ),
        ),
        (
            {"doubtful": ["u4"]},
            ("error", "doubtful[0]", "u4 is listed as oneOffs[0] too, and cannot be both", 11),
        ),
        (
            {"oneOffs": ["u5"]},
            ("note", "oneOffs[0]", "u5 lifts a rule too (rules[0].liftedAt)", 14),
        ),
        (
            {"oneOffs": ["u4", "u4"]},
            ("note", "oneOffs[1]", "u4 stands in this list already", 11),
        ),
        (
            {"rules": [*RULES, {**RULES[1], "marker": "One decimal"}]},
            ("error", "rules[2]", "the same message and marker as rules[1], would count twice", 7),
        ),
        (
            {"rules": [*RULES, {**RULES[1], "liftedAt": "u5"}]},
            (
                "error",
                "rules[2]",
                "the same message and marker as rules[1], and another liftedAt: one must be wrong",
                7,
            ),
        ),
        (
            {"values": [{**VALUE, "usedAt": ["u6", "u6"]}]},
            ("note", "values[0].usedAt[1]", "u6 stands in this list already", 16),
        ),
        (
            {"values": [VALUE, {**VALUE, "accept": ["166 ms", "166 ms"]}]},
            ("note", "values[1].accept", '"166 ms" of u3 stands in values[0] too', 7),
        ),
    ],
)
def test_a_message_listed_two_ways_that_cannot_both_be_is_an_error(
    tmp_path: Path, fields: dict[str, Any], finding: tuple[str, str, str, int]
) -> None:
    assert finding in told(checked(tmp_path, changed(**fields)))


def marked(marker: str) -> dict[str, Any]:
    return changed(rules=[{**RULES[0], "marker": marker}, RULES[1]])


PLACE = "rules[0].marker"


@pytest.mark.parametrize(
    ("record", "findings"),
    [
        (marked("LOWER"), []),
        (
            marked("upper"),
            [("error", PLACE, "/upper/ does not match its own message, u2", 4)],
        ),
        (
            marked("lower|docs"),
            [("error", PLACE, "/lower|docs/ matches u4, a one-off", 11)],
        ),
        (
            marked("subjects"),
            [("note", PLACE, "matches u5, the message that lifts the rule", 14)],
        ),
        (
            marked("lower|always round"),
            [("note", PLACE, "matches u3 too, of another rule", None)],
        ),
        (
            marked("lower|build|readme"),
            [("note", PLACE, "matches u1, u6 too, where no rule is given", None)],
        ),
        (
            changed(goal={"turn": "u1", "marker": "toad"}),
            [("error", "goal.marker", "/toad/ does not match its own message, u1", 2)],
        ),
        (
            changed(goal={"turn": "u1", "marker": "tide|docs"}),
            [("note", "goal.marker", "matches u4 too, a one-off", None)],
        ),
        (changed(goal={"turn": "u1", "marker": "tide"}, oneOffs=["u1", "u4"]), []),
    ],
)
def test_a_marker_tells_its_message_from_one_offs_and_other_matches_are_notes(
    tmp_path: Path, record: object, findings: list[tuple[str, str, str, int | None]]
) -> None:
    assert told(checked(tmp_path, record)) == findings


def test_a_lift_that_is_listed_as_a_one_off_may_hold_the_words_of_its_rule(tmp_path: Path) -> None:
    record = {**marked("subjects"), "oneOffs": ["u5"]}
    assert told(checked(tmp_path, record)) == [
        ("note", "oneOffs[0]", "u5 lifts a rule too (rules[0].liftedAt)", 14),
        ("note", PLACE, "matches u5, the message that lifts the rule", 14),
    ]


def test_a_marker_that_matches_nothing_at_all_too_is_an_error(tmp_path: Path) -> None:
    text = "matches any line, so that nothing would ever be lost"
    assert told(checked(tmp_path, marked("(lower)?")))[0] == ("error", PLACE, text, None)


def test_a_marker_that_takes_too_long_is_an_error_and_the_others_are_checked(
    tmp_path: Path,
) -> None:
    too_long = (
        "/(x+x+)+y/ takes longer than a second on a line of 60 characters; write it without"
        " repetition inside repetition, as in (a+)+"
    )
    record = changed(goal={"turn": "u1", "marker": "(x+x+)+y"}, rules=marked("capitals")["rules"])
    assert told(checked(tmp_path, record, asked("x" * 60), *BODIES[1:])) == [
        ("error", "goal.marker", too_long, None),
        ("error", PLACE, "/capitals/ does not match its own message, u2", 4),
        ("note", PLACE, "matches u5, the message that lifts the rule", 14),
    ]


@pytest.mark.parametrize("name", ["doubtful", "oneOffs"])
def test_a_list_of_many_messages_is_looked_at_once(tmp_path: Path, name: str) -> None:
    found = told(checked(tmp_path, {name: ["u4"] * 100_000}))
    assert found == [
        ("note", f"{name}[{index}]", "u4 stands in this list already", 11)
        for index in range(1, 100_000)
    ]


def test_words_may_stand_across_the_lines_of_a_message(tmp_path: Path) -> None:
    record = changed(rules=[RULES[0], {"turn": "u3", "marker": "to one"}])
    assert told(checked(tmp_path, record)) == []


def test_words_of_a_lift_beside_what_the_marker_matches_are_noted(tmp_path: Path) -> None:
    bodies = (BODIES[0], asked("Tabs are no longer wanted."), *BODIES[3:5])
    rule = {"turn": "u2", "marker": "tabs"}
    text = (
        "u2 has words of a lift outside of what the marker matches: a line that says them without"
        " quotation marks shows the rule lifted"
    )
    assert ("note", PLACE, text, 3) in told(checked(tmp_path, {"rules": [rule]}, *bodies))
    wider = {**rule, "marker": "tabs are no longer"}
    assert PLACE not in [
        place for _, place, _, _ in told(checked(tmp_path, {"rules": [wider]}, *bodies))
    ]


@pytest.mark.parametrize(
    ("fields", "finding"),
    [
        (
            {"accept": ["166"], "turn": "u2"},
            (
                "error",
                "values[0].accept",
                '"166": no tool printed it in u2, and nobody said it',
                4,
            ),
        ),
        (
            {"accept": ["5.7 ms"]},
            (
                "error",
                "values[0].accept",
                '"5.7 ms": no tool printed it in u3, and nobody said it'
                "; it stands inside a longer token only",
                7,
            ),
        ),
        (
            {"accept": ["time ./tide"]},
            (
                "error",
                "values[0].accept",
                '"time ./tide": no tool printed it in u3, and nobody said it'
                "; only the arguments of a call hold it",
                7,
            ),
        ),
        (
            {"accept": ["one decimal"]},
            (
                "error",
                "values[0].accept",
                '"one decimal": no tool printed it in u3, and nobody said it'
                "; the user's own message says it",
                7,
            ),
        ),
        (
            {"accept": ["165.7 ms", "165.70 ms"]},
            (
                "error",
                "values[0].usedAt[0]",
                '"165.7 ms" or "165.70 ms": u6 does not use it as a whole token',
                16,
            ),
        ),
        (
            {"accept": ["166 ms", "0.166 s"]},
            (
                "note",
                "values[0].accept[1]",
                '"0.166 s" stands neither where it is made nor where it is used',
                None,
            ),
        ),
        (
            {"usedAt": []},
            (
                "error",
                "values[0].usedAt",
                "due nowhere: no use comes after a compaction that closed all of u3",
                7,
            ),
        ),
        (
            {"usedAt": ["u4", "u6"]},
            (
                "note",
                "values[0].usedAt",
                "not due for u4: no compaction before it closed u3",
                None,
            ),
        ),
    ],
)
def test_a_value_stands_whole_where_it_is_made_and_used_and_is_due_in_between(
    tmp_path: Path, fields: dict[str, Any], finding: tuple[str, str, str, int | None]
) -> None:
    assert finding in told(checked(tmp_path, with_value(**fields)))


def test_a_value_whose_turn_the_last_compaction_only_split_is_due_nowhere(tmp_path: Path) -> None:
    bodies = [*BODIES]
    bodies[11] = {**bodies[11], "firstKeptEntryId": "e9"}
    text = "due nowhere: no use comes after a compaction that closed all of u3"
    assert told(checked(tmp_path, LABELS, *bodies)) == [("error", "values[0].usedAt", text, 7)]


def test_a_value_that_the_workspace_gives_back_is_no_history(tmp_path: Path) -> None:
    bodies = [*BODIES]
    bodies[16] = {**BODIES[7]}
    text = "a tool printed it in u6: the workspace gave it back"
    assert told(checked(tmp_path, LABELS, *bodies)) == [("note", "values[0].usedAt[0]", text, 16)]
    assert told(checked(tmp_path, with_value(history=False), *bodies)) == []


def test_a_value_that_the_user_says_again_is_noted(tmp_path: Path) -> None:
    bodies = [*BODIES]
    bodies[14] = asked("Put the 166 ms into the README.")
    text = "the user's own message says it in u6"
    assert told(checked(tmp_path, LABELS, *bodies)) == [("note", "values[0].usedAt[0]", text, 16)]


def test_labels_that_no_compaction_judges_are_noted(tmp_path: Path) -> None:
    bodies = (*BODIES[:4], asked("Capitals again."), replied("Yes."), BODIES[4])
    record = {
        "goal": {"turn": "u3", "marker": "capitals"},
        "rules": [{**RULES[0], "liftedAt": None}],
    }
    assert told(checked(tmp_path, record, *bodies)) == [
        ("note", "goal", "judged nowhere: no compaction closes u3", 6),
        (
            "note",
            "rules[0]",
            "judged nowhere: no compaction closes u2, or only with its lift in view",
            4,
        ),
    ]


def test_what_is_odd_about_the_session_and_the_fields_is_noted(tmp_path: Path) -> None:
    file = save_session(tmp_path).file
    file.write_bytes(file.read_bytes() + b"{\n")
    (check,) = check_labels(parse_labels({NAME: changed(author="me")}), tmp_path)
    known = "goal, rules, values, doubtful, oneOffs"
    reason = "not one JSON value: skipped (Expecting property name enclosed in double quotes at"
    first, second = check.findings
    assert (first.level, first.place, first.line) == ("note", NAME, 21)
    assert first.text.startswith(reason)
    assert second == LabelFinding(
        level="note", place="tide.author", text=f"not read; known here: {known}"
    )


def test_a_session_that_is_not_there_is_an_error_and_the_others_are_checked(tmp_path: Path) -> None:
    save_session(tmp_path)
    first, second = check_labels(parse_labels({"gone": {}, NAME: LABELS}), tmp_path)
    text = f"{tmp_path / 'gone.jsonl'}: no such file"
    assert first.findings == (LabelFinding(level="error", place="gone", text=text),)
    assert (first.counts, second.findings) == (DueCounts(), ())


def test_sessions_without_labels_are_named(tmp_path: Path) -> None:
    for name in (NAME, "b", "a"):
        save_session(tmp_path, name=name)
    assert find_unlabelled(parse_labels({NAME: {}}), tmp_path) == ("a", "b")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("it took 37 s", "37"),
        ("37.", "37"),
        ("(37)", "37"),
        ("37.x", "37"),
        ("137", None),
        ("a37", None),
        ("_37", None),
        (".37", None),
        ("37_", None),
        ("37.5", None),
        ("37.5, then 37", "37"),
        ("", None),
    ],
)
def test_a_spelling_counts_as_a_whole_token(text: str, found: str | None) -> None:
    assert find_spelling(text, ("x", "37")) == found


def test_of_many_turns_the_first_few_are_named() -> None:
    assert turn_names(range(10, 0, -1)) == "u1, u2, u3, u4, u5, u6, u7, u8 and 2 more"
    assert turn_names((7, 3, 7)) == "u3, u7"
