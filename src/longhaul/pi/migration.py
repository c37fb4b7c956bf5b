"""Session files of format versions 1 and 2, brought to version 3 record by record, as pi does."""

from longhaul.transcript.entries import JsonValue

CURRENT_VERSION = 3

Record = dict[str, JsonValue]


class Migration:
    """Migrates the records of one file in their order.

    Version 1 has neither ids nor parents: each entry follows the one before. pi makes up random
    ids; here they count the records, so that the same file gives the same path.
    """

    def __init__(self, version: float) -> None:
        """Start before the first record after the header of a file of `version`."""
        self._version = version
        self._ids: list[str | None] = [None]  # of each record; None for a header
        self._parent_id: str | None = None

    @property
    def is_needed(self) -> bool:
        """Whether `apply` can change a record at all."""
        return self._version < CURRENT_VERSION

    def fork(self) -> "Migration":
        """Return a copy that goes on by itself."""
        copy = Migration(self._version)
        copy._ids, copy._parent_id = [*self._ids], self._parent_id
        return copy

    def apply(self, record: Record) -> Record:
        """Return a record of an older version as version 3 has it."""
        if self._version < 2:  # noqa: PLR2004 - format version
            record = self._link(record)
        return _rename_hook_role(record)

    def skip_header(self) -> None:
        """Count a further header, which version 1's indexes count too."""
        self._ids.append(None)

    def _link(self, record: Record) -> Record:
        entry_id = f"v1.{len(self._ids)}"
        linked = record | {"id": entry_id, "parentId": self._parent_id}
        self._ids.append(entry_id)
        self._parent_id = entry_id
        if record.get("type") == "compaction":
            linked["firstKeptEntryId"] = self._find_kept(record.get("firstKeptEntryIndex"))
        return linked

    def _find_kept(self, index: JsonValue) -> str | None:
        """Return the id of the record at `index`; None past this one, where pi finds no id yet."""
        if not isinstance(index, (int, float)) or isinstance(index, bool):
            return None
        known = 0 <= index < len(self._ids) and index == int(index)
        return self._ids[int(index)] if known else None


def parse_version(value: JsonValue) -> float:
    """Return the format version of a header; 1 where it names none.

    Nothing is migrated where JavaScript cannot compare the value with a number.
    """
    if value is None:
        return 1
    try:
        return float(value) if isinstance(value, (str, int, float)) else CURRENT_VERSION
    except ValueError:
        return CURRENT_VERSION


def _rename_hook_role(record: Record) -> Record:
    message = record.get("message")
    if record.get("type") != "message" or not isinstance(message, dict):
        return record
    if message.get("role") != "hookMessage":
        return record
    return record | {"message": message | {"role": "custom"}}
