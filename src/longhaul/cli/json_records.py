"""What the commands print for programs, as JSON values."""

from longhaul.cli.step_lines import lift_text, quote_text, rule_text
from longhaul.cli.terminal import problem_text
from longhaul.compaction.diff.record import dump_call
from longhaul.compaction.history import Step
from longhaul.compaction.preview import Preview
from longhaul.compaction.state import is_in_force
from longhaul.pi.sessions import Session
from longhaul.transcript.entries import JsonValue


def preview_record(session: Session, preview: Preview, *, seconds: float) -> dict[str, JsonValue]:
    """Return a preview for programs."""
    compaction, report = preview.compaction, preview.compaction.report
    return {
        "session": session.header.id,
        "summary": compaction.summary,
        "firstKeptEntryId": compaction.first_kept_entry_id,
        "isSplitTurn": preview.preparation.is_split_turn,
        "tokensBefore": compaction.tokens_before,
        "tokensAfter": preview.tokens_after,
        "stateTokens": preview.state_tokens,
        "rules": report.n_rules,
        "values": report.n_values,
        "characters": report.n_chars,
        "gaveWay": [*report.gave_way],
        "overBudget": report.over_budget,
        "note": report.note,
        "call": dump_call(report.call) if report.call else None,
        "seconds": round(seconds, 4),
        "details": compaction.details,
        "problems": _problems(session),
    }


def state_record(session: Session, text: str) -> dict[str, JsonValue]:
    """Return the state at the end of a session, rendered as `text`."""
    return {"session": session.header.id, "text": text, "problems": _problems(session)}


def step_record(number: int, step: Step) -> dict[str, JsonValue]:
    """Return one compaction for programs."""
    return {
        "compaction": number,
        "by": step.compactor,
        "entry": step.entry.id,
        "line": step.entry.line,
        "firstKeptEntryId": step.entry.first_kept_entry_id,
        "tokensBefore": step.entry.tokens_before,
        "closedEntries": step.n_closed_entries,
        "turns": [step.first_turn, step.last_turn],
        "goal": quote_text(step.goal) if step.goal else None,
        "rulesGained": [rule_text(rule) for rule in step.gained],
        "rulesLifted": [lift_text(rule) for rule in step.lifted],
        "rulesLost": [rule_text(rule) for rule in step.lost],
        "rulesInForce": [rule_text(rule) for rule in step.state.rules if is_in_force(rule)],
        "valuesGained": [value.token for value in step.gained_values],
        "valuesLost": [value.token for value in step.lost_values],
        "call": dump_call(step.call) if step.call else None,
        "carriedStateDiffersIn": None if step.differences is None else [*step.differences],
    }


def _problems(session: Session) -> list[JsonValue]:
    return [problem_text(problem) for problem in session.problems]
