from longhaul.compaction.said import N_NEWEST, N_RULE_SHAPED, SAID_CHARS, advance_said
from longhaul.compaction.statements import Statement


def typed(turn: int, text: str) -> Statement:
    return Statement(entry_id=f"e{turn}", turn=turn, text=text)


def test_a_short_message_is_one_line() -> None:
    (line,) = advance_said((), [typed(1, "Never push\n without asking me.")])
    assert line.quote.text == "Never push without asking me."
    assert line.score > 0.5


def test_a_long_message_is_its_passages() -> None:
    text = "The harbour is old. " * 15 + "Never push without asking me. " + "It rains. " * 10
    lines = advance_said((), [typed(1, text)])
    assert any(line.quote.text.startswith("Never push") for line in lines)
    assert all(len(line.quote.text) <= SAID_CHARS for line in lines)
    assert all(line.quote.text in " ".join(text.split()) for line in lines)


def test_a_long_message_of_pasted_text_alone_is_its_head() -> None:
    (line,) = advance_said((), [typed(1, "```\n" + "harbour log line\n" * 30 + "```")])
    assert line.quote.text.startswith("``` harbour log line")
    assert line.score == 0


def test_the_newest_stay_and_of_the_older_ones_those_most_like_a_rule() -> None:
    rule = typed(1, "Never push without asking me.")
    said = advance_said((), [rule, *(typed(turn, f"look at {turn}") for turn in range(2, 300))])
    assert len(said) == N_NEWEST + N_RULE_SHAPED
    assert said[0].quote.turn == 1
    assert [line.quote.turn for line in said[-N_NEWEST:]] == list(range(300 - N_NEWEST, 300))
