"""What came of the matrix: as a table, lines and JSON."""

from collections.abc import Sequence
from importlib import metadata

from rich.table import Column, Table

from longhaul.compaction.render.quoting import plain
from longhaul.evals.matrix import Row
from longhaul.evals.matrix_session import Outcome
from longhaul.pi.installed_pi import InstalledPi
from longhaul.pi.model_answers import Exchange
from longhaul.transcript.entries import JsonValue


def matrix_table(rows: Sequence[Row]) -> Table:
    """Return a row for each model and thinking level."""
    table = Table(
        Column("model", overflow="fold"),
        "thinking",
        "class",
        Column("calls", justify="right"),
        Column("verified", justify="right"),
        "value",
        "rule",
        "verdict",
    )
    for row in rows:
        outcome = row.outcome
        table.add_row(
            plain(row.cell.spec),
            row.cell.thinking or "default",
            str(row.reasoning),
            str(len(outcome.calls)) if outcome else "",
            _verified(outcome),
            *(_recalled(outcome, one) for one in (row.value_recalled, row.rule_recalled)),
            "pass" if row.passed else "fail",
        )
    return table


def failure_lines(rows: Sequence[Row]) -> list[str]:
    """Return why rows did not pass, a line each."""
    return [f"{plain(str(row.cell))}: {plain(row.reason)}" for row in rows if not row.passed]


def matrix_record(rows: Sequence[Row], pi: InstalledPi) -> dict[str, JsonValue]:
    """Return what came of the matrix, for programs."""
    return {
        "pi": pi.version,
        "longhaul": metadata.version("pi-longhaul"),
        "rows": [_row_record(row) for row in rows],
    }


def _verified(outcome: Outcome | None) -> str:
    if outcome is None:
        return ""
    return f"{outcome.n_verified} of {outcome.n_verified + outcome.n_dropped}"


def _recalled(outcome: Outcome | None, recalled: object) -> str:
    if outcome is None:
        return ""
    return "recalled" if recalled else "lost"


def _row_record(row: Row) -> dict[str, JsonValue]:
    return {
        "model": row.cell.spec,
        "thinking": row.cell.thinking,
        "reasoning": row.reasoning.control,
        "reasoningHidden": row.reasoning.is_hidden,
        "passed": row.passed,
        "reason": row.reason,
        "valueRecalled": row.value_recalled,
        "ruleRecalled": row.rule_recalled,
        "session": _outcome_record(row.outcome) if row.outcome else None,
    }


def _outcome_record(outcome: Outcome) -> dict[str, JsonValue]:
    return {
        "byLonghaul": outcome.is_longhauls,
        "notice": outcome.notice,
        "calls": [_call_record(one) for one in outcome.calls],
        "verified": outcome.n_verified,
        "dropped": outcome.n_dropped,
        "failure": outcome.failure,
        "summary": outcome.summary,
        "answer": outcome.answer,
        "answerFailure": outcome.answer_failure,
    }


def _call_record(call: Exchange) -> dict[str, JsonValue]:
    return {
        "seconds": round(call.seconds, 3),
        "tokensIn": call.tokens_in,
        "tokensOut": call.tokens_out,
        "tokensCached": call.tokens_cached,
        "failure": call.failure,
    }
