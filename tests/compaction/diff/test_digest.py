"""What gives way in a digest, and in which order."""

from hypothesis import given, settings
from hypothesis import strategies as st

from longhaul.compaction.diff.candidates import Candidates
from longhaul.compaction.diff.digest import fill_digest
from longhaul.compaction.diff.filling import FRAME_CHARS, fitting_chars
from longhaul.compaction.diff.framing import data_line, most_tokens, shorten
from longhaul.compaction.diff.turn_lines import LineKind, TurnLine
from longhaul.transcript.json_units import utf16_units

ALL = Candidates(
    rules=("r2 (u1): second", "r1 (u1): first"),
    lifted=("r3 (u1), lifted by u2: third",),
    judged=("u2", "u1"),
    values=("7f3a91c (u2)", "165.7 ms (u1)"),
    earlier=("u0 user: please be brief",),
    earlier_values=("- 41 passed (u0): the tests",),
    notes=("next (u1): add TLS",),
)
NONE = Candidates(
    rules=(), lifted=(), judged=(), values=(), earlier=(), earlier_values=(), notes=()
)
WHOLE = """\
<session>
Rules in force:
r1 (u1): first
r2 (u1): second
Lifted in this stretch:
r3 (u1), lifted by u2: third
Notes so far:
next (u1): add TLS
Said before this stretch, perhaps rules:
u0 user: please be brief
Values used before this stretch:
- 41 passed (u0): the tests
Another program's summary of what came before, for the narrative only:
- they did much
The stretch:
u1 user: hello
- says: on it
- bash make: ok
- says: done
- an extension adds: x
u2 user: and again
- bash make: exit 2
- says: failed
Judge: u1, u2
Values printed and then used: 165.7 ms (u1), 7f3a91c (u2)
</session>"""


def line(
    kind: LineKind, text: str, turn: int = 1, *, is_last: bool = False, is_failure: bool = False
) -> TurnLine:
    return TurnLine(turn=turn, kind=kind, text=text, is_last=is_last, is_failure=is_failure)


LINES = (
    line("message", "u1 user: hello"),
    line("reply", "- says: on it"),
    line("call", "- bash make: ok"),
    line("reply", "- says: done", is_last=True),
    line("remark", "- an extension adds: x"),
    line("message", "u2 user: and again", turn=2),
    line("call", "- bash make: exit 2", turn=2, is_failure=True),
    line("reply", "- says: failed", turn=2, is_last=True),
)


def test_where_there_is_room_all_stands_in_order() -> None:
    digest = fill_digest(ALL, LINES, summary="- they did much", max_chars=10_000)
    assert (digest.text, digest.clipped) == (WHOLE, ())


def gives_way(summary: str) -> list[str]:
    """Return the lines of a digest in the order in which less room takes them away."""
    gone: list[str] = []
    for max_chars in range(1_400, FRAME_CHARS, -1):
        digest = fill_digest(ALL, LINES, summary=summary, max_chars=max_chars)
        shown = set(digest.text.split("\n"))
        gone += [one.text for one in LINES if one.text not in shown and one.text not in gone]
        gone += [one for one in named(digest.text) if one not in gone]
    return gone


def named(text: str) -> list[str]:
    parts = {
        "rules": "r1 (u1)",
        "lifted": "Lifted",
        "judged": "Judge",
        "values": "Values printed",
        "earlier": "u0 user",
        "notes": "Notes",
        "summary": "Another program",
    }
    return [name for name, words in parts.items() if words not in text]


def test_after_another_compactor_its_summary_gives_way_first_and_the_oldest_rule_last() -> None:
    assert gives_way("- they did much") == [
        "summary",
        "- says: on it",
        "- bash make: ok",
        "earlier",
        "- an extension adds: x",
        "notes",
        "- bash make: exit 2",
        "- says: done",
        "- says: failed",
        "lifted",
        "judged",
        "values",
        "u1 user: hello",
        "u2 user: and again",
        "rules",
    ]


def test_otherwise_what_stands_before_the_span_gives_way_first() -> None:
    assert gives_way("")[:5] == [
        "summary",
        "earlier",
        "- says: on it",
        "- bash make: ok",
        "- an extension adds: x",
    ]


def test_the_newest_of_a_kind_stay_longest() -> None:
    calls = [line("call", f"- bash make {n}: ok") for n in range(200)]
    digest = fill_digest(NONE, calls, max_chars=600)
    shown = [text for text in digest.text.split("\n") if text.startswith("- ")]
    assert shown == [one.text for one in calls[-len(shown) :]]
    assert digest.clipped == (f"calls: {200 - len(shown)} left out",)


def test_long_messages_are_cut_before_short_ones() -> None:
    lines = [line("message", "u1 user: " + "a " * 3_000), line("message", "u2 user: " + "b " * 300)]
    digest = fill_digest(NONE, lines, max_chars=3_000)
    assert lines[1].text in digest.text
    assert digest.clipped == ("messages of the user: 1 shortened",)


def test_of_many_messages_the_oldest_are_left_out_at_last() -> None:
    lines = [line("message", f"u{n} user: " + "word " * 40, turn=n) for n in range(1, 60)]
    digest = fill_digest(NONE, lines, max_chars=1_000)
    shown = [text for text in digest.text.split("\n") if text.startswith("u")]
    assert shown[-1].startswith("u59 user: ")
    assert digest.clipped == (
        f"messages of the user: {len(shown)} shortened",
        f"messages of the user: {59 - len(shown)} left out",
    )


def test_rules_are_shortened_before_any_is_left_out() -> None:
    rules = tuple(f"r{n} (u{n}): " + "always do this " * 6 for n in range(8, 0, -1))
    candidates = Candidates(
        rules=rules, lifted=(), judged=(), values=(), earlier=(), earlier_values=(), notes=()
    )
    digest = fill_digest(candidates, (), max_chars=1_200)
    assert [text[:2] for text in digest.text.split("\n") if text.startswith("r")] == [
        f"r{n}" for n in range(1, 9)
    ]
    assert digest.clipped == ("rules: 8 shortened",)


texts = st.text(min_size=1).map(data_line).filter(bool)
lines_of_all_kinds = st.lists(
    st.builds(
        TurnLine,
        turn=st.integers(1, 9),
        kind=st.sampled_from(("message", "reply", "call", "remark")),
        text=texts,
        is_failure=st.booleans(),
        is_last=st.booleans(),
    ),
    max_size=12,
)
many = st.lists(texts, max_size=6).map(tuple)


@settings(max_examples=150)
@given(
    lines=lines_of_all_kinds,
    rules=many,
    others=many,
    summary=st.text(max_size=40).map(data_line),
    max_chars=st.integers(FRAME_CHARS, 1_200),
)
def test_a_digest_never_takes_more_than_its_room(
    lines: list[TurnLine],
    rules: tuple[str, ...],
    others: tuple[str, ...],
    summary: str,
    max_chars: int,
) -> None:
    candidates = Candidates(
        rules=rules,
        lifted=others,
        judged=others,
        values=others,
        earlier=others,
        earlier_values=others,
        notes=others,
    )
    digest = fill_digest(candidates, lines, summary=summary, max_chars=max_chars)
    assert utf16_units(digest.text) <= max_chars


@given(lengths=st.lists(st.integers(0, 50), max_size=8), room=st.integers(0, 300))
def test_texts_cut_to_the_fitting_length_fit_and_one_character_more_would_not(
    lengths: list[int], room: int
) -> None:
    limit = fitting_chars(lengths, room)
    assert sum(min(length, limit) for length in lengths) <= room
    if any(length > limit for length in lengths):
        assert sum(min(length, limit + 1) for length in lengths) > room


@given(text=st.text(), max_chars=st.integers(0, 60))
def test_a_shortened_line_fits_and_keeps_both_its_ends(text: str, max_chars: int) -> None:
    short = shorten(text, max_chars)
    assert len(short) <= max_chars or short == text
    if short != text and " […] " in short:
        head, tail = short.split(" […] ", 1)
        assert text.startswith(head)
        assert text.endswith(tail)


def test_more_tokens_are_reckoned_for_a_window_than_pi_estimates() -> None:
    assert most_tokens("a" * 400) == 160
    assert most_tokens("語" * 400) == 800
