"""Texts on a page: what would not be seen, what labels find in them, what changed."""

from hypothesis import given
from hypothesis import strategies as st

from longhaul.evals.measures.amounts import Amount, Count, Tally
from longhaul.evals.report.changes import Block, find_blocks
from longhaul.evals.report.marks import Line, Piece, mark_lines
from longhaul.evals.report.visible import make_visible
from tests.evals.report.run_files import AMOUNTS, FIRST, LIFTED, OTHER, RULE, SECOND, VALUE


def test_what_is_not_seen_becomes_a_sign() -> None:
    hidden = "\x1b[31m\x7f\u202eabc\u200b\ud800\u2028\x85\U000e0041\U000e0100"
    assert make_visible(hidden) == (
        "␛[31m␡⟨U+202E⟩abc⟨U+200B⟩⟨U+D800⟩⟨U+2028⟩⟨U+0085⟩⟨U+E0041⟩⟨U+E0100⟩"
    )
    assert make_visible("a\tb\nç 漢字 <b>") == "a\tb\nç 漢字 <b>"


@given(st.text())
def test_what_is_shown_can_be_encoded_and_shown_again(text: str) -> None:
    shown = make_visible(text)
    assert shown.encode().decode() == shown
    assert make_visible(shown) == shown


def marked(text: str, number: int) -> list[tuple[str, str, str]]:
    """Return the marked pieces: the words, what they are, whose."""
    lines = mark_lines(text, AMOUNTS[number])
    return [(one.text, one.kind, one.name) for line in lines for one in line.pieces if one.kind]


def test_kept_rules_lifts_not_honoured_and_values_are_marked() -> None:
    assert marked(FIRST, 1) == [("lower case", "kept", RULE)]
    assert marked(SECOND, 2) == [
        ("lower case", "kept", RULE),
        ("capitals", "unlifted", LIFTED),
        ("165.7 ms", "value", VALUE),
        ("one decimal", "elsewhere", OTHER),
    ]


def test_stray_lines_are_flagged() -> None:
    lines = mark_lines(FIRST, AMOUNTS[1])
    assert [number for number, line in enumerate(lines) if line.is_stray] == [2]


def test_a_line_that_shows_a_rule_lifted_keeps_nothing() -> None:
    amounts = {"rules": Count(kept=(RULE,))}
    lifted, kept = mark_lines("- u2: lower case is withdrawn\n- u2: lower case", amounts)
    assert [one.kind for one in lifted.pieces] == [None]
    assert [one.kind for one in kept.pieces] == [None, "kept"]


def test_of_marks_that_overlap_the_first_counts_and_parts_of_tokens_are_none() -> None:
    amounts = {
        "rules": Count(kept=("u1 /lower case/", "u2 /case subjects/")),
        "values": Count(kept=("u3 12", "u4", "u5 ")),
    }
    (line,) = mark_lines("lower case subjects 112 12", amounts)
    assert line == Line(
        pieces=(
            Piece(text="lower case", kind="kept", name="u1 /lower case/"),
            Piece(text=" subjects 112 "),
            Piece(text="12", kind="value", name="u3 12"),
        )
    )


def test_names_without_a_marker_and_measures_of_another_kind_mark_nothing() -> None:
    amounts: dict[str, Amount] = {
        "rules": Count(kept=("u1", "u1 //")),
        "stray": Count(),
        "values": Tally(("12",)),
    }
    (line,) = mark_lines("u1 12", amounts)
    assert line == Line(pieces=(Piece(text="u1 12"),))


def blocks(before: str, now: str) -> list[tuple[str, str, bool]]:
    lines = now.split()
    shown = [Line(pieces=(Piece(text=line),)) for line in lines]
    return [
        (" ".join(one.was), " ".join(line.pieces[0].text for line in one.now), one.is_same)
        for one in find_blocks(before.split(), lines, shown)
    ]


def test_lines_that_changed_stand_beside_those_in_their_place() -> None:
    assert blocks("a b c d", "a x c d e") == [
        ("", "a", True),
        ("b", "x", False),
        ("", "c d", True),
        ("", "e", False),
    ]
    assert blocks("a b c", "a c") == [("", "a", True), ("b", "", False), ("", "c", True)]
    assert blocks("", "a b") == [("", "a b", False)]
    assert blocks("a b", "a b") == [("", "a b", True)]
    assert blocks("", "") == []


def test_of_very_long_texts_only_the_ends_are_compared() -> None:
    before = " ".join(("a", *(f"b{n}" for n in range(600)), "z"))
    now = " ".join(("a", *(f"c{n}" for n in range(600)), "z"))
    assert [is_same for _, _, is_same in blocks(before, now)] == [True, False, True]


LINES = st.lists(st.sampled_from("abcd"), max_size=12)


@given(LINES, LINES)
def test_blocks_hold_both_texts_whole(before: list[str], lines: list[str]) -> None:
    shown = [Line(pieces=(Piece(text=line),)) for line in lines]
    found: list[Block] = [*find_blocks(before, lines, shown)]
    assert [line.pieces[0].text for one in found for line in one.now] == lines
    was = [[line.pieces[0].text for line in one.now] if one.is_same else one.was for one in found]
    assert [line for one in was for line in one] == before
