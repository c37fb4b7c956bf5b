"""What a run of the harness was asked for, as its folder keeps it."""

from dataclasses import asdict, dataclass

from longhaul.compaction.completion import ThinkingLevel
from longhaul.evals.fields import Fields
from longhaul.evals.json_lines import RunError
from longhaul.transcript.entries import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """The options that decide what stands in a row: rows made with others are others."""

    sessions: str
    """The folder, as it was given."""
    arms: tuple[str, ...]
    model: str | None
    thinking: ThinkingLevel | None
    window: int | None
    max_output_tokens: int | None
    keep_recent_tokens: int | None
    is_chained: bool
    n_repeats: int
    with_local_only: bool
    with_probe: bool

    def dump(self) -> dict[str, JsonValue]:
        """Return the options as JSON."""
        return {**asdict(self), "arms": [*self.arms]}


_ROW_DECIDING = (
    *("model", "thinking", "window", "max_output_tokens"),
    *("keep_recent_tokens", "is_chained", "with_probe"),
)
"""Options in which two runs must agree to share rows: arms, repeats and sessions may be added."""


def require_same_run(folder: str, before: Fields, now: ScoreOptions) -> None:
    """Refuse to go on with a run that was made otherwise.

    Raises:
        RunError: an option that decides what stands in a row differs; the message names it.
    """
    options = before.get("options")
    made = options if isinstance(options, dict) else {}
    for name in _ROW_DECIDING:
        was, asked = made.get(name), getattr(now, name)
        if was != asked:
            raise RunError(
                f"{folder} holds a run with {_typed(name, was)}, not {_typed(name, asked)}; give"
                " another folder with --out, or --overwrite"
            )


def _typed(name: str, value: object) -> str:
    """Return an option as it is typed, `--takeover` or `no --model`."""
    if name == "is_chained":
        return "--takeover" if value is False else "--chain"
    option = f"--{name.removeprefix('with_').replace('_', '-')}"
    if value is None or value is False:
        return f"no {option}"
    return option if value is True else f"{option} {value}"
