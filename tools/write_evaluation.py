"""Write the tables of EVALUATION.md from the summaries of runs in `eval/runs/`.

A table stands behind a comment that says what is in it, and is written anew up to the comment that
ends it:

    <!-- table: labelled chained.json:state-offline=offline takeover.json:recorded -->
    <!-- end -->

It names a kind (labelled, unlabelled, costs, or `sessions MEASURE`), then columns: the file in
`eval/runs`, the arm, and optionally what the column is called.

Usage: python tools/write_evaluation.py [--check]
"""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import orjson

from longhaul.cli.score_lines import COSTS, SIGNS, cost_cell, figure_cell
from longhaul.evals.fields import parse_object
from longhaul.evals.measures.catalog import MEASURES
from longhaul.evals.summary import Repeat, Summary, parse_summary

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "EVALUATION.md"
RUNS = ROOT / "eval" / "runs"

_TABLE = re.compile(
    r"(?P<open><!-- table: (?P<spec>.+?) -->\n).*?(?P<close><!-- end -->)", re.DOTALL
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One arm of one run."""

    title: str
    run: str
    """The file in `eval/runs`."""
    summary: Summary
    arm: str

    @property
    def repeats(self) -> Sequence[Repeat]:
        """What the arm gave over all sessions."""
        return self.summary.arms[self.arm]


def load_run(name: str) -> Summary:
    """Return the summary of a committed run."""
    return parse_summary(parse_object(orjson.loads((RUNS / name).read_bytes()), name))


def find_columns(words: Sequence[str]) -> list[Column]:
    """Return the columns that words such as `chained.json:state-offline=offline` name.

    Raises:
        ValueError: they were judged by different labels, so that they cannot stand side by side.
    """
    columns = []
    for word in words:
        place, _, title = word.partition("=")
        run, _, arm = place.partition(":")
        summary = load_run(run)
        columns.append(Column(title=title or arm, run=run, summary=summary, arm=arm))
    hashes = {column.summary.run.get("labels") for column in columns}
    if len(hashes) > 1:
        raise ValueError(f"{' '.join(words)}: judged by different labels; rescore them")
    return columns


def render_table(spec: str) -> Iterator[str]:
    """Yield the lines of the table that a comment asks for."""
    kind, *words = spec.split()
    if kind == "sessions":
        yield from _by_session(words[0], find_columns(words[1:]))
        return
    columns = find_columns(words)
    rows = {"labelled": _labelled, "unlabelled": _unlabelled, "costs": _costs}[kind]
    yield _row([kind, *(f"`{column.title}`" for column in columns)])
    yield _row(["---"] * (len(columns) + 1))
    for title, cell in rows():
        cells = [cell(column.repeats) for column in columns]
        if any(cells):
            yield _row([title, *cells])


def _by_session(measure: str, columns: Sequence[Column]) -> Iterator[str]:
    yield _row([f"`{measure}`", *(f"`{column.title}`" for column in columns)])
    yield _row(["---"] * (len(columns) + 1))
    names = dict.fromkeys(name for column in columns for name in column.summary.sessions)
    for name in names:
        found = [column.summary.sessions.get(name, {}).get(column.arm, ()) for column in columns]
        yield _row([f"`{name}`", *(figure_cell(measure, repeats) for repeats in found)])


_Cell = Callable[[Sequence[Repeat]], str]


def _labelled() -> Iterator[tuple[str, _Cell]]:
    yield from _measures(is_labelled=True)


def _unlabelled() -> Iterator[tuple[str, _Cell]]:
    yield from _measures(is_labelled=False)


def _measures(*, is_labelled: bool) -> Iterator[tuple[str, _Cell]]:
    for measure in MEASURES:
        if measure.is_labelled is is_labelled:
            name = measure.name
            title = f"`{name}` {SIGNS[measure.better]}".strip()
            yield title, partial(figure_cell, name)


def _costs() -> Iterator[tuple[str, _Cell]]:
    yield "compactions", lambda repeats: f"{repeats[0].n_compactions:,}"
    for name, title in COSTS:
        yield title, partial(cost_cell, name)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def fill_page(page: str) -> str:
    """Return the page with every table written anew."""

    def fill(match: re.Match[str]) -> str:
        lines = "".join(f"{line}\n" for line in render_table(match["spec"]))
        return f"{match['open']}\n{lines}\n{match['close']}"

    return _TABLE.sub(fill, page)


def main(arguments: Sequence[str]) -> int:
    """Write the page, or with `--check` say whether it is as it would be written."""
    page = PAGE.read_text(encoding="utf-8")
    filled = fill_page(page)
    if "--check" in arguments:
        return int(filled != page)
    PAGE.write_text(filled, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
