"""One session of a run as a page shows it: its plots, what is lost, and its compactions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from longhaul.evals.measures.amounts import Amount, Count, Tally
from longhaul.evals.measures.catalog import MEASURES
from longhaul.evals.report.changes import Block, find_blocks
from longhaul.evals.report.closed import Closed
from longhaul.evals.report.loading import ArmText, Run
from longhaul.evals.report.losses import MAIN_MEASURES, LossRow, find_losses
from longhaul.evals.report.marks import mark_lines
from longhaul.evals.report.plots import Plot, build_plots


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one measure found in one text."""

    measure: str
    is_main: bool
    """Whether it says for itself what labels make due, and not once more a part of that."""
    text: str
    """`3/4`, or a number."""
    kept: tuple[str, ...]
    lost: tuple[str, ...]
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmPart:
    """One arm at one compaction."""

    arm: str
    number: int
    """The arm's place among those of the session, from 0."""
    n_chars: int
    failure: str
    note: str
    findings: tuple[Finding, ...]
    before: int | None
    """The compaction whose text this one stands beside; None for the arm's first."""
    blocks: tuple[Block, ...]

    @property
    def n_lost(self) -> int:
        """How much of what labels make due it lost, each counted once."""
        return sum(len(one.lost) for one in self.findings if one.is_main)

    @property
    def n_stray(self) -> int:
        """How many lines are stray."""
        return sum(len(one.found) for one in self.findings if one.measure == "stray")


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionPart:
    """One compaction of a session."""

    number: int
    arms: tuple[ArmPart, ...]
    closed: Closed | None
    """What it closed; None where only a run is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPart:
    """One session of one run."""

    name: str
    run_title: str
    """Empty where there is one run."""
    arms: tuple[str, ...]
    plots: tuple[Plot, ...]
    losses: tuple[LossRow, ...]
    compactions: tuple[CompactionPart, ...]


def build_sessions(
    run: Run, run_title: str, closed: Mapping[int, Closed] | None = None
) -> Iterator[SessionPart]:
    """Yield the sessions of a run by name.

    `closed` holds what each compaction closed where one session is viewed, else it is None.
    """
    by_name: dict[str, list[ArmText]] = {}
    for text in run.texts.values():
        by_name.setdefault(text.key.session, []).append(text)
    for name, texts in sorted(by_name.items()):
        arms = _arms(run, texts)
        yield SessionPart(
            name=name,
            run_title=run_title,
            arms=arms,
            plots=tuple(build_plots(texts, arms)),
            losses=tuple(find_losses(texts, arms)),
            compactions=tuple(_compactions(texts, arms, closed or {})),
        )


def _arms(run: Run, texts: Sequence[ArmText]) -> tuple[str, ...]:
    """Return the arms of a session, in the order of the tables."""
    there = dict.fromkeys(text.key.arm for text in texts)
    return (
        *(arm for arm in run.summary.arms if arm in there),
        *(arm for arm in there if arm not in run.summary.arms),
    )


def _compactions(
    texts: Sequence[ArmText], arms: Sequence[str], closed: Mapping[int, Closed]
) -> Iterator[CompactionPart]:
    """Yield the compactions in order, each arm's first repeat beside its text before."""
    first = {(one.key.compaction, one.key.arm): one for one in texts if one.key.repeat == 1}
    before: dict[str, ArmText] = {}
    for compaction in sorted({number for number, _ in first}):
        parts = []
        for number, arm in enumerate(arms):
            text = first.get((compaction, arm))
            if text is not None:
                parts.append(_arm_part(text, number, before.get(arm)))
                if not text.failure:
                    before[arm] = text
        yield CompactionPart(number=compaction, arms=tuple(parts), closed=closed.get(compaction))


def _arm_part(text: ArmText, number: int, before: ArmText | None) -> ArmPart:
    was = before.text.splitlines() if before else []
    lines = mark_lines(text.text, text.amounts)
    return ArmPart(
        arm=text.key.arm,
        number=number,
        n_chars=len(text.text),
        failure=text.failure,
        note=text.note,
        findings=tuple(_findings(text.amounts)),
        before=before.key.compaction if before else None,
        blocks=() if text.failure else tuple(find_blocks(was, text.text.splitlines(), lines)),
    )


def _findings(amounts: Mapping[str, Amount]) -> Iterator[Finding]:
    """Yield what the measures found, where something is due or found, in the order of tables."""
    for measure in MEASURES:
        match amounts.get(measure.name):
            case Count(kept=kept, lost=lost) if kept or lost:
                yield Finding(
                    measure=measure.name,
                    is_main=measure.name in MAIN_MEASURES,
                    text=f"{len(kept)}/{len(kept) + len(lost)}",
                    kept=kept,
                    lost=lost,
                    found=(),
                )
            case Tally(found) if found:
                yield Finding(
                    measure=measure.name,
                    is_main=measure.name in MAIN_MEASURES,
                    text=str(len(found)),
                    kept=(),
                    lost=(),
                    found=found,
                )
            case _:
                pass
