"""From rows to the numbers of a run."""

import json
from pathlib import Path

import pytest

from longhaul.evals.arms.arm import Made
from longhaul.evals.cases import NotScored
from longhaul.evals.json_lines import RunError
from longhaul.evals.measures.amounts import Count, Tally
from longhaul.evals.rescoring import hash_labels
from longhaul.evals.rows import Row, RowKey
from longhaul.evals.run_folder import SUMMARY, RunFolder
from longhaul.evals.runs import load_summary
from longhaul.evals.scores import Score
from longhaul.evals.scoring import SessionLabelling, score_rows
from longhaul.evals.session_labels import parse_labels
from longhaul.evals.summary import Costs, Number, Repeat, Share, Summary, dump_summary
from longhaul.evals.sums import Sums
from tests.evals.replayable import LABELS, NAME, built

LABELLING = SessionLabelling(labels=parse_labels({NAME: LABELS})[NAME], label_hash="h")
NO_COSTS = Costs(
    chars=None,
    tokens_in=None,
    tokens_out=None,
    tokens_cached=None,
    p50=None,
    p90=None,
    n_calls=0,
    n_narrative_less=0,
    n_dropped=0,
)


def row(number: int, text: str, arm: str = "a") -> Row:
    return Row(
        key=RowKey(NAME, number, arm, 1), entry_id=f"e{5 * number + 1}", made=Made(text=text)
    )


def labelled(score: Score) -> dict[str, tuple[int, int]]:
    amounts = {name: amount for name, amount in score.amounts.items() if isinstance(amount, Count)}
    names = ("goal", "rules", "span", "earlier", "values")
    return {name: (len(amounts[name].kept), amounts[name].n_due) for name in names}


def test_a_text_is_judged_where_its_compaction_was_recorded() -> None:
    text = "## Goal\nA tide table reader\n## Rules\n- lower case\n## Values\n- 166 ms"
    scores = list(score_rows(built().path, LABELLING, [row(n, text) for n in (3, 1, 2)]))
    assert [score.key.compaction for score in scores] == [1, 2, 3]
    assert [labelled(score) for score in scores] == [
        {"goal": (1, 1), "rules": (0, 0), "span": (0, 0), "earlier": (0, 0), "values": (0, 0)},
        {"goal": (1, 1), "rules": (1, 1), "span": (1, 1), "earlier": (0, 0), "values": (0, 0)},
        {"goal": (1, 1), "rules": (1, 1), "span": (0, 0), "earlier": (1, 1), "values": (1, 1)},
    ]


def test_a_session_without_labels_has_no_labelled_amounts() -> None:
    (score,) = score_rows(built().path, None, [row(1, "t")])
    assert score.label_hash == ""
    assert "rules" not in score.amounts
    assert "need" in score.amounts


def test_a_failed_row_and_one_of_no_compaction_there_have_no_score() -> None:
    failed = Row(key=RowKey(NAME, 1, "a", 1), entry_id="e", made=None, failure="no")
    assert list(score_rows(built().path, LABELLING, [failed, row(9, "t")])) == []


def test_labels_have_one_hash_however_they_are_written_and_another_once_they_differ() -> None:
    same = [
        hash_labels(parse_labels({NAME: one})) for one in (LABELS, dict(reversed(LABELS.items())))
    ]
    assert same[0].label_hash == same[1].label_hash != ""
    other = {**LABELS} | {"goal": {"turn": "u1", "marker": "tide"}}
    assert hash_labels(parse_labels({NAME: other})).label_hash != same[0].label_hash
    assert hash_labels({}).label_hash == ""
    assert hash_labels({}).find(NAME) is None


def score_of(number: int, session: str = NAME, **amounts: Count | Tally) -> Score:
    return Score(key=RowKey(session, number, "a", 1), label_hash="h", amounts=amounts)


def test_sums_are_whole_counts_over_compactions() -> None:
    sums = Sums()
    sums.add(
        score_of(1, rules=Count(kept=("u1",), lost=("u2",)), stray=Tally(("x",))), Made(text="t")
    )
    sums.add(score_of(2, rules=Count(kept=("u1", "u2")), stray=Tally()), Made(text="t"))
    (repeat,) = sums.arms(["a"])["a"]
    assert repeat.n_compactions == 2
    assert repeat.figures == {"rules": Share(kept=3, due=4), "stray": Number(1)}


def test_distinct_things_are_averaged_each_by_how_often_it_was_kept() -> None:
    sums = Sums()
    first, second = Count(kept=("u1",), lost=("u2",)), Count(lost=("u1",))
    sums.add(score_of(1, earlierCorrections=first), Made(text=""))
    sums.add(score_of(2, earlierCorrections=second), Made(text=""))
    sums.add(score_of(1, "other", earlierCorrections=Count(kept=("u1",))), Made(text=""))
    (repeat,) = sums.arms(["a"])["a"]
    # u1 of tide 1 of 2, u2 of tide 0 of 1, u1 of other 1 of 1: the mean of 0.5, 0 and 1.
    share = Share(kept=2, due=4, n_distinct=3, distinct_share=0.5)
    assert repeat.figures == {"earlierCorrections": share}
    assert sums.sessions(["a"])["other"]["a"][0].figures["earlierCorrections"] == Share(
        kept=1, due=1, n_distinct=1, distinct_share=1.0
    )


def test_costs_are_means_of_what_is_known_and_percentiles_of_time() -> None:
    sums = Sums()
    for number in range(1, 11):
        made = Made(
            text="x" * number,
            tokens_in=100 if number == 1 else None,
            seconds=float(number),
            n_calls=1,
            is_narrative_less=number == 3,
            n_dropped=2,
        )
        sums.add(score_of(number), made)
    (repeat,) = sums.arms([])["a"]
    assert repeat.costs == Costs(
        chars=6,  # 5.5, to the even
        tokens_in=100,
        tokens_out=None,
        tokens_cached=None,
        p50=5.5,
        p90=9.1,
        n_calls=10,
        n_narrative_less=1,
        n_dropped=20,
    )


def test_a_summary_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    share = Share(kept=1, due=2, n_distinct=2, distinct_share=0.5)
    repeat = Repeat(n_compactions=2, figures={"r": share, "s": Number(3)}, costs=NO_COSTS)
    summary = Summary(
        run={"labels": "h"},
        arms={"a": (repeat, repeat)},
        sessions={NAME: {"a": (repeat,)}},
        not_scored=(NotScored(session=NAME, compaction=1, arm="", reason="why"),),
        n_awaited=1,
    )
    folder = RunFolder(tmp_path)
    folder.save_json(SUMMARY, dump_summary(summary))
    assert load_summary(folder) == summary


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"arms": []}, "arms: expected object, got list"),
        ({"arms": {"a": [{"compactions": -1}]}}, r"measures: expected object, got null"),
        (
            {"arms": {"a": [{"measures": {"r": {"kept": 1}}, "compactions": 1}]}},
            r"arms.a\[0\].measures.r.due: expected a whole number",
        ),
        ({"notScored": [{"session": 1}]}, r"notScored\[0\].session: expected str, got int"),
    ],
)
def test_a_damaged_summary_is_named_by_file_and_field(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    record = {**dump_summary(Summary(run={}, arms={}, sessions={})), **change}
    (tmp_path / SUMMARY).write_text(json.dumps(record))
    with pytest.raises(RunError, match=rf"summary\.json: .*{message}"):
        load_summary(RunFolder(tmp_path))


def test_a_folder_without_a_summary_says_what_makes_one(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no such file; `longhaul score` writes it"):
        load_summary(RunFolder(tmp_path))
