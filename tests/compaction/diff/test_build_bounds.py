"""What a request may cost: shares of pi's own request, and the model's window."""

import pytest

from longhaul.compaction.diff.build import BuildOptions, build_request
from longhaul.compaction.diff.framing import FRAME_END, FRAME_START, LEFT_OUT, most_tokens
from longhaul.compaction.diff.instructions import INSTRUCTIONS
from longhaul.compaction.diff.pi_request import PiRequest, estimate_pi_request
from longhaul.compaction.diff.room import (
    LEAST_DIGEST_TOKENS,
    LEAST_ROOM_TOKENS,
    LONG_SPAN_TOKENS,
    digest_room_tokens,
)
from longhaul.errors import ModelError
from longhaul.transcript.entries import Entry, Path
from tests.build import assistant, call, path, result, user
from tests.compaction.diff.spans import (
    DEMO,
    Span,
    build_span,
    build_whole,
    chained_spans,
    long_session,
    state_of,
    text_of,
)

LEAST_REQUEST_TOKENS = LEAST_DIGEST_TOKENS + len(INSTRUCTIONS) // 4 + 10
"""What a request may cost for a span so small that its shares hold less."""


@pytest.mark.parametrize(
    ("window", "keep"),
    [(6_000, 1_000), (8_000, 3_000), (10_000, 3_000), (12_000, 3_000), (20_000, 5_000)],
)
@pytest.mark.parametrize("summary_chars", [300, 6_000])
def test_a_recorded_session_cut_again_and_again_keeps_every_share(
    window: int, keep: int, summary_chars: int
) -> None:
    spans = list(
        chained_spans(DEMO, window=window, keep=keep, summary="so " * (summary_chars // 3))
    )
    assert spans
    for span in spans:
        built = build_span(span)
        assert built.digest_tokens <= max(built.pi_tokens // 4, LEAST_DIGEST_TOKENS)
        assert built.request_tokens <= max(built.pi_tokens // 2, LEAST_REQUEST_TOKENS)


@pytest.mark.parametrize("n_turns", [50, 120])
@pytest.mark.parametrize("message", ["", "every import must be checked against the old one " * 30])
def test_a_span_of_50_000_tokens_costs_at_most_a_sixth(n_turns: int, message: str) -> None:
    session = long_session(n_turns, message=message)
    span = estimate_pi_request(session, start=0, end=len(session) - 1)
    assert span.span_tokens >= LONG_SPAN_TOKENS
    built = build_whole(session)
    assert built.request_tokens * 6 <= built.pi_tokens
    assert built.digest_tokens * 4 <= built.pi_tokens


def test_long_output_that_pi_clips_makes_a_span_long_all_the_same() -> None:
    session = long_session(30, output_lines=2_000)
    span = estimate_pi_request(session, start=0, end=len(session) - 1)
    assert span.tokens < LONG_SPAN_TOKENS < span.span_tokens
    assert build_whole(session).request_tokens * 6 <= span.tokens


@pytest.mark.parametrize("words_tokens", [0, 400, 5_000])
@pytest.mark.parametrize("pi_tokens", [300, 1_000, 1_700, 2_500, 10_000, 49_999])
def test_a_digest_is_a_share_of_pis_request_but_on_small_spans_never_too_little(
    pi_tokens: int, words_tokens: int
) -> None:
    pi = PiRequest(tokens=pi_tokens, span_tokens=pi_tokens)
    room = digest_room_tokens(pi, overhead_tokens=900, words_tokens=words_tokens)
    needed = max(LEAST_ROOM_TOKENS, min(words_tokens, LEAST_DIGEST_TOKENS))
    assert min(pi_tokens * 23 // 100, needed) <= room <= max(pi_tokens // 4, needed)


@pytest.mark.parametrize("window_tokens", [6_300, 8_000, 16_000, 64_000])
@pytest.mark.parametrize("word", ["importer ", "取り込み処理", "0x1f9c "])
def test_a_request_never_exceeds_the_window_beside_its_reply(window_tokens: int, word: str) -> None:
    session = long_session(60, message=word * 60)
    options = BuildOptions(window_tokens=window_tokens, max_output_tokens=4_096)
    built = build_whole(session, options)
    most = sum(most_tokens(message.text) for message in built.request.messages)
    assert most + 4_096 <= window_tokens
    assert (built.clipped != ()) == ("\nCut for room: " in text_of(built))


def test_a_window_without_room_for_a_request_is_an_error_that_says_so() -> None:
    with pytest.raises(ModelError, match="a window of 4,096 tokens holds no request beside 4,000"):
        build_whole(DEMO, BuildOptions(window_tokens=4_096, max_output_tokens=4_000))


def test_what_was_cut_is_said_in_the_request_and_in_the_report() -> None:
    end = next(index for index, entry in enumerate(DEMO) if entry.id == "3b7d9ce9")
    built = build_span(Span(DEMO, 0, end), BuildOptions(window_tokens=10_000))
    assert built.clipped == ("calls: 32 left out", "replies: 4 left out")
    assert f"Cut for room: {'; '.join(built.clipped)}\n" in text_of(built)


def test_the_users_words_are_whole_where_replies_and_calls_have_given_way() -> None:
    session = chatter(60, "- ")
    text = text_of(build_whole(session))
    assert [line for line in text.split("\n") if " user: " in line] == [
        f"u{turn} user: request {turn}: keep going with the next part" for turn in range(1, 61)
    ]
    assert "calls: " in text.rsplit("Cut for room: ", 1)[1]


def chatter(n_turns: int, said: str) -> Path:
    """Return turns in which much is said and done beside short requests."""
    entries: list[Entry] = []
    for turn in range(1, n_turns + 1):
        runs = [call("bash", command=f"make part-{turn}-{n} CHECK=strict") for n in range(6)]
        entries += [
            user(f"request {turn}: keep going with the next part"),
            assistant(said + "I will now do this and that. " * 12, runs),
            *(result(run, "all is well") for run in runs),
            assistant(f"{said}Part {turn} is done. " + "All of it was checked. " * 12),
        ]
    return path(*entries, user("next"))


def test_pasted_text_gives_way_before_what_the_user_typed() -> None:
    log = "\n".join(f"2026-11-27 03:10:{n:02} gauged[790]: reading {n} lost" for n in range(60))
    session = path(
        user(f"why does this happen?\n\n```\n{log}\n```\n\nand from now on log to stderr"),
        assistant("A sensor fault."),
        user("next"),
    )
    lines = text_of(build_whole(session)).split("\n")
    assert f"u1 user: why does this happen? {LEFT_OUT} and from now on log to stderr" in lines
    assert "Cut for room: messages of the user: 1 shortened" in lines


def test_a_very_long_message_leaves_room_for_what_came_of_it() -> None:
    session = path(user("word " * 8_000), assistant("I read it all."), user("next"))
    text = text_of(build_whole(session))
    assert "- says: I read it all." in text
    assert LEFT_OUT in text


def test_an_empty_span_still_gives_a_request() -> None:
    session = path(user("hi"), assistant("hello"), user("next"))
    built = build_request(session, state_of(session, 2), start=2, end=2, options=BuildOptions())
    assert text_of(built) == f"{FRAME_START}\n{FRAME_END}\nAnswer with the JSON object now."
