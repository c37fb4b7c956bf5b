"""What the commands print for people."""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from longhaul.compaction.cut import CompactionSettings
from longhaul.compaction.invisible import drop_invisible
from longhaul.compaction.preview import Preview
from longhaul.compaction.render.escape import escape_text
from longhaul.compaction.render.quoting import plain
from longhaul.compaction.report_text import count, kept_text, model_text, trouble_texts
from longhaul.pi.finding import Finding, Level
from longhaul.pi.scan import Problem
from longhaul.pi.sessions import Session
from longhaul.transcript.entries import CompactionEntry
from longhaul.transcript.tree import find_leaves, find_roots

_MOVING = re.compile(r"[\r\v\f]")
"""White space that moves a terminal's cursor elsewhere than on."""
_N_PROBLEMS = 10
"""Most damaged lines that are named one by one."""
_LEVEL_STYLES: dict[Level, str] = {"ok": "green", "warning": "yellow", "error": "bold red"}
_PIPE_COLUMNS = 160
"""How wide a table is where neither a terminal nor COLUMNS says it."""


@contextmanager
def waiting(model: str | None, timeout_s: float) -> Iterator[None]:
    """Show that a model is asked, and how long that may take; nothing where none is.

    On a terminal until it has answered, elsewhere in a line beforehand. Files are not waited for so
    long, or for as long as their name says.
    """
    console = make_console(stderr=True)
    limit = f"asking {plain(model or '')}, at most {timeout_s:g} s a reply (callDeadlineSeconds)"
    if model is None or model.startswith("batch:"):
        yield
    elif console.is_terminal:
        with console.status(f"{limit}; Ctrl-C gives up"):
            yield
    else:
        print_texts(console, [limit])
        yield


def make_console(*, stderr: bool = False) -> Console:
    """Return a console that colours on a terminal only; it is as wide as COLUMNS says, if set."""
    stream = sys.stderr if stderr else sys.stdout
    says_width = stream.isatty() or os.environ.get("COLUMNS", "").lstrip("0").isdigit()
    width = None if says_width else _PIPE_COLUMNS
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
        f"kept: {kept_text(report)}",
        f"time: {seconds * 1000:,.0f} ms, reading included",
    ]
    if report.call is not None and report.call.n_calls:
        lines.append(f"model: {plain(model_text(report.call))}")
    if report.gave_way:
        lines.append(f"shortened for the budget: {', '.join(report.gave_way)}")
    return [*lines, *map(plain, trouble_texts(report))]


def problem_lines(session: Session) -> list[str]:
    """Return what was damaged in a session file, the first lines by number."""
    problems = session.problems
    lines = [f"{plain(str(session.file))}:{problem_text(one)}" for one in problems[:_N_PROBLEMS]]
    if len(problems) > _N_PROBLEMS:
        lines.append(f"and {count(len(problems) - _N_PROBLEMS, 'more damaged line')}")
    return lines


def reading_lines(session: Session) -> list[str]:
    """Return how much of a file was read, in a line, where that is not one branch of it all."""
    n_roots, n_leaves = len(find_roots(session.index)), len(find_leaves(session.index))
    if not session.n_skipped and n_roots <= 1 and n_leaves <= 1:
        return []
    lines = f"{count(session.n_lines, 'line')} read, {session.n_blank:,} blank"
    tree = f"{count(n_roots, 'root')}, {count(n_leaves, 'branch', 'branches')}"
    return [f"{lines}, {session.n_skipped:,} skipped; {tree}"]


def problem_text(problem: Problem) -> str:
    """Return one damage as `line: reason`."""
    return f"{problem.line}: {plain(problem.reason)}"


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


def print_aside(console: Console, text: str) -> None:
    """Print what goes on meanwhile, in a line with nothing in it that acts on a terminal."""
    print_texts(console, [escape_text(text)])


def print_verbatim(console: Console, text: str) -> None:
    """Print `text` as it is; to a terminal without what acts on it, white space kept."""
    shown = still(text) if console.is_terminal else _whole(text)
    console.file.write(f"{shown}\n")


def still(text: str) -> str:
    """Return `text` with its white space and without what acts on a terminal."""
    return _MOVING.sub(" ", drop_invisible(_whole(text)))


def _whole(text: str) -> str:
    """Return `text` with U+FFFD for each half of a character, which no stream takes."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def print_hanging(console: Console, lines: Sequence[str | Text], *, indent: int) -> None:
    """Print lines; on a terminal, what a line has too much stands `indent` columns in."""
    if not console.is_terminal:
        print_texts(console, lines)
        return
    room = max(console.width - indent, 1)
    for line in lines:
        text = Text(line) if isinstance(line, str) else line
        if text.cell_len <= console.width:
            console.print(text)
            continue
        first, *others = text.wrap(console, room)
        print_texts(console, [first, *(Text(" " * indent).append(other) for other in others)])


def print_texts(console: Console, lines: Sequence[str | Text]) -> None:
    """Print lines as they are, however wide the terminal is."""
    for line in lines:
        console.print(line, soft_wrap=True)
