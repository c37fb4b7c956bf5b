"""The matrix: does a compaction go through Longhaul with a model, and does the model go on from it?

For each model and thinking level one short session of real pi; a row says what came of it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from longhaul.compaction.completion import ThinkingLevel
from longhaul.errors import LonghaulError
from longhaul.evals.matrix_session import Outcome, Setup, Step, run_session
from longhaul.evals.matrix_task import Task, holds
from longhaul.models.reasoning import Reasoning


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One model at one thinking level."""

    spec: str
    """What names the model."""
    thinking: ThinkingLevel | None
    """None leaves it to the model."""

    def __str__(self) -> str:
        """Return it as it is written: `provider/model-id:low`."""
        suffix = f":{self.thinking}" if self.thinking else ""
        return self.spec if self.spec.endswith(suffix) else f"{self.spec}{suffix}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What came of one cell."""

    cell: Cell
    reasoning: Reasoning
    outcome: Outcome | None
    """None where the session came to no end."""
    value_recalled: bool = False
    rule_recalled: bool = False
    reason: str = ""
    """Why it did not pass; empty where it did."""

    @property
    def passed(self) -> bool:
        """Whether the compaction is Longhaul's, with the model's word, and both were recalled."""
        return not self.reason


def run_cell(
    cell: Cell,
    reasoning: Reasoning,
    setup: Setup,
    task: Task,
    *,
    on_step: Callable[[Step], None] = lambda _: None,
) -> Row:
    """Return the row of one cell; a session that fails is one that did not pass."""
    try:
        outcome = run_session(setup, task, thinking=cell.thinking, on_step=on_step)
    except LonghaulError as error:
        return Row(cell=cell, reasoning=reasoning, outcome=None, reason=str(error))
    return judge(cell, reasoning, task, outcome)


def judge(cell: Cell, reasoning: Reasoning, task: Task, outcome: Outcome) -> Row:
    """Return the row of a session that came to its end."""
    return Row(
        cell=cell,
        reasoning=reasoning,
        outcome=outcome,
        value_recalled=holds(outcome.answer, task.value),
        rule_recalled=holds(outcome.answer, task.file),
        reason="; ".join(_reasons(task, outcome)),
    )


def _reasons(task: Task, outcome: Outcome) -> Iterator[str]:
    """Yield why a session did not pass, what came first first."""
    if not outcome.is_longhauls:
        yield f"pi compacted without Longhaul: {outcome.notice or 'it did not say why'}"
    elif outcome.failure:
        yield f"the compaction was made without all of the model's word: {outcome.failure}"
    if outcome.answer_failure:
        yield f"no reply to the questions: {outcome.answer_failure}"
        return
    for what, name in (("value", task.value), ("rule", task.file)):
        if holds(outcome.kept, name):
            yield f"the {what} was still in view after the compaction, so that nothing is shown"
        elif not holds(outcome.answer, name):
            stood = "stands" if holds(outcome.summary, name) else "does not stand"
            yield f"the {what} was not recalled; it {stood} in the state"
