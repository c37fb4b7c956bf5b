"""What the check of labels found, and what a labeller looks at: as lines, tables and JSON."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path as FilePath

from rich.table import Column, Table
from rich.text import Text

from longhaul.cli.terminal import still
from longhaul.compaction.render.escape import escape_text
from longhaul.compaction.render.quoting import quoted
from longhaul.compaction.report_text import count
from longhaul.compaction.secrets import mask_secrets
from longhaul.evals.due import Cut, Due, DueCounts
from longhaul.evals.label_check import SessionCheck
from longhaul.evals.label_measures import LabelCounts
from longhaul.evals.labelled_session import LabelFinding, LabelledSession
from longhaul.evals.session_labels import RuleLabel, SessionLabels
from longhaul.evals.turns import Turn
from longhaul.pi.scan import show_file
from longhaul.transcript.entries import JsonValue

_MESSAGE_CHARS = 120
COUNTS_CAPTION = (
    "judgements at all compactions (cuts); rules: span and earlier, values: history included"
)
SHARES_CAPTION = "kept/due over all compactions"
_COLUMNS = ("cuts", "goal", "rules", "span", "earlier", "lifts", "values", "history")
_STYLES = {"error": "bold red", "note": "yellow"}


def session_lines(sessions: Mapping[str, bool]) -> list[str]:
    """Return the sessions of a folder, a line each, with whether each has labels."""
    return [
        f"{escape_text(name)}{'' if has else '  (no labels)'}" for name, has in sessions.items()
    ]


def finding_line(labels: FilePath, name: str, finding: LabelFinding) -> Text:
    """Return a finding as `error FILE: PLACE: TEXT (SESSION.jsonl:LINE)`, on one line."""
    where = "" if finding.line is None else f" ({name}.jsonl:{finding.line})"
    text = escape_text(f"{finding.place}: {finding.text}{where}")
    level = Text(finding.level, style=_STYLES[finding.level])
    return level.append(f" {show_file(labels)}: {text}", style="default")


def unlabelled_lines(labels: FilePath, names: Sequence[str]) -> list[Text]:
    """Return a note for each session that lies beside the labels and has none."""
    return [
        finding_line(labels, name, LabelFinding(level="note", place=name, text="has no labels"))
        for name in names
    ]


def counts_table(checks: Sequence[SessionCheck]) -> Table:
    """Return how many judgements the labels give, a row for each session, and their sum."""
    table = _session_table(_COLUMNS)
    for one in checks:
        table.add_row(escape_text(one.name), *_numbers(len(one.due), one.counts))
    table.add_section()
    table.add_row("all", *_numbers(_n_compactions(checks), _total(checks)))
    return table


def measure_table(counts: Mapping[str, LabelCounts]) -> Table:
    """Return what compactions keep, a row for each session, and their sum."""
    table = _session_table(_COLUMNS[1:])
    for name, one in counts.items():
        table.add_row(escape_text(name), *_shares(one))
    table.add_section()
    table.add_row("all", *_shares(_sum(counts)))
    return table


def measure_record(counts: Mapping[str, LabelCounts]) -> dict[str, JsonValue]:
    """Return what compactions keep, for programs."""
    sessions: dict[str, JsonValue] = {name: asdict(one) for name, one in counts.items()}
    return {"sessions": sessions, "all": asdict(_sum(counts))}


def _session_table(columns: Sequence[str]) -> Table:
    """Return a table of numbers without rows, whose first column names sessions."""
    return Table(
        Column("session", no_wrap=True, overflow="fold"),
        *(Column(name, justify="right") for name in columns),
        collapse_padding=True,
    )


def _shares(counts: LabelCounts) -> Iterator[str]:
    for name in _COLUMNS[1:]:
        yield f"{getattr(counts.kept, name):,}/{getattr(counts.due, name):,}"


def _sum(counts: Mapping[str, LabelCounts]) -> LabelCounts:
    return sum(counts.values(), LabelCounts(kept=DueCounts(), due=DueCounts()))


def total_line(checks: Sequence[SessionCheck], unlabelled: Sequence[str]) -> str:
    """Return how many errors and notes there are; a session without labels is a note."""
    levels = [finding.level for one in checks for finding in one.findings]
    sessions = count(len(checks), "session")
    errors, notes = (
        count(levels.count("error"), "error"),
        count(levels.count("note") + len(unlabelled), "note"),
    )
    return f"{sessions}: {errors}, {notes}"


def check_record(checks: Sequence[SessionCheck], unlabelled: Sequence[str]) -> dict[str, JsonValue]:
    """Return checks for programs."""
    return {
        "sessions": [_session_record(one) for one in checks],
        "compactions": _n_compactions(checks),
        "judgements": asdict(_total(checks)),
        "unlabelled": [*unlabelled],
    }


def _session_record(one: SessionCheck) -> dict[str, JsonValue]:
    return {
        "session": one.name,
        "findings": [asdict(finding) for finding in one.findings],
        "judgements": asdict(one.counts),
        "compactions": [_due_record(due) for due in one.due],
    }


def _due_record(due: Due) -> dict[str, JsonValue]:
    """Return what is due at one compaction, by message."""
    rules = ("span", "earlier", "lifted", "not_judged")
    return {
        **_cut_record(due.cut),
        "goal": due.goal.turn if due.goal else None,
        **{_camel(name): [rule.turn for rule in getattr(due, name)] for name in rules},
        "values": [
            {"turn": value.label.turn, "usedAt": [*value.used_at], "history": value.label.history}
            for value in due.values
        ],
    }


def _cut_record(cut: Cut) -> dict[str, JsonValue]:
    return {
        "compaction": cut.number,
        "line": cut.entry.line,
        "firstKeptEntryId": cut.entry.first_kept_entry_id,
        "closedMessages": cut.n_closed_turns,
        "isSplitTurn": cut.is_split_turn,
    }


def show_lines(session: LabelledSession, *, is_whole: bool = False) -> list[Text]:
    """Return the user messages of a session, with labels and cuts between them.

    A line each, or all that they say where `is_whole`.
    """
    said = _said(session.labels)
    cuts: defaultdict[int, list[Text]] = defaultdict(list)
    for cut in session.cuts:
        text = f"-- {_cut_text(cut, session.turns)}"
        cuts[cut.n_closed_turns].append(Text(text, style="cyan"))
    lines = cuts[0]
    for turn in session.turns:
        lines += _whole_message(turn) if is_whole else [_titled(turn, _head(turn))]
        lines += [Text(f"      {escape_text(one)}", style="green") for one in said[turn.number]]
        lines += cuts[turn.number]
    return lines or [Text("no user message")]


def _titled(turn: Turn, text: str) -> Text:
    return Text(f"u{turn.number}", style="bold").append(f"  {text}", "default")


def _whole_message(turn: Turn) -> list[Text]:
    said = mask_secrets(turn.text).splitlines()
    return [_titled(turn, f"line {turn.line}"), *(Text(f"  > {still(one)}") for one in said)]


def _cut_text(cut: Cut, turns: Sequence[Turn]) -> str:
    """Return after which message a compaction cut, or in whose turn, and when it was made."""
    number = cut.n_closed_turns
    where = f"{'inside' if cut.is_split_turn else 'after'} u{number}" if number else "before u1"
    begun = [turn for turn in turns if turn.start < cut.index]
    when = f"{'in' if begun[-1].end > cut.index else 'after'} u{begun[-1].number}" if begun else ""
    made = f"line {cut.entry.line}{', made ' if when else ''}{when}"
    return f"compaction {cut.number} cuts {where} ({made})"


def show_record(session: LabelledSession) -> dict[str, JsonValue]:
    """Return the user messages of a session for programs, with labels and cuts."""
    said = _said(session.labels)
    return {
        "session": session.name,
        "messages": [
            {
                "message": f"u{turn.number}",
                "line": turn.line,
                "text": mask_secrets(turn.text),
                "labels": [*said[turn.number]],
            }
            for turn in session.turns
        ],
        "compactions": [_cut_record(cut) for cut in session.cuts],
    }


def _head(turn: Turn) -> str:
    """Return the first line of a user message that says something, and how many more it has."""
    lines = [line for line in turn.text.splitlines() if line.strip()]
    more = f" (+{count(len(lines) - 1, 'line')})" if len(lines) > 1 else ""
    return f"{quoted(lines[0] if lines else '', _MESSAGE_CHARS)}{more}  line {turn.line}"


def _said(labels: SessionLabels) -> Mapping[int, list[str]]:
    """Return what the labels say of each message, a text each."""
    said: defaultdict[int, list[str]] = defaultdict(list)
    for number, text in _sayings(labels):
        said[number].append(text)
    return said


def _sayings(labels: SessionLabels) -> Iterator[tuple[int, str]]:
    if labels.goal is not None:
        yield labels.goal.turn, f"goal /{labels.goal.marker}/"
    for index, rule in enumerate(labels.rules):
        yield rule.turn, f"rules[{index}] /{rule.marker}/{_until(rule)}"
        if rule.lifted_at is not None:
            yield rule.lifted_at, f"lifts rules[{index}] /{rule.marker}/ of u{rule.turn}"
    for index, value in enumerate(labels.values):
        spelled = " or ".join(value.accept)
        history = ", history" if value.history else ""
        yield value.turn, f"values[{index}] made: {spelled}{history}"
        for number in value.used_at:
            yield number, f"values[{index}] used: {spelled}"
    yield from ((number, "doubtful") for number in labels.doubtful)
    yield from ((number, "one-off") for number in labels.one_offs)


def _until(rule: RuleLabel) -> str:
    return "" if rule.lifted_at is None else f" until u{rule.lifted_at}"


def _numbers(n_compactions: int, counts: DueCounts) -> Iterator[str]:
    yield f"{n_compactions:,}"
    yield from (f"{getattr(counts, name):,}" for name in _COLUMNS[1:])


def _n_compactions(checks: Sequence[SessionCheck]) -> int:
    return sum(len(one.due) for one in checks)


def _total(checks: Sequence[SessionCheck]) -> DueCounts:
    return sum((one.counts for one in checks), DueCounts())


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)
