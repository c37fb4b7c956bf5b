"""Which words of the conversation are values, and how they are found in an output."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.compaction.values.describe import describe
from longhaul.compaction.values.search import is_whole
from longhaul.compaction.values.tokens import find_mentions
from longhaul.compaction.values.window import Output


def cores(text: str, *, is_code: bool = False) -> list[str]:
    return [mention.core for mention in find_mentions(text, is_code=is_code)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Committed as `abc1234`, see abc1234..def5678.", ["abc1234", "abc1234", "def5678"]),
        ("Parsing took **165.7 ms** (3.2s before).", ["165.7", "3.2"]),
        ("It is 12.4 MB, 87% of it text, 3x faster, 412 req/s", ["12.4", "87", "3", "412"]),
        ("1,204 rows, 37 tests passed", ["1,204", "37"]),
        ("listening on http://127.0.0.1:43117/health", ["43117"]),
        ("port 8080, port=43117, --seed=48213", ["8080", "43117", "48213"]),
        ("schema version 4, PR #12", ["4", "12"]),
        ("node v24.1.0 and Python 3.11.7", ["v24.1.0", "3.11.7"]),
        ("on 2026-11-29T10:00:00Z at 12:30:05", ["2026-11-29T10:00:00Z", "12:30:05"]),
        ("id 123e4567-e89b-12d3-a456-426614174000", ["123e4567-e89b-12d3-a456-426614174000"]),
        ("INV-2024-0193 in dpl_9XyZ12ab", ["INV-2024-0193", "dpl_9XyZ12ab"]),
        ("kill 12345 with an AUC of 0.82", ["12345", "0.82"]),
    ],
)
def test_a_value_is_found(text: str, expected: list[str]) -> None:
    assert cores(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "See src/a.py:42, line 42 and lines 10-20 of utf8.py, a1.py",
        "In 2024 there were 3 files and 5 ways",
        "1. First\n2) Second, step 3 of 12/14",
        "python3 sha256 utf-8 UTF-8 SHA-256 x86 test_2 var1 range(100)",
        "no digits here",
        "at 50 of the cases",
        "",
    ],
)
def test_what_is_no_value_is_left(text: str) -> None:
    assert cores(text) == []


def test_in_code_only_what_says_itself_what_it_is_counts() -> None:
    text = 'total = 4096 * 0.25  # 300 rows, 165.7ms\nBASE = "http://localhost:43117" # abc1234'
    assert cores(text, is_code=True) == ["165.7", "43117", "abc1234"]


@pytest.mark.parametrize(
    ("line", "described"),
    [
        ("- **Result:** 165.7 ms", "Result: 165.7 ms"),
        (
            "word " * 30 + "the parser took 165.7 ms on the big file " + "more " * 30,
            f"…{'word ' * 7}the parser took 165.7 ms on the big file more more…",
        ),
        ("word " * 30 + "took 165.7 ms", f"…{'word ' * 15}took 165.7 ms"),
        ("x" * 200 + "_165.7ms ok 165.7ms", "…ok 165.7ms"),
        ("It works. Parsing now took 165.7 ms, see above.", "Parsing now took 165.7 ms"),
    ],
)
def test_the_words_around_a_value_say_what_it_is(line: str, described: str) -> None:
    assert [describe(mention) for mention in find_mentions(line)] == [described]


def test_each_value_of_a_sentence_is_described_by_its_own_clause() -> None:
    line = "Parsing takes 165.7 ms, and rendering only 12.4 ms; of runs it was 3.5 ms, 4.5 ms."
    assert [describe(mention) for mention in find_mentions(line)] == [
        "Parsing takes 165.7 ms",
        "and rendering only 12.4 ms",
        "of runs it was 3.5 ms",
        "of runs it was 3.5 ms, 4.5 ms.",
    ]


@pytest.mark.parametrize(
    ("said", "printed", "token"),
    [
        ("line 1411 turning", "1411 turning left", None),
        ("It is 1411 turning left", "1411 turning left", "1411"),
        ("412 unique users", "found 412 unique users", "412 unique users"),
        ("all 37 good tests", "37 good tests", "37 good tests"),
        ("all 37 good tests", "37 tests", "37 tests"),
        ("with 120 less", "120 less", None),
        ("with 120 turning", "120 turning", None),
    ],
)
def test_a_count_is_of_something(said: str, printed: str, token: str | None) -> None:
    found = [Output(0, "e1", 1, printed).find(mention) for mention in find_mentions(said)]
    assert found == ([token] if token else [])


@given(st.text(st.sampled_from("ab1.,: -\n|*#%ms")))
def test_the_words_around_a_value_fit_on_a_line(text: str) -> None:
    for mention in find_mentions(text):
        described = describe(mention)
        assert len(described) <= 90
        assert "\n" not in described


@pytest.mark.parametrize(
    ("said", "printed", "token"),
    [
        ("took 165.7 ms", "a 165.7 ms b", "165.7 ms"),
        ("took 165.7 ms", "a 165.7ms b", "165.7ms"),
        ("took 165.7ms", "duration: 165.7", "165.7"),
        ("took 165.7 ms", "a 1165.7 ms, 165.71 ms b165.7 ms", None),
        ("1,204 rows", "rows 1204", "1204"),
        ("1204 rows", "1,204 rows", "1,204 rows"),
        ("204 rows", "1,204 rows", None),
        ("300 rows", "[300%]", None),
        ("commit abc1234", "[main abc1234] x", "abc1234"),
        ("commit abc1234", "commit abc1234" + "f" * 33, "abc1234" + "f" * 33),
        ("commit abc1234", "abc1234ff abc1234", "abc1234"),
        ("commit abc1234", "xabc1234", None),
        ("all 37 tests passed", "37 passed in 1s", "37 passed"),
        ("all 37 tests passed", "# pass 37\n# tests: 37", "37"),
        ("all 37 tests passed", "line 37: passed", None),
        ("all 37 tests passed", "137 passed", None),
        ("87% covered", "TOTAL 87%", "87%"),
        ("87% covered", "TOTAL 87 lines", None),
        ("schema version 4", "schema version: 4", "4"),
        ("schema version 4", "4 files", None),
        ("port 43117", "127.0.0.1:43117", "43117"),
        ("v1.2.3", "v1.2.3.4 v1.2.3", "v1.2.3"),
        ("the 29 rows", "2024-11-29 rows", None),
    ],
)
def test_a_value_is_looked_for_as_an_output_may_spell_it(
    said: str, printed: str, token: str | None
) -> None:
    mention = list(find_mentions(said))[-1]
    assert Output(0, "e1", 1, printed).find(mention) == token


WHOLE = re.compile(r"(?<![\w.])x1(?!\w|\.\d)")


@given(st.text(st.sampled_from("x1. _,²é")), st.text(st.sampled_from("x1. _,²é2")))
def test_a_whole_token_is_what_a_pattern_would_match(before: str, after: str) -> None:
    text = f"{before}x1{after}"
    start = len(before)
    assert is_whole(text, start, start + 2) is (WHOLE.match(text, start) is not None)
