"""The worked examples of the page on claims and the objective are what is counted."""

import doctest

from tests.pinned import ROOT

PAGE = ROOT / "docs" / "measures" / "claims.md"


def test_the_examples_of_the_page_give_what_it_says() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert (result.failed, result.attempted > 0) == (0, True)
