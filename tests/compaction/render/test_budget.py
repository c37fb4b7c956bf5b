from collections.abc import Iterator

import pytest

from longhaul.compaction.render.budget import Line, budget_chars, choose_lines


def line(text: str, section: str = "A", order: int = 0) -> Line:
    return Line(section=section, text=text, order=order)


@pytest.mark.parametrize(
    ("window_tokens", "chars"),
    [(None, 10_000), (200_000, 10_000), (20_000, 8_000), (4_000, 4_000), (0, 4_000)],
)
def test_a_state_takes_a_tenth_of_the_window_within_its_bounds(
    window_tokens: int | None, chars: int
) -> None:
    assert budget_chars(window_tokens) == chars


def test_a_user_can_ask_for_less_but_not_for_under_the_minimum() -> None:
    assert budget_chars(None, 6_000) == 6_000
    assert budget_chars(None, 10) == 4_000


def test_required_lines_stay_whatever_the_budget() -> None:
    needed = [line("x" * 50), line("y" * 50, "B")]
    assert choose_lines(needed, [[line("z")]], max_chars=10) == (tuple(needed), frozenset("A"))


def test_a_heading_is_counted_once() -> None:
    # "\n## A\n" takes 6 characters, each line 2 with its newline.
    lines = [line("a"), line("b"), line("c")]
    assert choose_lines([], [lines], max_chars=10).lines == tuple(lines[:2])
    assert choose_lines([], [lines], max_chars=9).lines == tuple(lines[:1])
    assert choose_lines([], [lines], max_chars=7) == ((), frozenset("A"))
    assert choose_lines([], [lines], max_chars=99) == (tuple(lines), frozenset())


def test_a_group_ends_at_its_first_line_that_does_not_fit_and_the_next_goes_on() -> None:
    first = [line("a"), line("b" * 99), line("c")]
    second = [line("d")]
    chosen = choose_lines([], [first, second], max_chars=20)
    assert chosen == ((first[0], second[0]), frozenset("A"))


def test_a_line_behind_one_that_does_not_fit_is_never_made() -> None:
    def group() -> Iterator[Line]:
        yield line("b" * 99)
        raise AssertionError("not needed")

    assert choose_lines([], [group()], max_chars=20).lines == ()
