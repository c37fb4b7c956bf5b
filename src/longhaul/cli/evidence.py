"""`longhaul evidence`: what the precedence line's evidence clause does to a model's plan."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import click
from rich.console import Console
from rich.table import Column, Table

from longhaul.cli import terminal
from longhaul.cli.conventions import AS_JSON, Minutes, output, print_json
from longhaul.compaction.completion import THINKING_LEVELS, ThinkingLevel
from longhaul.compaction.render.quoting import plain
from longhaul.evals.evidence import (
    VERDICTS,
    EvidenceOptions,
    Trial,
    count_verdicts,
    run_evidence,
)
from longhaul.models.opening import open_model
from longhaul.models.specs import ProviderSpec, parse_spec
from longhaul.transcript.entries import JsonValue

_MINUTE_S = 60.0
_MOST_PLANS = 1_000
"""A typing error is not to fill a batch folder, or to be paid for."""
_VARIANTS = (("with the clause", True), ("without it", False))


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceCommand:
    """What the user asked for."""

    spec: str
    k: int
    thinking: ThinkingLevel | None
    reply_limit: float
    as_json: bool


@click.command()
@click.option(
    "--model",
    "spec",
    metavar="MODEL",
    required=True,
    help="Who is resumed: provider/model-id[:thinking], local:FILE.gguf, local:smollm2 or"
    " batch:FOLDER.",
)
@click.option(
    "--k",
    type=click.IntRange(min=1, max=_MOST_PLANS),
    default=5,
    envvar="EVIDENCE_K",
    help="Plans asked for with the clause, and as many without; EVIDENCE_K says the same."
    "  [default: 5]",
)
@click.option(
    "--thinking",
    type=click.Choice(THINKING_LEVELS),
    help="How much the model thinks.  [default: what its name says, else its own]",
)
@click.option(
    "--reply-limit",
    type=Minutes(most=7 * 24 * 60),
    default=10.0,
    show_default=True,
    help="Minutes that the model has for a reply; batch: says its own.",
)
@AS_JSON
def evidence(**given: Any) -> None:
    """Ask a model for its plan where the narrative says the tests pass and the evidence denies it.

    One state is resumed with the last clause of its precedence line, and as often without it. A
    plan `reruns` the tests before any commit or push, `asserts` by a commit or push first, does
    neither (`other`), or is none (`no-plan`).

    Ends with 1 where no reply came at all, with 3 where replies in a batch folder are awaited.
    """
    command = EvidenceCommand(**given)
    timeout_s = command.reply_limit * _MINUTE_S
    console = terminal.make_console(stderr=True)
    say = partial(terminal.print_aside, console)
    model = open_model(command.spec, timeout_s=timeout_s, environment=os.environ, say=say)
    options = EvidenceOptions(k=command.k, thinking=command.thinking or _named_level(command.spec))
    with _progress(console, 2 * options.k) as on_trial:
        trials = run_evidence(model, options, on_trial=on_trial)
    with output():
        if command.as_json:
            print_json(evidence_record(command.spec, options, trials))
        else:
            _print(command.spec, options, trials)
    if all(one.verdict is None for one in trials):
        sys.exit(1)


def _named_level(spec: str) -> ThinkingLevel | None:
    named = parse_spec(spec)
    return named.thinking if isinstance(named, ProviderSpec) else None


@contextmanager
def _progress(console: Console, n_trials: int) -> Iterator[Callable[[Trial], None]]:
    """Show how many plans are there: on a terminal in one line, elsewhere a line for each."""
    n_done = 0

    def take(trial: Trial) -> None:
        nonlocal n_done
        n_done += 1
        if console.is_terminal:
            status.update(f"{n_done} of {n_trials} plans; Ctrl-C gives up")
        else:
            came = trial.verdict or "no reply"
            terminal.print_texts(console, [f"plan {n_done} of {n_trials}: {came}"])

    if not console.is_terminal:
        yield take
        return
    with console.status(f"asking for {n_trials} plans; Ctrl-C gives up") as status:
        yield take


def evidence_record(
    spec: str, options: EvidenceOptions, trials: Sequence[Trial]
) -> dict[str, JsonValue]:
    """Return what came of the check, for programs; each plan with its reply."""
    return {
        "model": spec,
        "thinking": options.thinking,
        "k": options.k,
        "withClause": dict(_counts(trials, with_clause=True)),
        "withoutClause": dict(_counts(trials, with_clause=False)),
        "trials": [_trial_record(one) for one in trials],
    }


def _counts(trials: Sequence[Trial], *, with_clause: bool) -> Iterator[tuple[str, JsonValue]]:
    yield from count_verdicts(trials, with_clause=with_clause).items()
    yield "no reply", sum(one.with_clause is with_clause and bool(one.failure) for one in trials)


def _trial_record(trial: Trial) -> dict[str, JsonValue]:
    return {
        "withClause": trial.with_clause,
        "repeat": trial.repeat,
        "verdict": trial.verdict,
        "commands": list(trial.commands),
        "reply": trial.reply,
        "failure": trial.failure,
    }


def _print(spec: str, options: EvidenceOptions, trials: Sequence[Trial]) -> None:
    console = terminal.make_console()
    level = f", thinking {options.thinking}" if options.thinking else ""
    terminal.print_texts(console, [f"{plain(spec)}{level}, {options.k} plans each"])
    numbers = (Column(verdict, justify="right") for verdict in (*VERDICTS, "no reply"))
    table = Table(Column("precedence line"), *numbers)
    for name, with_clause in _VARIANTS:
        counts = dict(_counts(trials, with_clause=with_clause))
        table.add_row(name, *map(str, counts.values()))
    console.print(table)
    failures = dict.fromkeys(one.failure for one in trials if one.failure)
    terminal.print_texts(console, [f"no reply: {plain(failure)}" for failure in failures])
