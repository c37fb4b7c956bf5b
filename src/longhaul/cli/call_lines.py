"""What was asked of models in a session, and whether its states can be built again, for people."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from longhaul.compaction.diff.changes import Dropped
from longhaul.compaction.diff.items import Diff
from longhaul.compaction.diff.record import CallRecord
from longhaul.compaction.history import Step
from longhaul.compaction.render.quoting import plain, quoted
from longhaul.compaction.report_text import model_text


def print_calls(console: Console, steps: Sequence[Step]) -> None:
    """Print for each compaction what was asked, what was believed, what was dropped and why."""
    for number, step in enumerate(steps, 1):
        for line in _call_lines(number, step):
            console.print(line, soft_wrap=True)
    if not steps:
        console.print("no compaction yet; `longhaul compact --model MODEL` tries one")


def print_rebuilt(console: Console, steps: Sequence[Step]) -> None:
    """Print for each compaction whether the state that it carries can be built again."""
    for number, step in enumerate(steps, 1):
        console.print(_rebuilt_line(number, step), soft_wrap=True)
    if not steps:
        console.print("no compaction yet, so no state is carried")


def _call_lines(number: int, step: Step) -> Iterator[Text]:
    title = Text(f"{number}  line {step.entry.line}, by {step.compactor}", style="bold")
    call = step.call
    if call is None:
        ours = step.compactor == "longhaul"
        yield title.append(": no model was asked" if ours else ": not Longhaul's")
        return
    thinking = f", thinking {call.thinking}" if call.thinking else ""
    model = plain(call.model) or "the session's model"
    yield title.append(f": {model}, mode {plain(call.mode)}{thinking}")
    if call.n_calls:
        yield Text(f"   {model_text(call)}")
    if call.failure:
        yield Text(f"   failed: {plain(call.failure)}", style="red")
    if call.clipped:
        yield Text(f"   in the request, for room: {plain(', '.join(call.clipped))}", style="yellow")
    yield from (Text(f"   + {line}", style="green") for line in diff_lines(_taken(call)))
    for dropped in call.dropped:
        style = "yellow" if dropped.marked else "red"
        yield Text(f"   {_dropped(dropped)}", style=style)


def _taken(call: CallRecord) -> Diff:
    """Return the items that were wholly believed: those that only mark a rule left out."""
    marked = {dropped.item.split(":")[0] for dropped in call.dropped if dropped.marked}
    return replace(
        call.diff,
        lifts=tuple(
            lift for lift in call.diff.lifts if f"{lift.rule} by {lift.message}" not in marked
        ),
        one_offs=tuple(one for one in call.diff.one_offs if one.name not in marked),
    )


def diff_lines(diff: Diff) -> Iterator[str]:
    """Yield one line for each thing that a diff says, safe for a terminal."""
    for rule in diff.rules:
        yield f"rule {plain(rule.message)}: {quoted(rule.quote)}"
    for lift in diff.lifts:
        yield f"lift of {plain(lift.rule)} by {plain(lift.message)}: {quoted(lift.quote)}"
    for one_off in diff.one_offs:
        yield f"no standing rule: {plain(one_off.name)}"
    for value in diff.values:
        yield f"value {plain(value.message)}: {plain(value.value)}, {plain(value.what)}"
    for note in diff.notes:
        yield f"{note.kind} {plain(note.message)}: {plain(note.text)}"


def _dropped(dropped: Dropped) -> str:
    if dropped.marked:
        return f"~ {dropped.kind}, {dropped.reason}: {plain(dropped.item)}; the rule stays, marked"
    return f"- {dropped.kind} dropped, {dropped.reason}: {plain(dropped.item)}"


def _rebuilt_line(number: int, step: Step) -> Text:
    title = Text(f"{number}  line {step.entry.line}, by {step.compactor}: ")
    if step.differences is None:
        return title.append("carries no state")
    if not step.differences:
        return title.append("the same, built from the entries and diffs", style="green")
    parts = plain(", ".join(step.differences))
    return title.append(f"differs from what entries and diffs give in: {parts}", style="bold red")
