"""How well rules and lifts are found in labelled dialogues.

    python -m longhaul.evals.dialogues FILE [--kinds KINDS.json] [--misses] [--json]

Each dialogue is folded into a state and rendered within the default budget, as a compaction behind
its last message would; what is judged is that text.
"""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import click
import orjson

from longhaul.errors import LonghaulError
from longhaul.evals.labels import load_dialogues
from longhaul.evals.rule_measures import Tally, by_kind, judge


def render_table(sums: Mapping[str, Tally]) -> str:
    """Return the sums as a table, a kind a line."""
    rows = [f"{'kind':10}  in Rules  anywhere  lifts honoured (of found)  false lifts  strays/100"]
    for kind, tally in sums.items():
        strays = f"{100 * tally.strays / tally.messages:.1f}" if tally.messages else "-"
        rows.append(
            f"{kind:10}  {f'{tally.kept}/{tally.in_force}':>8}"
            f"  {f'{tally.kept_anywhere}/{tally.in_force}':>8}"
            f"  {f'{tally.honoured}/{tally.lifts}':>14}"
            f"  {f'{tally.honoured_of_found}/{tally.lifts_of_found}':>9}"
            f"  {tally.false_lifts:11}  {strays:>10}"
        )
    return "\n".join(rows)


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--kinds", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--misses", is_flag=True, help="List only what went wrong.")
@click.option("--json", "as_json", is_flag=True)
def main(*, file: Path, kinds: Path | None, misses: bool, as_json: bool) -> None:
    """Print what is kept of the rules in the dialogues of FILE, and list the misses."""
    try:
        known = orjson.loads(kinds.read_bytes()) if kinds else _kinds_beside(file)
        judgements = [judge(dialogue) for dialogue in load_dialogues(file, known)]
    except LonghaulError as error:
        raise click.ClickException(str(error)) from error
    sums = by_kind(judgements)
    notes = [note for judgement in judgements for note in judgement.notes]
    if as_json:
        found = {"kinds": {kind: asdict(tally) for kind, tally in sums.items()}, "misses": notes}
        click.echo(orjson.dumps(found, option=orjson.OPT_INDENT_2))
        return
    parts = [] if misses else [render_table(sums), ""]
    click.echo("\n".join([*parts, *notes]))


def _kinds_beside(file: Path) -> dict[str, str]:
    """Return the kinds in `NAME.kinds.json` beside `NAME.dialogues.jsonl`; empty without one."""
    beside = file.with_name(file.name.removesuffix(".dialogues.jsonl") + ".kinds.json")
    kinds: dict[str, str] = orjson.loads(beside.read_bytes()) if beside.is_file() else {}
    return kinds


if __name__ == "__main__":
    main()
