"""Where pi cuts a path, and what it hands a compactor.

Source: pi 1.6.0, `prepareCompaction` and `findProjectedCutPoint`; equal to it in every quirk.
"""

from dataclasses import dataclass

from longhaul.compaction.file_operations import FileOperations, collect_operations
from longhaul.transcript.entries import (
    AssistantMessage,
    BashExecutionMessage,
    BranchSummaryMessage,
    CompactionEntry,
    CompactionSummaryMessage,
    ContextEditEntry,
    CustomMessage,
    Message,
    MessageEntry,
    Path,
    SystemMessage,
    UserMessage,
)
from longhaul.transcript.projection import Projected, Projection, entry_messages, project_path
from longhaul.transcript.tokens import estimate_context_tokens, estimate_tokens

TURN_START = (
    UserMessage,
    BashExecutionMessage,
    CustomMessage,
    BranchSummaryMessage,
    CompactionSummaryMessage,
)
"""Messages that begin a turn."""
CUT_POINT = (*TURN_START, AssistantMessage)
"""Messages before which a cut may fall: never a tool result, which would lose its call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionSettings:
    """When and where pi compacts; the defaults are pi's."""

    enabled: bool = True
    reserve_tokens: int = 16_384
    """Room in the model's window below which pi compacts by itself."""
    keep_recent_tokens: int = 20_000
    """Tokens that stay verbatim, at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """What pi hands a compactor."""

    first_kept_entry_id: str
    messages_to_summarize: tuple[Message, ...]
    """The messages from the previous cut up to this one, a split turn's part left out."""
    turn_prefix_messages: tuple[Message, ...]
    """The closed beginning of the turn that the cut falls into."""
    is_split_turn: bool
    tokens_before: float
    """Tokens of the whole context before this compaction."""
    previous_summary: str | None
    """None where no compaction shows in the context."""
    file_operations: FileOperations
    settings: CompactionSettings


@dataclass(frozen=True, slots=True)
class _Cut:
    first_kept_index: int
    turn_start_index: int | None
    """Where the turn that the cut splits begins; None where it splits none."""


def prepare_compaction(path: Path, settings: CompactionSettings) -> Preparation | None:
    """Return what compacting a path hands to a compactor; None where there is nothing to compact.

    Nothing is left to compact after a compaction, in an empty path, and where the cut would keep
    all of the context.
    """
    if not path or isinstance(path[-1], CompactionEntry):
        return None
    projection = project_path(path)
    previous = _find_previous(projection)
    start = 0 if previous is None else 1
    cut = _find_cut(projection, start, settings.keep_recent_tokens)
    history_end = cut.first_kept_index if cut.turn_start_index is None else cut.turn_start_index
    history = _conversation(projection[start:history_end])
    prefix = _conversation(projection[history_end : cut.first_kept_index])
    if not history and not prefix:
        return None
    return Preparation(
        first_kept_entry_id=projection[cut.first_kept_index].entry.id,
        messages_to_summarize=history,
        turn_prefix_messages=prefix,
        is_split_turn=cut.turn_start_index is not None,
        tokens_before=estimate_context_tokens(projection, path),
        previous_summary=None if previous is None else previous.summary,
        file_operations=collect_operations((*history, *prefix), previous),
        settings=settings,
    )


def _find_previous(projection: Projection) -> CompactionEntry | None:
    """Return the compaction that leads the context; None for one that an edit leaves out."""
    first = projection[0]
    return first.entry if isinstance(first.entry, CompactionEntry) and first.messages else None


def _conversation(projection: Projection) -> tuple[Message, ...]:
    """Return what is there to summarize; system messages are the prompt's state, no part of it."""
    return tuple(
        message
        for one in projection
        for message in one.messages
        if not isinstance(message, SystemMessage)
    )


def _find_cut(projection: Projection, start: int, keep_recent_tokens: int) -> _Cut:
    """Return where a context is cut; `start` is the first entry after a leading compaction."""
    cut_points = [i for i in range(start, len(projection)) if _shows(projection[i], CUT_POINT)]
    if not cut_points:
        return _Cut(start, None)
    full = _find_full_index(projection, start, keep_recent_tokens)
    cut = cut_points[0]
    if full is not None:
        # Where the newest tool results alone exceed the budget, their call is kept with them.
        cut = next((index for index in cut_points if index >= full), cut_points[-1])
        cut += _is_omitted_attempt(projection[cut + 1 :])
    while cut > start and not _is_boundary(projection[cut - 1]):
        cut -= 1
    if _shows(projection[cut], TURN_START):
        return _Cut(cut, None)
    turns = (i for i in range(cut, start - 1, -1) if _shows(projection[i], TURN_START))
    return _Cut(cut, next(turns, None))


def _find_full_index(projection: Projection, start: int, keep_recent_tokens: int) -> int | None:
    """Return the entry at which the newest messages reach the budget; None where all fit in."""
    tokens = 0
    for index in range(len(projection) - 1, start - 1, -1):
        shown = sum(map(estimate_tokens, projection[index].messages))
        tokens += shown
        if shown and tokens >= keep_recent_tokens:
            return index
    return None


def _is_omitted_attempt(suffix: Projection) -> bool:
    """Return whether all that follows a cut point is a failed attempt that edits took back.

    Then the input before it has been answered by nothing, and the cut passes it. Any other entry
    must not move the cut past a message that the model has yet to see.
    """
    omitted = {one.entry.id for one in suffix if _is_omitted(one)}
    return (
        not any(_is_replacement(one, omitted) for one in suffix)
        and any(_is_reply(one) and _is_omitted(one) for one in suffix)
        and all(_is_out_of_sight(one) for one in suffix)
    )


def _is_replacement(one: Projected, omitted: set[str]) -> bool:
    """Return whether an entry gives new content to an entry outside of those omitted."""
    entry = one.entry
    return (
        isinstance(entry, ContextEditEntry)
        and entry.replacement is not None
        and entry.target_id not in omitted
    )


def _is_reply(one: Projected) -> bool:
    return isinstance(one.entry, MessageEntry) and isinstance(one.entry.message, AssistantMessage)


def _is_out_of_sight(one: Projected) -> bool:
    return not isinstance(one.entry, CompactionEntry) and not one.messages


def _is_omitted(one: Projected) -> bool:
    return not one.messages and bool(entry_messages(one.entry))


def _is_boundary(one: Projected) -> bool:
    return bool(one.messages) or isinstance(one.entry, CompactionEntry)


def _shows(one: Projected, kinds: tuple[type[Message], ...]) -> bool:
    return any(isinstance(message, kinds) for message in one.messages)
