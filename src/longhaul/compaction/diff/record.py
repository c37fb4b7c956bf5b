"""What a compaction keeps of its model call, so that its state can be built again and audited."""

from dataclasses import dataclass

from longhaul.compaction.completion import ThinkingLevel
from longhaul.compaction.diff.changes import Dropped
from longhaul.compaction.diff.items import Diff
from longhaul.compaction.records import dump_record, parse_record
from longhaul.compaction.spans import cut_index
from longhaul.errors import TranscriptError
from longhaul.transcript.entries import CompactionEntry, JsonValue, Path
from longhaul.transcript.projection import first_indices

DETAILS_KEY = "longhaul"
CALL_KEY = "call"
_NO_DIFF = Diff()


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """One compaction's call: what was asked, what it cost, and what was believed of the answer."""

    mode: str
    model: str = ""
    """`provider/model-id`; empty where it is not known."""
    thinking: ThinkingLevel | None = None
    """The level asked for; None where it was left to the model."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None
    seconds: float | None = None
    n_calls: int = 0
    """Replies that came, usable or not."""
    failure: str = ""
    """Why nothing, or not all, of a reply could be used; empty where all could."""
    clipped: tuple[str, ...] = ()
    """What of the span the request left out for its budget."""
    diff: Diff = _NO_DIFF
    """The items that were believed."""
    dropped: tuple[Dropped, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A call on a path, and the entries that it was about: `path[start:end]`."""

    index: int
    """Where on the path its compaction stands."""
    start: int
    end: int
    call: CallRecord


def dump_call(call: CallRecord) -> JsonValue:
    """Return a call as JSON, for `details.longhaul.call`."""
    return dump_record(call)


def find_call(entry: CompactionEntry) -> CallRecord | None:
    """Return the call that a compaction kept; None where it made none.

    Raises:
        TranscriptError: what stands there is no record of a call; the message names the field.
    """
    kept = (entry.details or {}).get(DETAILS_KEY)
    record = kept.get(CALL_KEY) if isinstance(kept, dict) else None
    if record is None:
        return None
    where = f"compaction {entry.id} details.{DETAILS_KEY}.{CALL_KEY}"
    return parse_record(CallRecord, record, where=where)


def find_recorded(path: Path) -> list[Recorded]:
    """Return the calls on `path` that can be read, oldest first, each where its cut lies.

    One whose cut lies behind that of a later compaction which carries a state is left out: the
    later one went on without it, whether or not it made a call.
    """
    kept: list[Recorded] = []
    start, places = 0, first_indices(path)
    for index, entry in enumerate(path):
        if not isinstance(entry, CompactionEntry):
            continue
        end = cut_index(places, index, entry)
        while DETAILS_KEY in (entry.details or {}) and kept and kept[-1].end > end:
            kept.pop()
        call = _readable_call(entry)
        if call is not None:
            kept.append(Recorded(index=index, start=start, end=end, call=call))
        start = end
    return kept


def _readable_call(entry: CompactionEntry) -> CallRecord | None:
    """Return the call of a compaction; where it is damaged, the state goes on without it."""
    try:
        return find_call(entry)
    except TranscriptError:
        return None
