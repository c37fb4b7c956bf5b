"""What recorded compactions lost of what labels make due: as lines and as JSON."""

from collections.abc import Iterator, Mapping, Sequence

from longhaul.compaction.render.quoting import plain, quoted
from longhaul.evals.label_losses import Loss
from longhaul.transcript.entries import JsonValue

_LINE_CHARS = 160


def loss_lines(lost: Mapping[str, Sequence[Loss]]) -> Iterator[str]:
    """Yield a line for each loss: session and line of the compaction, measure, label, and why."""
    for name, losses in lost.items():
        for one in losses:
            where = f"{name}.jsonl:{one.cut.entry.line}: compaction {one.cut.number}"
            yield f"{plain(f'{where}: {one.measure}: {one.label}')} {_why(one)}"


def loss_records(lost: Mapping[str, Sequence[Loss]]) -> list[JsonValue]:
    """Return the same for programs, whole."""
    return [
        {
            "session": name,
            "compaction": one.cut.number,
            "line": one.cut.entry.line,
            "measure": one.measure,
            "label": one.label,
            "text": one.line,
        }
        for name, losses in lost.items()
        for one in losses
    ]


def _why(loss: Loss) -> str:
    if loss.line is None:
        return "is lost"
    return f"stands in force: {quoted(loss.line.strip(), _LINE_CHARS)}"
