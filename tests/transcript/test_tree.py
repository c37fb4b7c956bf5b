"""Paths, roots and branches of the tree that entries form."""

from collections.abc import Iterable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from longhaul.transcript.entries import Entry, Path
from longhaul.transcript.tree import (
    find_cycle,
    find_leaves,
    find_path,
    find_roots,
)
from tests.build import assistant, path, user
from tests.strategies import paths


def index_by_id(entries: Iterable[Entry]) -> dict[str, Entry]:
    return {entry.id: entry for entry in entries}


CHAIN = path(user("a"), assistant("b"), user("c"))
BRANCH = replace(CHAIN[2], id="e4", parent_id="e1")
TREE = index_by_id([*CHAIN, BRANCH])


def ids(entries: Path) -> list[str]:
    return [entry.id for entry in entries]


def test_a_path_runs_from_the_root_to_the_leaf() -> None:
    assert find_path(TREE, "e3") == CHAIN
    assert ids(find_path(TREE, "e4")) == ["e1", "e4"]


def test_there_is_no_path_to_nothing() -> None:
    assert find_path(TREE, None) == ()
    assert find_path(TREE, "e9") == ()


def test_each_branch_ends_in_a_leaf() -> None:
    assert ids(find_leaves(TREE)) == ["e3", "e4"]


def test_an_entry_whose_parent_is_missing_is_a_root_too() -> None:
    orphan = replace(CHAIN[2], id="e5", parent_id="gone")
    index = index_by_id([*CHAIN, orphan])
    assert ids(find_roots(index)) == ["e1", "e5"]
    assert find_path(index, "e5") == (orphan,)
    assert find_cycle(index, (orphan,)) is None


def test_a_cycle_ends_the_path_where_it_closes() -> None:
    closed = replace(CHAIN[0], parent_id="e3")
    index = index_by_id([closed, *CHAIN[1:]])
    found = find_path(index, "e3")
    assert ids(found) == ["e1", "e2", "e3"]
    assert find_cycle(index, found) == closed


def test_an_entry_that_is_its_own_parent_is_a_root_and_a_cycle() -> None:
    own = replace(CHAIN[0], parent_id="e1")
    index = index_by_id([own])
    assert find_path(index, "e1") == (own,)
    assert find_roots(index) == (own,)
    assert find_cycle(index, (own,)) == own


def test_of_two_entries_with_one_id_the_last_counts() -> None:
    again = replace(user("again"), id="e1")
    assert find_path(index_by_id([*CHAIN, again]), "e1") == (again,)


def test_a_known_path_that_a_new_parent_extends_at_its_root_is_walked_again() -> None:
    orphan = replace(CHAIN[1], parent_id="late")
    late = replace(CHAIN[0], id="late")
    known = find_path(index_by_id([orphan]), "e2")
    assert ids(find_path(index_by_id([orphan, late]), "e2", known)) == ["late", "e2"]


@given(entries=paths, data=st.data())
def test_going_on_from_a_known_path_gives_the_path_itself(
    entries: Path, data: st.DataObject
) -> None:
    middle = data.draw(st.integers(0, len(entries)))
    branch: tuple[Entry, ...] = ()
    fork = data.draw(st.integers(0, 2 * len(entries)))
    if fork < len(entries):
        branch = (replace(entries[-1], id="branch", parent_id=entries[fork].id),)
    index = index_by_id([*entries, *branch])
    leaf = (*entries, *branch)[-1].id if entries else None
    assert find_path(index, leaf, entries[:middle]) == find_path(index, leaf)
