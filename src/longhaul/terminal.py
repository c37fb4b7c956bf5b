"""What the commands print: results as text for people and as JSON for programs."""

import sys
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from longhaul.compaction.cut import CompactionSettings
from longhaul.compaction.history import Step
from longhaul.compaction.preview import Preview
from longhaul.compaction.render.quoting import code, plain, quoted
from longhaul.compaction.state import Quote, Rule
from longhaul.pi.doctor import Finding, Level
from longhaul.pi.scan import Problem
from longhaul.pi.sessions import Session
from longhaul.transcript.entries import CompactionEntry, JsonValue

_N_PROBLEMS = 10
"""Most damaged lines that are named one by one."""
_LEVEL_STYLES: dict[Level, str] = {"ok": "green", "warning": "yellow", "error": "bold red"}
_QUOTE_CHARS = 120
_PIPE_COLUMNS = 160
"""How wide a table is where no terminal says it."""


def make_console(*, stderr: bool = False) -> Console:
    """Return a console that colours on a terminal only."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else _PIPE_COLUMNS
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)


def preview_lines(session: Session, preview: Preview, *, seconds: float) -> list[str]:
    """Return what there is to say about a compaction beside its text."""
    report = preview.compaction.report
    cut = session.index[preview.compaction.first_kept_entry_id]
    split = ", inside a turn" if preview.preparation.is_split_turn else ""
    lines = [
        f"tokens: {preview.compaction.tokens_before:,.0f} before, {preview.tokens_after:,} after"
        f" (the state takes {preview.state_tokens:,})",
        f"cut: at line {cut.line}{split}; all from there on stays as it is",
        f"kept: {count(report.n_rules, 'rule')}, {count(report.n_values, 'value')}"
        f" in {report.n_chars:,} characters",
        f"time: {seconds * 1000:,.0f} ms, reading included",
    ]
    if report.over_budget:
        lines.append("over its budget: goal, objective and rules in force alone are longer")
    if report.gave_way:
        lines.append(f"shortened for the budget: {', '.join(report.gave_way)}")
    if report.note:
        lines.append(f"built anew from the session: {plain(report.note)}")
    return lines


def problem_lines(session: Session) -> list[str]:
    """Return what was damaged in a session file, the first lines by number."""
    problems = session.problems
    lines = [f"{plain(str(session.file))}:{problem_text(one)}" for one in problems[:_N_PROBLEMS]]
    if len(problems) > _N_PROBLEMS:
        lines.append(f"and {count(len(problems) - _N_PROBLEMS, 'more damaged line')}")
    return lines


def problem_text(problem: Problem) -> str:
    """Return one damage as `line: reason`."""
    return f"{problem.line}: {plain(problem.reason)}"


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
        "seconds": round(seconds, 4),
        "details": compaction.details,
        "problems": [problem_text(problem) for problem in session.problems],
    }


def steps_table(steps: Iterable[Step]) -> Table:
    """Return one row a compaction."""
    table = Table(
        *("", "by", "line", "closed", "tokens before", "rules", "lifted", "values"),
        caption="rules and values are what the entries prove at each cut, whoever compacted",
        caption_justify="left",
    )
    for number, step in enumerate(steps, 1):
        in_force = sum(rule.lifted_by is None for rule in step.state.rules)
        table.add_row(
            str(number),
            step.compactor,
            str(step.entry.line),
            f"{count(step.n_closed_entries, 'entry', 'entries')}, {_turns(step)}",
            f"{step.entry.tokens_before:,.0f}",
            f"{in_force} (+{len(step.gained)})",
            str(len(step.lifted)),
            f"{len(step.state.values)} (+{len(step.gained_values)})",
        )
    return table


def step_lines(number: int, step: Step) -> list[Text]:
    """Return what one compaction's span gave the state, lifted, and took from it."""
    lines = [Text(f"{number}  {_turns(step)}", style="bold")]
    lines += [Text(f"   goal {_bound(step.goal)}")] if step.goal else []
    lines += [Text(f"   + {_rule(rule)}", style="green") for rule in step.gained]
    lines += [Text(f"   ~ {_lift(rule)}", style="yellow") for rule in step.lifted]
    lines += [Text(f"   - {_rule(rule)}: edited out", style="red") for rule in step.lost]
    for value in step.gained_values:
        what = plain(value.what)
        lines.append(Text(f"   + {code(value.token)} (u{value.turn}): {what}", style="green"))
    lines += [Text(f"   - {code(value.token)}", style="red") for value in step.lost_values]
    return lines if len(lines) > 1 else [*lines, Text("   nothing new")]


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
        "goal": _bound(step.goal) if step.goal else None,
        "rulesGained": [_rule(rule) for rule in step.gained],
        "rulesLifted": [_lift(rule) for rule in step.lifted],
        "rulesLost": [_rule(rule) for rule in step.lost],
        "rulesInForce": [_rule(rule) for rule in step.state.rules if rule.lifted_by is None],
        "valuesGained": [value.token for value in step.gained_values],
        "valuesLost": [value.token for value in step.lost_values],
    }


def nothing_text(session: Session, settings: CompactionSettings) -> str:
    """Return why pi would not compact a session now."""
    last = session.path[-1] if session.path else None
    if isinstance(last, CompactionEntry):
        return (
            f"already compacted at line {last.line}, and nothing came after it; see longhaul show"
        )
    return (
        f"nothing to compact: there is nothing before the newest {settings.keep_recent_tokens:,}"
        " tokens, which stay as they are (--keep-recent-tokens sets another number)"
    )


def print_findings(console: Console, findings: Sequence[Finding]) -> None:
    """Print one row for each thing that was looked at, with what to do about it, and a count."""
    table = Table(Column(""), Column("what"), Column("found", overflow="fold"))
    for finding in findings:
        level = Text(finding.level, style=_LEVEL_STYLES[finding.level])
        mend = f"\nto do: {plain(finding.mend)}" if finding.mend else ""
        table.add_row(level, finding.subject, f"{plain(finding.text)}{mend}")
    console.print(table)
    n_errors = sum(finding.level == "error" for finding in findings)
    n_warnings = sum(finding.level == "warning" for finding in findings)
    console.print(f"{count(n_errors, 'error')}, {count(n_warnings, 'warning')}")


def count(number: int, noun: str, plural: str = "") -> str:
    """Return `number` with its noun."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def print_texts(console: Console, lines: Sequence[str | Text]) -> None:
    """Print lines as they are, however wide the terminal is."""
    for line in lines:
        console.print(line, soft_wrap=True)


def _turns(step: Step) -> str:
    if step.last_turn < step.first_turn:
        return "no message of the user"
    only = step.first_turn == step.last_turn
    return f"u{step.first_turn}" if only else f"u{step.first_turn} to u{step.last_turn}"


def _rule(rule: Rule) -> str:
    return f"r{rule.number} ({_bound(rule.quote)})"


def _lift(rule: Rule) -> str:
    assert rule.lifted_by is not None
    return f"r{rule.number} lifted by {_bound(rule.lifted_by)}"


def _bound(quote: Quote) -> str:
    return f"u{quote.turn}: {quoted(quote.text, _QUOTE_CHARS)}"
