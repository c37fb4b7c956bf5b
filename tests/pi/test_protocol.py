"""Requests are checked once, at the edge; answers are one line each."""

import json

import pytest

from longhaul.pi.protocol import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    CompactParams,
    ProtocolError,
    Request,
    Source,
    parse_compact,
    parse_request,
    parse_source,
    render_error,
    render_result,
)
from longhaul.transcript.entries import JsonValue

PARAMS: dict[str, JsonValue] = {
    "sessionId": "s",
    "sessionFile": "/s.jsonl",
    "leafId": "l",
    "contextWindow": 24_000,
    "firstKeptEntryId": "k",
    "tokensBefore": 1234,
    "instructions": "keep it",
}


def test_a_request_is_parsed() -> None:
    line = b'{"jsonrpc": "2.0", "id": 7, "method": "show", "params": {"a": "\\ud800"}}\n'
    assert parse_request(line) == Request(7, "show", {"a": "\ud800"})


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"no json", PARSE_ERROR),
        (b"[" * 100_000, PARSE_ERROR),
        (b"[]", INVALID_REQUEST),
        (b'{"id": 1, "method": "show"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": true, "method": "show"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 5}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "show", "params": []}', INVALID_REQUEST),
    ],
)
def test_what_is_no_request_is_refused(line: bytes, code: int) -> None:
    with pytest.raises(ProtocolError) as caught:
        parse_request(line)
    assert caught.value.code == code


def test_a_compaction_is_parsed() -> None:
    assert parse_compact(PARAMS) == CompactParams(
        source=Source(session_id="s", leaf_id="l", session_file="/s.jsonl", context_window=24_000),
        first_kept_entry_id="k",
        tokens_before=1234,
        instructions="keep it",
    )


def test_a_session_without_a_file_brings_its_records() -> None:
    records: list[JsonValue] = [{"type": "session"}, {"type": "message"}]
    source = parse_source({**PARAMS, "sessionFile": None, "records": records})
    assert source.session_file is None
    assert source.records == tuple(records)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("sessionId", None, "sessionId: expected str, got NoneType"),
        ("leafId", 4, "leafId: expected str, got int"),
        ("sessionFile", 4, "sessionFile: expected str or null, got int"),
        ("sessionFile", None, "records: expected list, got NoneType"),
        ("firstKeptEntryId", [], "firstKeptEntryId: expected str, got list"),
        ("tokensBefore", "1", "tokensBefore: expected number, got str"),
        ("tokensBefore", True, "tokensBefore: expected number, got bool"),
        ("instructions", 1, "instructions: expected str, got int"),
    ],
)
def test_a_wrong_field_is_named(field: str, value: JsonValue, message: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        parse_compact({**PARAMS, field: value})
    assert (caught.value.code, str(caught.value)) == (INVALID_PARAMS, message)


@pytest.mark.parametrize("window", [None, 0, -1, "24000"])
def test_a_window_that_pi_does_not_know_is_none(window: JsonValue) -> None:
    assert parse_source({**PARAMS, "contextWindow": window}).context_window is None


def test_answers_are_one_line_of_ascii() -> None:
    line = render_result(7, {"text": "ä\n\u2028\ud800"})
    assert line.count(b"\n") == 1
    assert line.isascii()
    assert json.loads(line)["result"] == {"text": "ä\n\u2028\ud800"}


def test_an_error_says_one_short_line() -> None:
    error = json.loads(render_error("a", PARSE_ERROR, "first\nsecond " + "x" * 1000))["error"]
    assert error["message"].startswith("first second xxx")
    assert len(error["message"]) == 500
