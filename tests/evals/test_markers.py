"""Markers are searched as `re` searches them, and none runs for ever."""

import re
import signal
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.evals.markers import MarkerError, compile_marker, is_found, without_matches

ENDLESS = "(a+)+$"
LINE = "a" * 60 + "!"


def test_a_marker_is_searched_in_any_case() -> None:
    assert is_found("no tabs", "- No Tabs, please")
    assert not is_found("^no tabs", "- No Tabs, please")


@pytest.mark.parametrize("search", [is_found, without_matches])
def test_a_marker_that_takes_too_long_is_an_error_that_quotes_it(search: object) -> None:
    assert callable(search)
    with pytest.raises(MarkerError) as raised:
        search(ENDLESS, LINE)
    assert str(raised.value) == (
        "/(a+)+$/ takes longer than a second on a line of 61 characters; write it without"
        " repetition inside repetition, as in (a+)+"
    )


def test_the_bound_leaves_no_timer_and_no_handler_behind() -> None:
    before = signal.getsignal(signal.SIGVTALRM)
    with pytest.raises(MarkerError):
        is_found(ENDLESS, LINE)
    assert is_found("b", "b")
    assert signal.getsignal(signal.SIGVTALRM) is before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_other_threads_search_too() -> None:
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(is_found, "tabs", "no tabs").result()


def test_a_marker_that_takes_too_long_to_compile_is_an_error() -> None:
    wide = "".join(f"[{chr(first)}-\uffff]" for first in range(256, 1256))
    with pytest.raises(MarkerError, match=r"^/\[.{59}…/ takes longer than a second to compile$"):
        compile_marker(wide)


def test_a_marker_that_python_may_read_otherwise_one_day_gives_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert is_found("[[x]never seen", "[never seen")


def test_what_a_lookahead_matches_has_no_length_and_takes_nothing_away() -> None:
    assert without_matches("(?=.*tabs)", "lifted: tabs") == "lifted: tabs"
    assert without_matches("x*", "lifted") == "lifted"
    assert without_matches("tabs ", "no tabs here") == "no  here"


@given(st.sampled_from(["a+", "a|b", "^a", "b?a", r"\bab\b", "(?=b)"]), st.text("aAbB \n"))
def test_what_is_found_is_what_re_finds(marker: str, line: str) -> None:
    assert is_found(marker, line) is (re.search(marker, line, re.IGNORECASE) is not None)
