"""Tables, plots and losses, counted by hand on a small run."""

from pathlib import Path

import pytest

from longhaul.evals.measures.amounts import Amount, Count, Tally
from longhaul.evals.measures.catalog import MEASURES
from longhaul.evals.report.loading import ArmText, Run, load_run
from longhaul.evals.report.losses import LossCell, LossRow, find_losses, join_ranges
from longhaul.evals.report.plots import Plot, build_plots, draw_shape
from longhaul.evals.report.tables import Cell, ColumnGroup, build_tables
from longhaul.evals.report.wording import MEASURES as TOLD
from longhaul.evals.rows import RowKey
from tests.evals.report.run_files import OTHER, RULE, failed_row, save_run, text_row


def cells(run: Run) -> dict[str, tuple[Cell, ...]]:
    return {row.name: row.cells for table in build_tables([run], ["x"]) for row in table.rows}


def test_tables_set_arms_side_by_side_and_mark_the_best(tmp_path: Path) -> None:
    run = load_run(save_run(tmp_path))
    tables = build_tables([run, run], ["chained", "takeover"])
    assert [table.title for table in tables] == [
        "Labelled measures",
        "Unlabelled measures",
        "Costs",
    ]
    assert tables[0].groups == (
        ColumnGroup(title="chained", arms=("state", "plain")),
        ColumnGroup(title="takeover", arms=("state", "plain")),
    )
    assert tables[0].rows[0].cells[:2] == tables[0].rows[0].cells[2:]
    found = cells(run)
    assert found["goal"] == (
        Cell(text="1/2", share=0.5),
        Cell(text="2/2", share=1.0, is_best=True),
    )
    # They agree on the rules, and only one arm has stray lines.
    assert found["rules"] == (Cell(text="2/3", share=2 / 3), Cell(text="2/3", share=2 / 3))
    assert found["stray"] == (Cell(text="1"), Cell())
    assert found["tokens in"] == (Cell(text="10"), Cell(text="10"))
    assert found["compactions"] == (Cell(text="2"), Cell(text="2"))
    assert "dropped items" not in found


def test_less_is_better_where_a_measure_says_so(tmp_path: Path) -> None:
    amounts: dict[str, dict[int, dict[str, Amount]]] = {
        "state": {1: {"claimWrong": Tally(("a", "b")), "claimJudged": Tally(("a", "b"))}},
        "plain": {1: {"claimWrong": Tally(("a",)), "claimJudged": Tally(("a",))}},
    }
    rows = [text_row(1, "x"), text_row(1, "y", arm="plain")]
    found = cells(load_run(save_run(tmp_path, rows=rows, amounts=amounts)))
    assert [cell.is_best for cell in found["claimWrong"]] == [False, True]
    assert [cell.is_best for cell in found["claimJudged"]] == [False, False]


def test_no_best_among_arms_that_were_not_scored_on_the_same(tmp_path: Path) -> None:
    rows = [
        text_row(1, "x"),
        text_row(2, "x"),
        text_row(1, "y", arm="plain"),
        failed_row(2, "no", arm="plain"),
    ]
    amounts: dict[str, dict[int, dict[str, Amount]]] = {
        "state": {1: {"goal": Count(kept=("u1",))}, 2: {"goal": Count(kept=("u1",))}},
        "plain": {1: {"goal": Count(lost=("u1",))}},
    }
    found = cells(load_run(save_run(tmp_path, rows=rows, amounts=amounts)))
    assert [(cell.text, cell.is_best) for cell in found["goal"]] == [("2/2", False), ("0/1", False)]


def repeated(tmp_path: Path) -> Run:
    """Return a run of one arm, three times."""
    amounts: dict[str, dict[int, dict[str, Amount]]] = {
        f"a{n}": {1: {"rules": Count(kept=("x", "y")[:n], lost=("x", "y")[n:])}} for n in range(3)
    }
    folder = save_run(
        tmp_path, rows=[text_row(1, "x" * n, arm=f"a{n}") for n in range(3)], amounts=amounts
    )
    for name in ("rows.jsonl", "scores.jsonl"):
        text = (folder / name).read_text(encoding="utf-8")
        for number in range(3):
            text = text.replace(f'"a{number}","repeat":1', f'"a","repeat":{number + 1}')
        (folder / name).write_text(text, encoding="utf-8")
    return load_run(folder)


def test_of_several_repeats_the_median_is_drawn_with_its_range(tmp_path: Path) -> None:
    texts = [*repeated(tmp_path).texts.values()]
    rules = next(plot for plot in build_plots(texts, ["a"]) if plot.name == "rules")
    (series,) = rules.series
    (point,) = series.points
    assert (point.low, point.value, point.high, point.text) == (0, 0.5, 1, "1/2")
    assert series.ranges == "M36 130V10"
    assert series.told == "a: 1/2 throughout"


def test_the_spread_of_repeats_stands_below_their_median(tmp_path: Path) -> None:
    amounts: dict[str, dict[int, dict[str, Amount]]] = {
        "state": {1: {"earlierCorrections": Count(kept=("x",), lost=("y",))}}
    }
    rows = [text_row(1, "x", repeat=1), text_row(1, "xyz", repeat=2), text_row(1, "x", repeat=3)]
    found = cells(load_run(save_run(tmp_path, rows=rows, amounts=amounts)))
    assert found["characters"] == (Cell(text="1", spread="1 to 3"),)
    assert found["earlierCorrections"] == (
        Cell(text="1/2", share=0.5, distinct="50% of 2 distinct"),
    )


def arm_text(compaction: int, arm: str = "a", text: str = "", **amounts: Amount) -> ArmText:
    key = RowKey("s", compaction, arm, 1)
    return ArmText(key=key, text=text, failure="", note="", amounts=amounts)


def plots(*texts: ArmText) -> dict[str, Plot]:
    arms = list(dict.fromkeys(one.key.arm for one in texts))
    return {plot.name: plot for plot in build_plots(texts, arms)}


def test_a_plot_has_a_line_an_arm_over_the_compactions_that_are_judged() -> None:
    found = plots(
        arm_text(1, goal=Count(kept=("u1",))),
        arm_text(2, goal=Count()),
        arm_text(3, goal=Count(lost=("u1",))),
        arm_text(1, "b", stray=Tally(("x",) * 3)),
    )
    goal, stray = found["goal"], found["stray"]
    assert (goal.compactions, goal.text_at(3, "a"), goal.text_at(2, "a")) == ((1, 3), "0/1", "")
    assert [(line.arm, line.number, line.line) for line in goal.series] == [
        ("a", 0, "M36 10L312 130")
    ]
    assert goal.series[0].told == "a: lowest 0/1 at compaction 3, highest 1/1 at 1"
    assert [tick.text for tick in goal.up] == ["0%", "50%", "100%"]
    assert [(tick.at, tick.text) for tick in goal.across] == [(36, "1"), (174, "2"), (312, "3")]
    # The second arm keeps its colour and shape though the first has no line here.
    assert [(line.arm, line.number) for line in stray.series] == [("b", 1)]
    assert [tick.text for tick in stray.up] == ["0", "2", "4"]
    assert found.keys() == {"goal", "stray", "chars"}


def test_sizes_are_drawn_in_thousands() -> None:
    chars = plots(arm_text(1, text="x" * 1500))["chars"]
    assert [tick.text for tick in chars.up] == ["0", "1k", "2k"]
    assert chars.text_at(1, "a") == "1,500"


def test_nothing_is_drawn_where_nothing_was_made() -> None:
    failed = ArmText(key=RowKey("s", 1, "a", 1), text="", failure="no", note="", amounts={})
    assert plots(failed) == plots() == {}


def test_shapes_differ_and_come_again() -> None:
    shapes = [draw_shape(number, 5, 5) for number in range(5)]
    assert (len(set(shapes[:4])), shapes[4]) == (4, shapes[0])


def test_losses_say_who_lost_what_and_where(tmp_path: Path) -> None:
    texts = [*load_run(save_run(tmp_path)).texts.values()]
    found = {row.name: row for row in find_losses(texts, ["state", "plain"])}
    assert [*found] == ["u1", RULE, OTHER, "u5 /capitals/"]
    assert found[RULE] == LossRow(
        measure="rules",
        name=RULE,
        cells=(LossCell(n_due=2, lost_at=""), LossCell(n_due=2, lost_at="1")),
    )
    assert found["u1"].cells == (LossCell(n_due=2, lost_at="2"), LossCell(n_due=2, lost_at=""))


@pytest.mark.parametrize(
    ("numbers", "joined"), [((), ""), ((4,), "4"), ((1, 2, 3, 5, 7, 8), "1 to 3, 5, 7 to 8")]
)
def test_numbers_that_follow_each_other_are_joined(numbers: tuple[int, ...], joined: str) -> None:
    assert join_ranges(numbers) == joined


def test_every_measure_is_told_in_a_line() -> None:
    assert {measure.name for measure in MEASURES} | {"chars"} == set(TOLD)
