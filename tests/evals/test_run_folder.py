"""What a run keeps in its folder, and what it refuses to read."""

import json
import os
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.evals.arms.arm import Made
from longhaul.evals.json_lines import RunError
from longhaul.evals.measures.amounts import Count, Tally
from longhaul.evals.rows import Row, RowKey, dump_row, parse_row
from longhaul.evals.run_folder import RUN, RunFolder
from longhaul.evals.scores import Score, dump_score, parse_score

KEY = RowKey("tide", 2, "state", 1)
ROW = Row(
    key=KEY,
    entry_id="e11",
    made=Made(
        text="## Rules\n- r1",
        details={"longhaul": {"version": 2}},
        from_hook=False,
        tokens_in=10,
        tokens_out=2,
        tokens_cached=0,
        seconds=0.25,
        n_calls=1,
        note="cut",
        is_narrative_less=True,
        n_dropped=3,
    ),
)
FAILED = Row(key=KEY, entry_id="e11", made=None, failure="no reply")
TEXT = st.text(max_size=20)
NUMBER = st.none() | st.integers(min_value=0, max_value=10**9)


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    made = RunFolder(tmp_path / "run")
    made.make()
    return made


@given(
    text=TEXT,
    note=TEXT,
    tokens=NUMBER,
    seconds=st.none() | st.floats(min_value=0, max_value=1e9),
    failure=st.sampled_from(["", "no reply"]),
)
def test_a_row_comes_back_as_it_was(
    text: str, note: str, tokens: int | None, seconds: float | None, failure: str
) -> None:
    made = Made(text=text, note=note, tokens_in=tokens, seconds=seconds)
    row = Row(key=KEY, entry_id="e", made=None if failure else made, failure=failure)
    assert parse_row(json.loads(json.dumps(dump_row(row)))) == row


def test_a_row_holds_all_that_was_made() -> None:
    assert parse_row(json.loads(json.dumps(dump_row(ROW)))) == ROW


@given(kept=st.lists(TEXT), lost=st.lists(TEXT), found=st.lists(TEXT))
def test_a_score_comes_back_as_it_was(kept: list[str], lost: list[str], found: list[str]) -> None:
    score = Score(
        key=KEY,
        label_hash="",
        amounts={"rules": Count(kept=tuple(kept), lost=tuple(lost)), "stray": Tally(tuple(found))},
    )
    assert parse_score(json.loads(json.dumps(dump_score(score)))) == score


def test_a_folder_and_its_files_are_their_owners_alone(folder: RunFolder) -> None:
    folder.append_row(ROW)
    folder.save_json(RUN, {"a": 1})
    folder.save_scores([])
    modes = {
        file.name: stat.S_IMODE(file.stat().st_mode)
        for file in (folder.folder, *folder.folder.iterdir())
        if file.name != ".gitignore"
    }
    assert modes == {"run": 0o700, "rows.jsonl": 0o600, "run.json": 0o600, "scores.jsonl": 0o600}


def test_git_ignores_what_lies_in_it(folder: RunFolder) -> None:
    assert (folder.folder / ".gitignore").read_text() == "*\n"


def test_rows_are_found_by_what_they_are_about_the_newest_of_a_key(folder: RunFolder) -> None:
    other = RowKey("tide", 1, "state", 1)
    for row in (FAILED, Row(key=other, entry_id="e6", made=Made(text="t")), ROW):
        folder.append_row(row)
    index = folder.index_rows()
    assert index.keys() == (KEY, other)
    assert index.find(KEY) == ROW
    assert index.find(RowKey("tide", 9, "state", 1)) is None


def test_a_row_that_a_killed_run_left_unfinished_is_dropped(folder: RunFolder) -> None:
    folder.append_row(ROW)
    file = folder.folder / "rows.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole + whole[:-9])
    assert folder.index_rows().keys() == (KEY,)
    folder.drop_unfinished_row()
    assert file.read_bytes() == whole


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "rows.jsonl:2: no JSON"),
        ("[]", "rows.jsonl:2: : expected object, got list"),
        (json.dumps({**dump_row(ROW), "session": 1}), "rows.jsonl:2: session: expected str"),
        (json.dumps({**dump_row(ROW), "compaction": 0}), "compaction: expected a number from 1 on"),
        (json.dumps({**dump_row(ROW), "tokensIn": -1}), "tokensIn: expected a whole number, got"),
        (json.dumps({**dump_row(ROW), "tokensIn": 1.5}), "tokensIn: expected a whole number, got"),
        (json.dumps({**dump_row(ROW), "seconds": "1"}), "seconds: expected number, got str"),
        (json.dumps({**dump_row(ROW), "fromHook": 1}), "fromHook: expected bool, got int"),
        (json.dumps({**dump_row(ROW), "details": []}), "details: expected object, got list"),
    ],
)
def test_a_damaged_row_is_named_by_file_line_and_field(
    folder: RunFolder, line: str, message: str
) -> None:
    folder.append_row(ROW)
    with (folder.folder / "rows.jsonl").open("a") as stream:
        stream.write(f"{line}\n")
    with pytest.raises(RunError, match=message):
        folder.index_rows()


def test_damaged_scores_are_named_too(folder: RunFolder) -> None:
    file = folder.folder / "scores.jsonl"
    file.write_text(json.dumps({**KEY._asdict(), "counts": {"rules": {"kept": [1]}}}) + "\n")
    with pytest.raises(RunError, match=r"scores.jsonl:1: counts.rules.kept\[0\]: expected str"):
        list(folder.load_scores())


def test_what_is_not_there_is_no_error(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "none")
    assert folder.load_json(RUN) is None
    assert folder.index_rows().keys() == ()
    assert list(folder.load_scores()) == []


def test_a_damaged_json_file_is_named(folder: RunFolder) -> None:
    (folder.folder / RUN).write_text("[]")
    with pytest.raises(RunError, match=r"run\.json: not of a run"):
        folder.load_json(RUN)


def test_scores_are_written_anew_and_only_whole(folder: RunFolder) -> None:
    score = Score(key=KEY, label_hash="", amounts={})
    folder.save_scores([score, score])
    folder.save_scores([score])
    assert list(folder.load_scores()) == [score]

    def failing() -> Iterator[Score]:
        yield score
        raise ValueError("stopped")

    with pytest.raises(ValueError, match="stopped"):
        folder.save_scores(failing())
    assert list(folder.load_scores()) == [score]


def test_rows_that_are_a_link_are_refused_and_its_target_stays(
    folder: RunFolder, tmp_path: Path
) -> None:
    target = tmp_path / "target"
    target.write_text("no end of a line")
    (folder.folder / "rows.jsonl").symlink_to(target)
    with pytest.raises(RunError, match=r"rows\.jsonl: a link"):
        folder.drop_unfinished_row()
    assert target.read_text() == "no end of a line"


def test_a_folder_or_a_pipe_in_the_place_of_a_file_is_named_and_not_waited_for(
    folder: RunFolder,
) -> None:
    for name in ("rows.jsonl", "scores.jsonl"):
        os.mkfifo(folder.folder / name)
    (folder.folder / RUN).mkdir()
    with pytest.raises(RunError, match=r"run\.json: no regular file"):
        folder.load_json(RUN)
    with pytest.raises(RunError, match=r"rows\.jsonl: no regular file"):
        folder.index_rows()
    with pytest.raises(RunError, match=r"rows\.jsonl: no regular file"):
        folder.drop_unfinished_row()
    with pytest.raises(RunError, match=r"scores\.jsonl: no regular file"):
        list(folder.load_scores())


@given(
    text=st.text(st.characters(codec=None), max_size=5),
    number=st.floats(allow_nan=True, allow_infinity=True) | st.integers(),
)
def test_whatever_an_arm_puts_into_a_row_can_be_read_again(text: str, number: float) -> None:
    row = replace(ROW, made=Made(text=text, details={"a": [text, {"n": number}]}))
    with tempfile.TemporaryDirectory() as place:
        folder = RunFolder(Path(place))
        folder.append_row(row)
        again = folder.index_rows().find(KEY)
    assert again is not None
    assert again.made is not None
    assert again.made.text == text
