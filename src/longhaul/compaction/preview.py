"""What compacting a path now would give, and what the context would hold after it."""

from dataclasses import dataclass

from longhaul.compaction.compact import Compaction, CompactOptions, Model, compact
from longhaul.compaction.cut import CompactionSettings, Preparation, prepare_compaction
from longhaul.transcript.entries import CompactionEntry, Path, SystemMessage
from longhaul.transcript.projection import project_path
from longhaul.transcript.tokens import current_system_message, estimate_tokens

_NEW_ID = "the compaction to come"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """A compaction that was not written anywhere."""

    preparation: Preparation
    compaction: Compaction
    state_tokens: int
    """Tokens of the rendered state, as pi estimates them."""
    tokens_after: int
    """Tokens of the whole context after it: prompt, state and kept window."""


def preview_compaction(
    path: Path, settings: CompactionSettings, options: CompactOptions, model: Model | None = None
) -> Preview | None:
    """Return what compacting `path` would give; None where pi has nothing to compact.

    Raises:
        ReplyAwaitedError: the model's reply is written elsewhere and not there yet.
    """
    preparation = prepare_compaction(path, settings)
    if preparation is None:
        return None
    compaction = compact(
        path,
        first_kept_entry_id=preparation.first_kept_entry_id,
        tokens_before=preparation.tokens_before,
        options=options,
        model=model,
    )
    entry = CompactionEntry(
        id=_NEW_ID,
        parent_id=path[-1].id,
        summary=compaction.summary,
        first_kept_entry_id=compaction.first_kept_entry_id,
        tokens_before=compaction.tokens_before,
        system_message=_system_message(path),
    )
    (state, *kept) = project_path((*path, entry))
    kept_tokens = sum(estimate_tokens(message) for one in kept for message in one.messages)
    return Preview(
        preparation=preparation,
        compaction=compaction,
        state_tokens=estimate_tokens(state.messages[-1]),
        tokens_after=kept_tokens + sum(map(estimate_tokens, state.messages)),
    )


def _system_message(path: Path) -> SystemMessage | None:
    """Return the prompt as it stands at the end of the path."""
    messages = (message for one in project_path(path) for message in one.messages)
    return current_system_message(
        message for message in messages if isinstance(message, SystemMessage)
    )
