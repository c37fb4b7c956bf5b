from longhaul.compaction.passages import find_passages, first_passage, head_of

PASTED = "It broke again.  See this:\n```\nharbour log line\n```\nCan you fix it? Soon please."


def test_a_passage_ends_where_something_is_pasted() -> None:
    assert list(find_passages(PASTED, 80)) == [
        "It broke again. See this:",
        "Can you fix it? Soon please.",
    ]


def test_a_passage_is_as_long_as_a_line_and_no_longer() -> None:
    text = "One two three. Four five six. Seven eight nine."
    assert list(find_passages(text, 30)) == ["One two three. Four five six.", "Seven eight nine."]
    assert list(find_passages(text, 9)) == ["One two", "Four five", "Seven"]


def test_blank_text_gives_no_passage() -> None:
    assert list(find_passages(" \n ", 9)) == []


def test_the_first_passage_of_a_message_that_is_all_pasted_is_its_head() -> None:
    assert first_passage("```\nharbour log\n```", 12) == "``` harbour"
    assert first_passage(PASTED, 80) == "It broke again. See this:"


def test_a_head_ends_at_a_word_where_there_is_one() -> None:
    assert head_of("one two three", 9) == "one two"
    assert head_of("onetwothree", 6) == "onetwo"
    assert head_of("one", 3) == "one"
