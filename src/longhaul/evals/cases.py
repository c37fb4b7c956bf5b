"""The compactions of a recorded session that can be made anew, and why others cannot."""

from collections.abc import Mapping
from dataclasses import dataclass

from longhaul.compaction.cut import CompactionSettings, prepare_compaction
from longhaul.evals.due import Cut, find_cuts
from longhaul.pi.sessions import Session
from longhaul.transcript.entries import CustomEntry, JsonValue, Path

RECORDING = "recording"
"""The kind of the entry in which a recorder writes down pi's settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedSettings:
    """What a session was recorded with, as far as it is written in it; pi's defaults elsewhere."""

    keep_recent_tokens: int
    reserve_tokens: int
    window_tokens: int | None
    """The model's context window; None where it is not written down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotScored:
    """A compaction that is left out, and why."""

    session: str
    compaction: int
    """From 1; 0 for all of the session."""
    arm: str
    """Empty for every arm."""
    reason: str
    """What many may share."""
    detail: str = ""
    """What is so of this one alone; empty where nothing is to be added."""


def find_settings(path: Path, *, keep_recent_tokens: int | None = None) -> RecordedSettings:
    """Return pi's settings when `path` was recorded.

    What pi keeps verbatim no session of pi's own says: `keep_recent_tokens` does, where it is
    given, or else the entry that `longhaul record` leaves, or pi's default.
    """
    found = _recorded(path)
    default = CompactionSettings()
    recorded_keep = _number(found, "keepRecentTokens") or default.keep_recent_tokens
    return RecordedSettings(
        keep_recent_tokens=recorded_keep if keep_recent_tokens is None else keep_recent_tokens,
        reserve_tokens=_number(found, "reserveTokens") or default.reserve_tokens,
        window_tokens=_number(found, "window"),
    )


def find_cases(
    session: Session, name: str, settings: RecordedSettings
) -> tuple[Cut | NotScored, ...]:
    """Return the compactions of a session's path in order, each to replay or not scored.

    A compaction is replayed where pi, handed the same entries again, cuts where it did then.
    """
    cuts = find_cuts(session.path)
    return tuple(_case(session.path, cut, name, settings) for cut in cuts)


def _case(path: Path, cut: Cut, name: str, settings: RecordedSettings) -> Cut | NotScored:
    compaction = CompactionSettings(
        keep_recent_tokens=settings.keep_recent_tokens, reserve_tokens=settings.reserve_tokens
    )
    preparation = prepare_compaction(path[: cut.index], compaction)
    recorded = cut.entry.first_kept_entry_id
    if preparation is not None and preparation.first_kept_entry_id == recorded:
        return cut
    how, detail = "find nothing to compact", ""
    if preparation is not None:
        how = "cut elsewhere"
        detail = (
            f"it would keep from {preparation.first_kept_entry_id} on, the recording {recorded}"
        )
    kept = f"with keepRecentTokens {settings.keep_recent_tokens:,} pi would {how}"
    return NotScored(session=name, compaction=cut.number, arm="", reason=kept, detail=detail)


def _recorded(path: Path) -> Mapping[str, JsonValue]:
    for entry in path:
        if isinstance(entry, CustomEntry) and entry.custom_type == RECORDING:
            return entry.data if isinstance(entry.data, dict) else {}
    return {}


def _number(fields: Mapping[str, JsonValue], name: str) -> int | None:
    value = fields.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None
