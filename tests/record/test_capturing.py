"""What a capture finds, and that no expression holds up a recording."""

import re

import pytest

from longhaul.record.capturing import TooSlow, find_capture


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("^n=(\\d+)$", "a\nn=42\nb", "42"),
        ("[0-9]+ ms", "took 12 ms", "12 ms"),
        ("a(b)?", "a", ""),
        ("x*", "", ""),
        ("x", "", None),
        ("(?i)ÄRGER", "ärger 😀", "ärger"),
        (".+", "half \ud83d of one", "half \ud83d of one"),
    ],
)
def test_group_1_or_the_whole_match_is_found(pattern: str, text: str, expected: str | None) -> None:
    assert find_capture(re.compile(pattern, re.MULTILINE), text) == expected


def test_a_search_without_end_is_given_up() -> None:
    assert find_capture(re.compile("(a+)+$"), "a" * 60 + "b", limit_s=0.1) == TooSlow()
