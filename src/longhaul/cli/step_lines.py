"""What the compactions of a session closed and gave, for people."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from longhaul.cli.terminal import print_hanging, print_texts
from longhaul.compaction.history import Step
from longhaul.compaction.render.quoting import code, plain, quoted
from longhaul.compaction.report_text import count
from longhaul.compaction.state import Quote, Rule, all_values, is_in_force

_QUOTE_CHARS = 120
_CAPTION = "rules and values: what entries and diffs give at each cut, whoever compacted"
_HANG_COLUMNS = 5
"""How far in a line goes on that is too long for the terminal: behind its sign."""


def print_steps(console: Console, steps: Sequence[Step]) -> None:
    """Print the compactions of a session as a table, then what each gave, lifted and took."""
    if not steps:
        console.print("no compaction yet; `longhaul compact` shows what one would give")
        return
    console.print(_table(steps))
    print_texts(console, [_CAPTION])
    for number, step in enumerate(steps, 1):
        print_hanging(console, _step_lines(number, step), indent=_HANG_COLUMNS)


def rule_text(rule: Rule) -> str:
    """Return a rule by its number, with the words that give it."""
    if rule.origin == "pin":
        words = quoted(rule.quote.text, _QUOTE_CHARS)
        return f"r{rule.number} (pinned after u{rule.quote.turn}: {words})"
    return f"r{rule.number} ({quote_text(rule.quote)})"


def lift_text(rule: Rule) -> str:
    """Return a lifted rule by its number, with the words that lift it."""
    assert rule.lifted_by is not None
    return f"r{rule.number} lifted by {quote_text(rule.lifted_by)}"


def quote_text(quote: Quote) -> str:
    """Return words of the user with the message they stand in."""
    return f"u{quote.turn}: {quoted(quote.text, _QUOTE_CHARS)}"


def _table(steps: Iterable[Step]) -> Table:
    """Return one row a compaction."""
    table = Table(
        *("", "by", "line", Column("closed", no_wrap=True)),
        *("tokens before", "rules", "lifted", "values"),
    )
    for number, step in enumerate(steps, 1):
        in_force = sum(is_in_force(rule) for rule in step.state.rules)
        table.add_row(
            str(number),
            step.compactor,
            str(step.entry.line),
            count(step.n_closed_entries, "entry", "entries"),
            f"{step.entry.tokens_before:,.0f}",
            f"{in_force} (+{len(step.gained)})",
            str(len(step.lifted)),
            f"{len(all_values(step.state))} (+{len(step.gained_values)})",
        )
    return table


def _step_lines(number: int, step: Step) -> list[Text]:
    """Return what one compaction's span gave the state, lifted, and took from it."""
    lines = [Text(f"{number}  {_turns(step)}", style="bold")]
    lines += [Text(f"   goal {quote_text(step.goal)}")] if step.goal else []
    lines += [Text(f"   + {rule_text(rule)}", style="green") for rule in step.gained]
    lines += [Text(f"   ~ {lift_text(rule)}", style="yellow") for rule in step.lifted]
    lines += [Text(f"   - {rule_text(rule)}: edited out", style="red") for rule in step.lost]
    for value in step.gained_values:
        what = plain(value.what)
        lines.append(Text(f"   + {code(value.token)} (u{value.turn}): {what}", style="green"))
    lines += [Text(f"   - {code(value.token)}", style="red") for value in step.lost_values]
    return lines if len(lines) > 1 else [*lines, Text("   nothing new")]


def _turns(step: Step) -> str:
    if step.last_turn < step.first_turn:
        return "no message of the user"
    only = step.first_turn == step.last_turn
    return f"u{step.first_turn}" if only else f"u{step.first_turn} to u{step.last_turn}"
