import pytest

from longhaul.compaction.rules.polarity import read_polarity


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("never push without asking", {"push": -1, "=ask": 1}),
        ("you can push without asking", {"push": 1, "=ask": -1}),
        ("stop pushing", {"push": -1}),
        ("the cache is no longer off limits", {"cach": 1, "limit": 1}),
        ("Danish instead of Polish", {"danish": 1, "polish": -1}),
        ("main is fine, no more branches", {"main": 1, "branch": -1}),
        ("use tabs, never tabs", {"tab": 0}),
        ("the no-sudo setup", {"sud": -1, "setup": 1}),
        ("keine Umlaute", {"umlaut": -1}),
    ],
)
def test_a_negation_turns_its_clause_and_a_second_one_turns_it_back(
    text: str, signs: dict[str, int]
) -> None:
    assert dict(read_polarity(text)) == signs
