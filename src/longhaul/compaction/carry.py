"""The state inside a compaction entry's `details`: written, found again, or built anew."""

import hashlib
import json
from dataclasses import dataclass

from longhaul.compaction.corrections import find_pins
from longhaul.compaction.diff.record import CALL_KEY, DETAILS_KEY, CallRecord, dump_call
from longhaul.compaction.fold import advance
from longhaul.compaction.records import dump_record, parse_record
from longhaul.compaction.replay import rebuild
from longhaul.compaction.secrets import mask_secrets
from longhaul.compaction.state import OLDER_VERSIONS, STATE_VERSION, State, quotes_of
from longhaul.compaction.statements import ASK_TOOLS, find_statements
from longhaul.compaction.white_space import fold_space
from longhaul.errors import TranscriptError
from longhaul.transcript.entries import CompactionEntry, JsonValue, Path
from longhaul.transcript.projection import find_kept_index

_DIGEST_CHARS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """A state and how far on its path it has come."""

    state: State
    end: int
    """Index of the first entry of the path that the state does not hold."""
    note: str = ""
    """Why a carried state was not used; empty where none was found or the newest one was used."""


def dump_details(
    state: State, *, instructions: str, ask_tools: tuple[str, ...], call: CallRecord | None = None
) -> dict[str, JsonValue]:
    """Return what a compaction entry keeps, pi's own file lists included.

    `ask_tools` are the tools whose answers the state counts as the user's words, `call` what a
    model was asked for it and answered.
    """
    record = dump_record(state)
    kept: dict[str, JsonValue] = {
        "version": STATE_VERSION,
        "state": record,
        "digest": _digest(record),
        "askTools": [*sorted(ask_tools)],
    }
    if instructions:
        kept["instructions"] = mask_secrets(instructions)
    if call is not None:
        kept[CALL_KEY] = dump_call(call)
    return {
        "readFiles": [*sorted(state.world.read)],
        "modifiedFiles": [*sorted(state.world.modified)],
        DETAILS_KEY: kept,
    }


def find_differences(entry: CompactionEntry, state: State) -> tuple[str, ...] | None:
    """Return the parts in which the state that a compaction carries differs from `state`.

    None where it carries none. A part is named as the record names it; a record that is no object
    differs as a whole.
    """
    kept = (entry.details or {}).get(DETAILS_KEY)
    if not isinstance(kept, dict):
        return None
    carried, record = kept.get("state"), dump_record(state)
    assert isinstance(record, dict)
    if not isinstance(carried, dict):
        return ("state",)
    names = sorted(carried.keys() | record.keys())
    return tuple(name for name in names if carried.get(name) != record.get(name))


def find_carried(path: Path, *, ask_tools: tuple[str, ...] = ASK_TOOLS) -> Carried:
    """Return the newest state that a compaction on `path` carries, or the empty one.

    A state that is damaged, of an unknown version, read with other ask-the-user tools, cut where
    the path has no such entry, or that quotes what the user did not type is not used: the state is
    then built from the entries.
    """
    for index in range(len(path) - 1, -1, -1):
        entry = path[index]
        if isinstance(entry, CompactionEntry) and DETAILS_KEY in (entry.details or {}):
            try:
                return _parse_carried(entry, path, index, ask_tools)
            except TranscriptError as error:
                return Carried(state=State(), end=0, note=str(error))
    return Carried(state=State(), end=0)


def fold_to(path: Path, end: int, *, ask_tools: tuple[str, ...] = ASK_TOOLS) -> Carried:
    """Return the state of `path[:end]`, from the newest carried state where there is one.

    Where there is none that can be used, the entries and the diffs recorded among them give it.
    """
    carried = find_carried(path, ask_tools=ask_tools)
    if carried.end > end:
        carried = Carried(state=State(), end=0, note="the carried state reaches past the cut")
    if carried.end == 0:
        state = rebuild(path, end, ask_tools=ask_tools)
    else:
        state = advance(carried.state, path, carried.end, end, ask_tools=ask_tools)
    return Carried(state=state, end=end, note=carried.note)


def _parse_carried(
    entry: CompactionEntry, path: Path, index: int, ask_tools: tuple[str, ...]
) -> Carried:
    where = f"compaction {entry.id} details.{DETAILS_KEY}"
    kept = (entry.details or {}).get(DETAILS_KEY)
    version = kept.get("version") if isinstance(kept, dict) else None
    if not isinstance(kept, dict) or version not in (STATE_VERSION, *OLDER_VERSIONS):
        raise TranscriptError(f"{where}.version: expected {STATE_VERSION}, got {version!r}")
    state = parse_record(State, kept.get("state"), where=f"{where}.state")
    if kept.get("digest") != _digest(dump_record(state)):
        raise TranscriptError(f"{where}.digest: the state was changed")
    if kept.get("askTools") != [*sorted(ask_tools)]:
        raise TranscriptError(f"{where}.askTools: other tools answer for the user now")
    end = _kept_index(entry, path, index, where)
    _check_quotes(state, path, end, ask_tools, where)
    return Carried(state=state, end=end)


def _digest(record: JsonValue) -> str:
    """Return what tells a state from one that lost or changed a part."""
    text = json.dumps(record, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_CHARS]


def _kept_index(entry: CompactionEntry, path: Path, index: int, where: str) -> int:
    kept = find_kept_index(path, index, entry.first_kept_entry_id)
    if kept is not None:
        return kept
    if entry.first_kept_entry_id == entry.id:
        return index + 1
    raise TranscriptError(f"{where}: its first kept entry is not on this path")


def _check_quotes(
    state: State, path: Path, end: int, ask_tools: tuple[str, ...], where: str
) -> None:
    """Refuse a state that quotes, as the user's, words that the user did not type before `end`.

    Quotes and messages are compared with their secrets masked.
    """
    pinned = {(pin.entry_id, pin.turn): pin.text for pin in find_pins(path, end)}
    quotes = quotes_of(state)
    quoted = {quote.entry_id for quote in quotes}
    typed = {**pinned}
    for statement in find_statements(path, 0, end, n_turns=0, ask_tools=ask_tools, only=quoted):
        place = statement.entry_id, statement.turn
        typed[place] = f"{typed.get(place, '')}\n{fold_space(statement.text)}"
    for quote in quotes:
        place = quote.entry_id, quote.turn
        words = fold_space(quote.text)
        if not words or words not in typed.get(place, ""):
            raise TranscriptError(f"{where}: quotes words that u{quote.turn} does not hold")
