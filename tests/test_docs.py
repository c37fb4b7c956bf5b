"""What the documentation for people names is really there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pinned import ROOT

PAGES = sorted((*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("eval/**/*.md")))
TARGETS = frozenset(
    re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
)


def local_links(page: Path) -> Iterator[Path]:
    """Yield the files that a page links to; addresses on the web and anchors are left out."""
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            yield page.parent / target


def page_id(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    assert [link for link in local_links(page) if not link.exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_every_make_command_of_a_page_exists(page: Path) -> None:
    code = re.findall(r"`[^`]+`|^ {4}.+$", page.read_text(encoding="utf-8"), re.MULTILINE)
    named = {name for line in code for name in re.findall(r"\bmake ([a-z]+)", line)}
    assert named <= TARGETS


def layout_places() -> set[str]:
    """Return the places that the layout table of CONTRIBUTING.md names."""
    rows = re.findall(r"^\|([^|]*`[^|]*)\|", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


def places_under(folder: Path) -> set[str]:
    """Return the folders and modules in `folder`, without those that git is told to ignore."""
    ignored = {line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines()}
    return {
        f"{path.relative_to(ROOT)}{'/' if path.is_dir() else ''}"
        for path in folder.iterdir()
        if (path.is_dir() or path.suffix == ".py")
        and not path.name.startswith((".", "__"))
        and path.name not in ignored
    }


def test_the_layout_table_names_every_folder_and_module_there_is() -> None:
    there = (places_under(ROOT) - {"src/"}) | places_under(ROOT / "src" / "longhaul")
    assert layout_places() == there


def test_the_index_of_the_documentation_names_every_page() -> None:
    docs = ROOT / "docs"
    assert set(local_links(docs / "README.md")) == set(docs.glob("*.md")) - {docs / "README.md"}
