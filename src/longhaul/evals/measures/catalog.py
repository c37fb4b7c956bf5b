"""All measures that judge a text, in the order of the tables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from longhaul.evals import probe
from longhaul.evals.measures import claims, corrections, facts, labelled, need, objective
from longhaul.evals.measures.amounts import Amount
from longhaul.evals.measures.subject import Subject

Better = Literal["more", "less", "context"]
"""Which way is better; `context` where neither is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One measure, as tables, files and docs name it."""

    name: str
    judge: Callable[[Subject], Amount | None]
    """None where it says nothing of this text: no labels, or an arm that it is not for."""
    better: Better
    is_labelled: bool = False


_LABELLED = (
    ("goal", labelled.goal),
    ("rules", labelled.rules),
    ("rulesAnywhere", labelled.rules_anywhere),
    ("span", labelled.span),
    ("earlier", labelled.earlier),
    ("lifts", labelled.lifts),
    ("values", labelled.values),
    ("history", labelled.history),
)

MEASURES = (
    *(
        Measure(name=name, judge=labelled.where_labelled(judge), better="more", is_labelled=True)
        for name, judge in _LABELLED
    ),
    Measure(name="stray", judge=labelled.stray, better="less", is_labelled=True),
    Measure(name="need", judge=need.need, better="more"),
    Measure(name="needWithRecall", judge=need.need_with_recall, better="more"),
    Measure(name="files", judge=need.files, better="more"),
    Measure(name="artifacts", judge=need.artifacts, better="more"),
    Measure(name="corrections", judge=corrections.corrections, better="more"),
    Measure(name="earlierCorrections", judge=corrections.earlier_corrections, better="more"),
    Measure(name="facts", judge=facts.facts, better="more"),
    Measure(name="factsWithRecall", judge=facts.facts_with_recall, better="more"),
    Measure(name="reused", judge=facts.reused, better="more"),
    Measure(name="objectiveMoved", judge=objective.objective_moved, better="context"),
    Measure(name="objectiveBack", judge=objective.objective_back, better="less"),
    Measure(name="claimWrong", judge=claims.claim_wrong, better="less"),
    Measure(name="claimJudged", judge=claims.claim_judged, better="context"),
    Measure(name="probe", judge=probe.judge_probe, better="more"),
)


def judge_all(subject: Subject) -> Mapping[str, Amount]:
    """Return what every measure that has a say finds, by its name."""
    found = ((measure.name, measure.judge(subject)) for measure in MEASURES)
    return {name: amount for name, amount in found if amount is not None}
