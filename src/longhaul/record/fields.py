"""The fields of a decoded record, each of the kind that its format says."""

import re
from collections.abc import Collection, Iterator

from longhaul.compaction.render.escape import clip, escape_text
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import ShapeError

_MAX_SHOWN_CHARS = 60


class Fields:
    """One record, asked for its fields by name; every error says where the field stands."""

    def __init__(
        self, record: JsonValue, where: str, known: Collection[str], complaints: list[str]
    ) -> None:
        """Take `record`, which stands at `where`; keys that are not `known` become `complaints`.

        Raises:
            ShapeError: it is no object.
        """
        if not isinstance(record, dict):
            raise ShapeError(where or "the file", "keys and values", record)
        self._record = record
        self._where = where
        complaints += [
            f"{self.place(show(key))} is not known and has no effect"
            for key in record
            if key not in known
        ]

    def place(self, name: str) -> str:
        """Return where the field `name` stands, from the top of the file."""
        return f"{self._where}.{name}" if self._where else name

    def has(self, name: str) -> bool:
        """Return whether the field is there and holds something."""
        return self._record.get(name) is not None

    def text(self, name: str) -> str:
        """Return a text that has to be there."""
        value = self._record.get(name)
        if not isinstance(value, str):
            raise ShapeError(self.place(name), "text (in quotes, if it looks like another)", value)
        return value

    def optional_text(self, name: str) -> str:
        """Return a text, empty where there is none."""
        return self.text(name) if self.has(name) else ""

    def matching(self, name: str, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        """Return how a text that has to be there matches the whole `pattern`."""
        found = pattern.fullmatch(self.text(name))
        if found is None:
            raise ShapeError(self.place(name), expected, self._record.get(name))
        return found

    def whole_number(self, name: str, most: int) -> int:
        """Return a number from 1 to `most` that has to be there."""
        value = self._record.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= most:
            raise ShapeError(self.place(name), f"a whole number from 1 to {most:,}", value)
        return value

    def flag(self, name: str) -> bool:
        """Return true or false; false where the field is missing."""
        value = self._record.get(name, False)
        if not isinstance(value, bool):
            raise ShapeError(self.place(name), "true or false", value)
        return value

    def items(self, name: str) -> Iterator[tuple[str, JsonValue]]:
        """Yield the members of a list with where each stands; none where the field is missing."""
        value = self._record.get(name)
        if value is not None and not isinstance(value, list):
            raise ShapeError(self.place(name), "a list", value)
        yield from ((f"{self.place(name)}[{at}]", one) for at, one in enumerate(value or ()))

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the texts of a list; none where the field is missing."""
        members = tuple(self.items(name))
        for place, one in members:
            if not isinstance(one, str):
                raise ShapeError(place, "text (in quotes, if it looks like another)", one)
        return tuple(str(one) for _, one in members)

    def members(self, name: str) -> Iterator[tuple[str, str, JsonValue]]:
        """Yield place, key and value of an object's members; none where the field is missing."""
        value = self._record.get(name)
        if value is not None and not isinstance(value, dict):
            raise ShapeError(self.place(name), "keys and values", value)
        for key, one in (value or {}).items():
            yield f"{self.place(name)}.{show(key)}", key, one


def show(text: str) -> str:
    """Return `text`, from outside, as it may stand in an error: on one line, not too long."""
    return clip(escape_text(text), _MAX_SHOWN_CHARS)
