"""A recorded session compacted by real pi again and again, each time on its own earlier results."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from longhaul.compaction.cut import CompactionSettings, prepare_compaction
from longhaul.pi.sessions import load_session
from longhaul.transcript.entries import CompactionEntry, Entry
from longhaul.transcript.entries import Path as EntryPath
from longhaul.transcript.projection import project_path
from longhaul.transcript.tokens import estimate_tokens
from tests.pi.forwarder import Exchange, Forwarder, Limits, start_pi
from tests.pi.workspace import Workspace

_SUMMARY = "so " * 500
"""Stands in the context for what a compaction leaves there: 1,500 characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """One compaction of a chain, and what its model calls took."""

    path: EntryPath
    """The session up to and with it; where it failed, up to where it was asked for."""
    exchanges: tuple[Exchange, ...]
    failure: str = ""
    """Why there is no compaction, in pi's words; empty where there is one."""

    @property
    def tokens_in(self) -> int:
        """What the model read, as its own server counts."""
        return sum(one.tokens_in for one in self.exchanges)

    @property
    def tokens_out(self) -> int:
        """What it wrote."""
        return sum(one.tokens_out for one in self.exchanges)

    @property
    def seconds(self) -> float:
        """From the first request to the end of the last reply; requests may overlap."""
        starts = [one.started_s for one in self.exchanges]
        return max((one.ended_s for one in self.exchanges), default=0) - min(starts, default=0)

    @property
    def n_chars(self) -> int:
        """How long the text is that it leaves in the context."""
        newest = self.path[-1]
        return len(newest.summary) if isinstance(newest, CompactionEntry) else 0


class Chain:
    """A copy of a session that grows entry by entry, with the compactions made on the way."""

    def __init__(
        self, session: Path, *, workspace: Workspace, forwarder: Forwarder, limits: Limits
    ) -> None:
        """Begin with the path of `session`, a file in pi's format 3, and no compaction."""
        header, *lines = session.read_text(encoding="utf-8").splitlines()
        on_path = [entry.id for entry in load_session(session).path]
        records = {record["id"]: record for record in map(json.loads, lines)}
        self._header = {**json.loads(header), "cwd": str(workspace.project)}
        self._records = [records[entry_id] for entry_id in on_path]
        self._made: dict[int, Mapping[str, Any]] = {}
        self._workspace, self._forwarder, self._limits = workspace, forwarder, limits

    def compact_after(self, n_entries: int) -> Made:
        """Let pi compact the session as it stood after so many entries."""
        file = self._workspace.sessions / f"after-{n_entries}.jsonl"
        records = list(self._grown(n_entries))
        file.write_text("".join(f"{json.dumps(one)}\n" for one in (self._header, *records)))
        n_before = len(self._forwarder.exchanges)
        with start_pi(self._workspace, self._forwarder, limits=self._limits, session=file) as pi:
            response = pi.request("compact")
        made = Made(
            path=load_session(file).path,
            exchanges=tuple(self._forwarder.exchanges[n_before:]),
        )
        if not response["success"]:
            return replace(made, failure=str(response.get("error")))
        self._made[n_entries] = json.loads(file.read_text(encoding="utf-8").splitlines()[-1])
        return made

    def _grown(self, n_entries: int) -> Iterator[Mapping[str, Any]]:
        """Yield the records, the compactions made so far among them, each behind the one before."""
        parent_id = None
        for n, record in enumerate(self._records[:n_entries], 1):
            for one in (record, self._made.get(n)):
                if one is not None:
                    yield {**one, "parentId": parent_id}
                    parent_id = one["id"]


def find_full(path: EntryPath, *, context_tokens: int, keep_recent_tokens: int) -> Iterator[int]:
    """Yield after how many entries the context has outgrown so many tokens, as pi estimates."""
    settings = CompactionSettings(keep_recent_tokens=keep_recent_tokens)
    grown: list[Entry] = []
    kept_id = ""
    for n_entries, entry in enumerate(path, 1):
        grown.append(entry)
        so_far = tuple(grown)
        shown = (message for one in project_path(so_far) for message in one.messages)
        is_full = sum(map(estimate_tokens, shown)) > context_tokens
        made = prepare_compaction(so_far, settings) if is_full else None
        if made is not None and made.first_kept_entry_id != kept_id:
            kept_id = made.first_kept_entry_id
            grown.append(_stand_in(entry, kept_id))
            yield n_entries


def _stand_in(entry: Entry, kept_id: str) -> CompactionEntry:
    return CompactionEntry(
        id=f"after {entry.id}",
        parent_id=entry.id,
        summary=_SUMMARY,
        first_kept_entry_id=kept_id,
        tokens_before=0,
    )
