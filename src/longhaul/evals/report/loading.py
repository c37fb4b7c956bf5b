"""The folder of a run -> what a page shows of it. Nothing but the run's own four files is read."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from longhaul.compaction.secrets import mask_secrets
from longhaul.evals import rows, scores
from longhaul.evals.arms.arm import Made
from longhaul.evals.fields import Fields, parse_optional_text
from longhaul.evals.json_lines import RunError, read_lines
from longhaul.evals.markers import compile_marker
from longhaul.evals.measures.amounts import Amount, Count, Tally
from longhaul.evals.report.marks import RULE_MEASURES, marker_of
from longhaul.evals.rows import Row, RowKey, parse_row
from longhaul.evals.run_folder import RUN, RunFolder
from longhaul.evals.runs import load_summary
from longhaul.evals.scores import Score
from longhaul.evals.summary import Summary
from longhaul.pi.scan import show_file
from longhaul.transcript.shapes import ShapeError


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmText:
    """What one arm made at one compaction, and what the measures found in it."""

    key: RowKey
    text: str
    """Empty where the arm failed."""
    failure: str
    note: str
    amounts: Mapping[str, Amount]
    """By the measure's name; empty where the row is not scored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """All of a run that a page shows."""

    name: str
    """Of its folder."""
    label_hash: str
    """Of the labels that judged it; empty where there are none."""
    summary: Summary
    texts: Mapping[RowKey, ArmText]
    """In the order in which they were made."""

    @property
    def is_chained(self) -> bool:
        """Whether each arm went on from its own compactions."""
        options = self.summary.run.get("options")
        return not isinstance(options, dict) or options.get("is_chained") is not False


def load_run(folder: Path) -> Run:
    """Return what a run's folder holds.

    Raises:
        RunError: there is no run in it, or a file of it is damaged; names file, line and field.
    """
    run_folder = RunFolder(folder)
    run = run_folder.load_json(RUN)
    if run is None:
        raise RunError(f"{show_file(folder)}: no run in it; `longhaul score` makes one")
    summary = load_summary(run_folder)
    label_hash = _label_hash(folder, run)
    made = {row.key: row for row in read_lines(folder / rows.FILE_NAME, _parse_lean)}
    found = {score.key: score for score in run_folder.load_scores()}
    _require_one_labelling(folder, label_hash, [*found.values()])
    built = build_run(
        folder.resolve().name,
        label_hash,
        replace(summary, run=run),
        [*made.values()],
        found,
    )
    _require_markers(folder, built)
    return built


def build_run(
    name: str,
    label_hash: str,
    summary: Summary,
    made: Sequence[Row],
    found: Mapping[RowKey, Score],
) -> Run:
    """Return a run of rows and their scores; what looks like a secret in them is masked."""
    texts = {row.key: _arm_text(row, found.get(row.key)) for row in made}
    return Run(name=name, label_hash=label_hash, summary=summary, texts=texts)


def require_one_labelling(runs: Sequence[Run]) -> None:
    """Refuse runs that were judged by different labels: their numbers are not comparable.

    Raises:
        RunError: they were.
    """
    first = runs[0]
    for other in runs[1:]:
        if other.label_hash != first.label_hash:
            raise RunError(
                f"{first.name} and {other.name} were judged by different labels"
                f" ({first.label_hash or 'none'}, {other.label_hash or 'none'}):"
                " judge both anew by the same ones, `longhaul score --rescore RUN --labels FILE`"
            )


def _label_hash(folder: Path, run: Fields) -> str:
    try:
        return parse_optional_text(run, "labels")
    except ShapeError as error:
        raise RunError(f"{show_file(folder / RUN)}: {error}") from None


def _require_one_labelling(folder: Path, label_hash: str, found: Sequence[Score]) -> None:
    other = next((one for one in found if one.label_hash not in ("", label_hash)), None)
    if other is not None:
        file = show_file(folder / scores.FILE_NAME)
        raise RunError(
            f"{file}: {other.key.session} compaction {other.key.compaction}, {other.key.arm}:"
            f" judged by labels {other.label_hash}, {RUN} names {label_hash or 'none'};"
            f" `longhaul score --rescore {show_file(folder)}` judges all anew"
        )


def _require_markers(folder: Path, run: Run) -> None:
    for text in run.texts.values():
        for measure in RULE_MEASURES:
            amount = text.amounts.get(measure)
            names = (*amount.kept, *amount.lost) if isinstance(amount, Count) else ()
            bad = next((name for name in names if not _holds_marker(name)), None)
            if bad is not None:
                file = show_file(folder / scores.FILE_NAME)
                raise RunError(
                    f"{file}: {text.key.session} compaction {text.key.compaction},"
                    f" {text.key.arm}: counts.{measure}: no regular expression in {bad!r}"
                )


def _holds_marker(name: str) -> bool:
    try:
        compile_marker(marker_of(name))
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def _parse_lean(fields: Fields) -> Row:
    """Return a row without what its compactor keeps beside the text, which no page shows."""
    return parse_row({**fields, "details": None})


def _arm_text(row: Row, score: Score | None) -> ArmText:
    made = row.made or Made(text="")
    amounts = score.amounts if score else {}
    return ArmText(
        key=row.key,
        text=mask_secrets(made.text),
        failure=mask_secrets(row.failure),
        note=mask_secrets(made.note),
        amounts={name: _masked(amount) for name, amount in amounts.items()},
    )


def _masked(amount: Amount) -> Amount:
    """Return an amount whose names, commands among them, hold no secret."""
    if isinstance(amount, Tally):
        return Tally(tuple(map(mask_secrets, amount.found)))
    return Count(
        kept=tuple(map(mask_secrets, amount.kept)), lost=tuple(map(mask_secrets, amount.lost))
    )
