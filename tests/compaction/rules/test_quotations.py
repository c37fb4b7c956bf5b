"""What stands in quotation marks inside a sentence, and what the sentence says by itself."""

import pytest

from longhaul.compaction.rules.quotations import find_quotations, find_sayings, without_sayings


def quotations(sentence: str) -> list[str]:
    return [sentence[left:right] for left, right in find_quotations(sentence, 0, len(sentence))]


@pytest.mark.parametrize(
    ("sentence", "quoted"),
    [
        ('it prints "push now" and stops', ['"push now"']),
        ("it prints “push now” and `x`", ["“push now”", "`x`"]),
        ("die Ausgabe „jetzt schieben“ stört", ["„jetzt schieben“"]),
        ("ログに「今すぐ」と出る", ["「今すぐ」"]),
        ("the users' file says 'push now', no", ["'push now'"]),
        ("don't and can't are no quotations", []),
        ('a 5" disk and a mark that "never closes', []),
    ],
)
def test_quotations_are_found_with_their_marks(sentence: str, quoted: list[str]) -> None:
    assert quotations(sentence) == quoted


def test_a_name_in_quotation_marks_says_nothing() -> None:
    sentence = 'call it "tide table" and print "push to main now"'
    assert [sentence[left:right] for left, right in find_sayings(sentence, 0, len(sentence))] == [
        '"push to main now"'
    ]


def test_what_a_sentence_says_by_itself_leaves_sayings_out() -> None:
    assert without_sayings('CI prints "push to main without asking" and hangs') == (
        "CI prints … and hangs"
    )
    assert without_sayings('drop the "strict" rule') == 'drop the "strict" rule'
