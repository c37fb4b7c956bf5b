"""How well rules and lifts are found in labelled dialogues.

    python -m longhaul.evals.dialogues FILE [--kinds KINDS.json] [--misses] [--json]

Each dialogue is folded into a state and rendered within the default budget, as a compaction behind
its last message would; what is judged is that text.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import click
import orjson

from longhaul.compaction.compact import CompactOptions, render_at
from longhaul.compaction.fold import advance
from longhaul.compaction.state import State
from longhaul.errors import LonghaulError
from longhaul.evals.judge import bound_turn as turn_of
from longhaul.evals.judge import (
    honours_lift,
    keeps_rule,
    matches,
    rules_section,
    shows_lifted,
    stray_lines,
)
from longhaul.transcript.entries import MessageEntry, UserMessage


class DialogueError(LonghaulError):
    """A line of a dialogues file is not what the format says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledRule:
    """A rule of a dialogue, by the numbers of its messages."""

    turn: int
    marker: str
    lifted_at: int | None
    """None while it is in force at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """The user messages of one conversation, with the rules they give."""

    id: str
    kind: str
    messages: tuple[str, ...]
    rules: tuple[LabelledRule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Whole numbers to add up; more is worse for `false_lifts` and `strays` alone."""

    messages: int = 0
    in_force: int = 0
    kept: int = 0
    """In the rules section, not shown lifted."""
    kept_anywhere: int = 0
    """There, or in any other line of the text."""
    lifts: int = 0
    honoured: int = 0
    """No line shows the rule in force. A rule that was never found counts too."""
    lifts_of_found: int = 0
    """Lifts whose rule stood in the rules section before the message that lifts it."""
    honoured_of_found: int = 0
    false_lifts: int = 0
    """Rules in force that a line shows lifted."""
    strays: int = 0
    """Lines bound to a message that gives no rule and lifts none."""

    def __add__(self, other: "Tally") -> "Tally":
        """Return the sum, number by number."""
        names = [field.name for field in fields(self)]
        return Tally(**{name: getattr(self, name) + getattr(other, name) for name in names})


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One dialogue judged."""

    kind: str
    tally: Tally
    notes: tuple[str, ...]
    """What went wrong, a line each."""


def load_dialogues(path: Path, kinds: Mapping[str, str]) -> Iterator[Dialogue]:
    """Yield the dialogues of a file; the kind is the line's own, else `kinds`', else `-`.

    Raises:
        DialogueError: a line is not JSON, or lacks a field; the message names it.
    """
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            yield _parse(orjson.loads(line), kinds)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DialogueError(f"{path}:{number}: not a rule dialogue ({error})") from error


def _parse(record: Mapping[str, object], kinds: Mapping[str, str]) -> Dialogue:
    messages = record["messages"]
    rules = record["rules"]
    if not isinstance(messages, list) or not isinstance(rules, list):
        raise TypeError("messages and rules must be lists")
    turns = {message["id"]: turn for turn, message in enumerate(messages, 1)}
    name = str(record["id"])
    return Dialogue(
        id=name,
        kind=str(record.get("kind") or kinds.get(name, "-")),
        messages=tuple(str(message["text"]) for message in messages),
        rules=tuple(
            LabelledRule(
                turn=turns[rule["message"]],
                marker=str(rule["marker"]),
                lifted_at=turns[rule["liftedAt"]] if rule["liftedAt"] else None,
            )
            for rule in rules
        ),
    )


def render_messages(messages: Sequence[str]) -> str:
    """Return the text of a compaction that closes a session of these user messages."""
    path = tuple(
        MessageEntry(id=f"e{turn}", parent_id=None, message=UserMessage(text))
        for turn, text in enumerate(messages, 1)
    )
    state = advance(State(), path, 0, len(path))
    return render_at(state, path, len(path), CompactOptions()).text


def judge(dialogue: Dialogue) -> Judgement:
    """Return how the text made from a dialogue fares against its labels."""
    text = render_messages(dialogue.messages)
    section = rules_section(text)
    tally = Tally(messages=len(dialogue.messages))
    notes: list[str] = []
    for rule in dialogue.rules:
        judged = _in_force(rule, text, dialogue) if rule.lifted_at is None else _lift(rule, section)
        if rule.lifted_at is not None and _was_found(rule, dialogue):
            judged += Tally(lifts_of_found=1, honoured_of_found=judged.honoured)
        notes += _notes(rule, judged, dialogue.id)
        tally += judged
    turns = {turn for rule in dialogue.rules for turn in (rule.turn, rule.lifted_at) if turn}
    strays = stray_lines(section, turns)
    notes += [f"stray  {dialogue.id} {line}" for line in strays]
    return Judgement(
        kind=dialogue.kind, tally=tally + Tally(strays=len(strays)), notes=tuple(notes)
    )


def _in_force(rule: LabelledRule, text: str, dialogue: Dialogue) -> Tally:
    section = rules_section(text)
    kept = keeps_rule(section, rule.marker)
    alone = all(other.lifted_at is None for other in dialogue.rules if other.turn == rule.turn)
    lifted = any(
        shows_lifted(line, rule.marker)
        and (matches(line, rule.marker) or (alone and turn_of(line) == rule.turn))
        for line in section
    )
    anywhere = kept or keeps_rule(text.splitlines(), rule.marker)
    return Tally(
        in_force=1,
        kept=int(kept),
        kept_anywhere=int(anywhere),
        false_lifts=int(lifted and not kept),
    )


def _lift(rule: LabelledRule, section: Sequence[str]) -> Tally:
    honoured = honours_lift(section, rule.marker, rule.lifted_at or 0)
    return Tally(lifts=1, honoured=int(honoured))


def _was_found(rule: LabelledRule, dialogue: Dialogue) -> bool:
    before = dialogue.messages[: (rule.lifted_at or 1) - 1]
    return keeps_rule(rules_section(render_messages(before)), rule.marker)


def _notes(rule: LabelledRule, judged: Tally, name: str) -> Iterator[str]:
    where = f"{name} u{rule.turn} /{rule.marker}/"
    if judged.in_force > judged.kept_anywhere:
        yield f"lost   {where}"
    elif judged.in_force > judged.kept:
        yield f"said   {where}"
    if judged.false_lifts:
        yield f"false  {where}"
    if judged.lifts > judged.honoured:
        yield f"unlift {where} by u{rule.lifted_at}"


def by_kind(judgements: Sequence[Judgement]) -> dict[str, Tally]:
    """Return the sums, of all dialogues under `all` and of each kind."""
    sums = {"all": Tally()}
    for judgement in judgements:
        for kind in ("all", judgement.kind):
            sums[kind] = sums.get(kind, Tally()) + judgement.tally
    return {"all": sums.pop("all"), **dict(sorted(sums.items()))}


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
