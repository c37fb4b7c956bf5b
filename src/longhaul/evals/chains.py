"""One arm on its way through a session: each compaction goes on from the ones before."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from longhaul.errors import LonghaulError, ReplyAwaitedError
from longhaul.evals.arms.arm import Handed, Made
from longhaul.evals.arms.listing import OpenArm
from longhaul.evals.cases import NotScored
from longhaul.evals.due import Cut
from longhaul.evals.rows import Row, RowKey, mask_row
from longhaul.transcript.entries import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Awaited:
    """A model's reply that is written elsewhere and not there yet: the chain stops before it."""

    key: RowKey
    reason: str


Outcome: TypeAlias = Row | NotScored | Awaited

_WAITS = "waits"
"""Why a chain has stopped that goes on once a reply is there."""


class Chain:
    """What one arm has made so far in one session, and where it broke."""

    def __init__(
        self, arm: OpenArm, *, repeat: int, is_chained: bool, source: "Chain | None" = None
    ) -> None:
        """Begin before the first compaction; `source` is the chain of the arm it is made from."""
        self.arm = arm
        self.repeat = repeat
        self._is_chained = is_chained
        self._source = source
        self._made: dict[str, Made] = {}
        self._entries = dict[str, Entry]()
        self._stopped = ""
        self._failed = set[str]()
        """Ids of the compactions at which the arm failed."""
        self.is_anew = False
        """Once a compaction is made anew, rows that went on from its earlier text count no more."""

    def step(
        self, cut: Cut, handed: Handed, have: Callable[[RowKey], Row | None]
    ) -> Outcome | None:
        """Return what becomes of the arm at a compaction; None where it waits for another one.

        `handed` is what the recording gives there. A row that is there already is not made again,
        unless it is about another entry: its session was another one then.
        """
        key = RowKey(handed.name, cut.number, self.arm.name, self.repeat)
        if self._stopped:
            return self._left_out(key)
        if self._source is not None and self._source.made_at(cut) is None:
            return self._without_source(key, has_failed=self._source.failed_at(cut))
        row = None if self.is_anew or self._is_source_anew else have(key)
        if row is None or row.made is None or row.entry_id != cut.entry.id:
            self.is_anew = self._is_chained
            try:
                row = self._run(key, self._own(handed))
            except ReplyAwaitedError as error:
                self._stop(_WAITS)
                return Awaited(key=key, reason=str(error))
        if row.made is None:
            self._failed.add(cut.entry.id)
            self._stop(f"broken chain: the arm failed at compaction {cut.number}")
        else:
            self._keep(cut, row.made)
        return row

    def made_at(self, cut: Cut) -> Made | None:
        """Return what the arm made at a compaction; None where it made nothing."""
        return self._made.get(cut.entry.id)

    def failed_at(self, cut: Cut) -> bool:
        """Return whether there is nothing to come at a compaction: the arm failed, there or before.

        False where a reply is awaited.
        """
        return cut.entry.id in self._failed or self._stopped not in ("", _WAITS)

    @property
    def _is_source_anew(self) -> bool:
        return self._source is not None and self._source.is_anew

    def _without_source(self, key: RowKey, *, has_failed: bool) -> NotScored | None:
        """Return that the arm that this one is made from made nothing; None where it waits."""
        if not has_failed:
            return None
        reason = f"{self.arm.source} made nothing to make it from"
        return NotScored(session=key.session, compaction=key.compaction, arm=key.arm, reason=reason)

    def _run(self, key: RowKey, handed: Handed) -> Row:
        failure, made = "", None
        try:
            made = self.arm.run(handed)
        except ReplyAwaitedError:
            raise
        except LonghaulError as error:
            failure = str(error)
        except Exception as error:  # noqa: BLE001 - whatever an arm does, the others are measured
            failure = f"{type(error).__name__}: {error}"
        row = Row(key=key, entry_id=handed.cut.entry.id, made=made, failure=failure)
        return mask_row(row)

    def _own(self, handed: Handed) -> Handed:
        """Return what the arm itself is handed: its own compactions on the path, if chained."""
        source = self._source.made_at(handed.cut) if self._source else None
        if not self._is_chained:
            return replace(handed, source=source, repeat=self.repeat)
        path = tuple(self._entries.get(entry.id, entry) for entry in handed.path)
        return replace(handed, path=path, made={**self._made}, source=source, repeat=self.repeat)

    def _keep(self, cut: Cut, made: Made) -> None:
        entry = cut.entry
        self._made[entry.id] = made
        self._entries[entry.id] = replace(
            entry, summary=made.text, details=made.details, from_hook=made.from_hook
        )

    def _stop(self, reason: str) -> None:
        if self._is_chained:
            self._stopped = reason

    def _left_out(self, key: RowKey) -> NotScored | None:
        if self._stopped == _WAITS:
            return None
        return NotScored(
            session=key.session, compaction=key.compaction, arm=key.arm, reason=self._stopped
        )
