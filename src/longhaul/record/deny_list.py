"""A private list of words that no published session may hold: hosts, user names, projects."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath

from longhaul.config.small_files import read_small_file
from longhaul.errors import CheckError
from longhaul.pi.scan import show_file
from longhaul.record.session_lines import Line

_NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True, kw_only=True)
class DenyList:
    """What is looked for. No entry is ever told: where it stands in its file is."""

    pattern: re.Pattern[str] = _NOTHING
    """One group for each entry, in order."""
    lines: tuple[int, ...] = ()
    """For each entry its line in the file, counted from 1."""

    def mask(self, text: str) -> str:
        """Return `text` with the place of an entry in its stead."""
        return self.pattern.sub(lambda match: f"[denied: line {self._line(match)}]", text)

    def lines_in(self, texts: Iterable[str]) -> list[int]:
        """Return the lines of the entries that any of the texts holds, ascending."""
        found = {self._line(match) for text in texts for match in self.pattern.finditer(text)}
        return sorted(found)

    def _line(self, match: re.Match[str]) -> int:
        assert match.lastindex
        return self.lines[match.lastindex - 1]


def build_deny_list(entries: Sequence[tuple[int, str]]) -> DenyList:
    """Return the list of `entries`, each with its line in the file.

    Upper and lower case are alike, and white space inside an entry stands for any. An entry is
    found where no letter and no digit touches it.
    """
    if not entries:
        return DenyList()
    # Of two that begin alike, the longer one is told.
    ordered = sorted(entries, key=lambda entry: -len(entry[1]))
    pattern = "|".join(f"({_whole(words)})" for _, words in ordered)
    return DenyList(
        pattern=re.compile(pattern, re.IGNORECASE), lines=tuple(line for line, _ in ordered)
    )


def load_deny_list(file: FilePath) -> DenyList:
    """Return the list that a file holds: an entry a line, `#` begins a comment line.

    Raises:
        CheckError: it cannot be read, or holds no entry.
    """
    try:
        text = read_small_file(file).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CheckError(f"{show_file(file)}: the deny list cannot be read: {reason}") from None
    rows = enumerate(map(str.strip, text.split("\n")), 1)
    entries = [(number, row) for number, row in rows if row and not row.startswith("#")]
    if not entries:
        raise CheckError(
            f"{show_file(file)}: holds no entry; write one a line, or leave --deny out"
        )
    return build_deny_list(entries)


def find_denied(line: Line, deny: DenyList) -> str | None:
    """Return which entries of the list a line holds, by their lines in its file; None for none."""
    found = deny.lines_in(line.texts)
    if not found:
        return None
    where = "line" if len(found) == 1 else "lines"
    numbers = ", ".join(map(str, found))
    return f"holds what {where} {numbers} of the deny list denies; record without it"


def _whole(words: str) -> str:
    """Return the pattern of an entry as whole words."""
    inner = r"\s+".join(map(re.escape, words.split()))
    before = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))" if _is_word(words[0]) else ""
    after = r"(?![A-Za-z0-9])" if _is_word(words[-1]) else ""
    return f"{before}{inner}{after}"


def _is_word(char: str) -> bool:
    return char.isascii() and char.isalnum()
