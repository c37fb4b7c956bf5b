"""How well rules and lifts are found in labelled dialogues.

    python -m longhaul.evals.dialogues FILE [--kinds KINDS.json] [--model MODEL] [--misses] [--json]

What is judged is the text of a compaction behind a dialogue's last message, within the default
budget; with `--model`, one with that model's word in it. Dialogues whose reply in a batch folder is
not there yet are left out, and it ends with 3.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import orjson

from longhaul.compaction.ask import Mode
from longhaul.compaction.compact import Model
from longhaul.compaction.report_text import count
from longhaul.errors import LonghaulError, ReplyAwaitedError
from longhaul.evals.labels import load_dialogues
from longhaul.evals.rule_measures import Judgement, Tally, by_kind, judge, render_messages
from longhaul.models import open_model

MODEL_TIMEOUT_S = 600


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
@click.option(
    "--model", help="provider/model-id, local:FILE.gguf or batch:FOLDER; none without it."
)
@click.option("--mode", type=click.Choice(["state", "turns"]), default="state", show_default=True)
@click.option("--misses", is_flag=True, help="List only what went wrong.")
@click.option("--json", "as_json", is_flag=True)
def main(**given: Any) -> None:
    """Print what is kept of the rules in the dialogues of FILE, and list the misses."""
    command = _Command(**given)
    try:
        judgements, n_awaited = _judge_all(command)
    except LonghaulError as error:
        raise click.ClickException(str(error)) from error
    sums = by_kind(judgements)
    notes = [note for judgement in judgements for note in judgement.notes]
    if command.as_json:
        found = {"kinds": {kind: asdict(tally) for kind, tally in sums.items()}, "misses": notes}
        click.echo(orjson.dumps(found, option=orjson.OPT_INDENT_2))
    else:
        parts = [] if command.misses else [render_table(sums), ""]
        click.echo("\n".join([*parts, *notes]))
    if n_awaited:
        replies = count(n_awaited, "reply", "replies")
        click.echo(f"{replies} awaited; run it again once all are there", err=True)
        sys.exit(ReplyAwaitedError.exit_code)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Command:
    file: Path
    kinds: Path | None
    model: str | None
    mode: Mode
    misses: bool
    as_json: bool


def _judge_all(command: _Command) -> tuple[list[Judgement], int]:
    """Return the dialogues that could be judged, and how many wait for a reply."""
    kinds = command.kinds
    known = orjson.loads(kinds.read_bytes()) if kinds else _kinds_beside(command.file)
    render = partial(render_messages, model=_open(command.model), mode=command.mode)
    judgements, n_awaited = [], 0
    for dialogue in load_dialogues(command.file, known):
        try:
            judgements.append(judge(dialogue, render=render))
        except ReplyAwaitedError:
            n_awaited += 1
    return judgements, n_awaited


def _open(spec: str | None) -> Model | None:
    if spec is None:
        return None
    return open_model(spec, timeout_s=MODEL_TIMEOUT_S, environment=os.environ)


def _kinds_beside(file: Path) -> dict[str, str]:
    """Return the kinds in `NAME.kinds.json` beside `NAME.dialogues.jsonl`; empty without one."""
    beside = file.with_name(file.name.removesuffix(".dialogues.jsonl") + ".kinds.json")
    kinds: dict[str, str] = orjson.loads(beside.read_bytes()) if beside.is_file() else {}
    return kinds


if __name__ == "__main__":
    main()
