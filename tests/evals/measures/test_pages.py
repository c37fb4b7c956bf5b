"""The pages on the measures: their worked examples are what is counted, and none is left out."""

import doctest

import pytest

from longhaul.evals.measures.catalog import MEASURES
from tests.pinned import ROOT

INDEX = ROOT / "docs" / "measures.md"
PAGES = sorted((ROOT / "docs" / "measures").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_give_what_it_says(page: object) -> None:
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert (result.failed, result.attempted > 0) == (0, True)


def test_every_measure_is_listed_and_described() -> None:
    index = INDEX.read_text(encoding="utf-8")
    pages = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    names = [f"`{measure.name}`" for measure in MEASURES]
    assert [name for name in names if name not in index or name not in pages] == []
    assert [page.name for page in PAGES if f"(measures/{page.name})" not in index] == []
