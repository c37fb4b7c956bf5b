"""Requests are checked once, at the edge; answers are one line each."""

import json

import pytest

from longhaul.pi.params import (
    CompactParams,
    CorrectParams,
    RulesParams,
    Source,
    parse_compact,
    parse_correct,
    parse_rules,
    parse_source,
)
from longhaul.pi.protocol import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    ProtocolError,
    Request,
    Response,
    parse_message,
    render_error,
    render_notification,
    render_request,
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
    assert parse_message(line) == Request(7, "show", {"a": "\ud800"})


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"no json", PARSE_ERROR),
        (b"[" * 100_000, PARSE_ERROR),
        (b"[]", INVALID_REQUEST),
        (b'{"id": 1, "method": "show"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 1}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": true, "method": "show"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 5}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "show", "params": []}', INVALID_REQUEST),
    ],
)
def test_what_is_no_request_is_refused(line: bytes, code: int) -> None:
    with pytest.raises(ProtocolError) as caught:
        parse_message(line)
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


def test_what_pi_has_set_is_parsed() -> None:
    set_in_pi: dict[str, JsonValue] = {
        "thinkingLevel": "high",
        "modelIsLocal": True,
        "localOnly": False,
        "projectTrusted": True,
    }
    assert parse_source({**PARAMS, **set_in_pi}) == Source(
        session_id="s",
        leaf_id="l",
        session_file="/s.jsonl",
        context_window=24_000,
        thinking="high",
        model_is_local=True,
        is_local_only=False,
        project_is_trusted=True,
    )


@pytest.mark.parametrize("value", [None, 1, "yes", True])
def test_a_session_leaves_the_machine_only_where_the_extension_says_that_it_may(
    value: JsonValue,
) -> None:
    assert parse_source({**PARAMS, "localOnly": value}).is_local_only
    assert not parse_source({**PARAMS, "modelIsLocal": "yes"}).model_is_local


@pytest.mark.parametrize("level", [None, "medium-rare", 3])
def test_a_thinking_level_that_is_none_is_left_to_the_model(level: JsonValue) -> None:
    assert parse_source({**PARAMS, "thinkingLevel": level}).thinking is None


def test_a_correction_and_what_it_may_name_are_parsed() -> None:
    source = parse_source(PARAMS)
    params: dict[str, JsonValue] = {**PARAMS, "verb": "drop", "argument": "r3"}
    assert parse_correct(params) == CorrectParams(source=source, verb="drop", argument="r3")
    assert parse_rules(params) == RulesParams(source=source, verb="drop")


@pytest.mark.parametrize("verb", [None, "forget", 1])
def test_an_unknown_verb_is_refused(verb: JsonValue) -> None:
    with pytest.raises(ProtocolError) as caught:
        parse_correct({**PARAMS, "verb": verb, "argument": "r3"})
    assert str(caught.value) == "verb: expected one of drop, restore, pin"


@pytest.mark.parametrize(
    ("line", "response"),
    [
        (b'"id": "s1", "result": {"text": "x"}', Response(id="s1", result={"text": "x"})),
        (
            b'"id": "s1", "error": {"code": 1, "message": "a\\nb", "data": {"usage": 1}}',
            Response(id="s1", error="a b", data={"usage": 1}),
        ),
        (b'"id": "s1", "error": {"message": "a", "data": 4}', Response(id="s1", error="a")),
        (b'"id": "s1", "result": 4', Response(id="s1", error="pi's half answered with no result")),
        (b'"id": "s1", "error": 4', Response(id="s1", error="pi's half answered with no result")),
    ],
)
def test_an_answer_of_the_extension_is_parsed(line: bytes, response: Response) -> None:
    assert parse_message(b'{"jsonrpc": "2.0", ' + line + b"}") == response


def test_what_the_server_asks_and_tells_is_one_line() -> None:
    asked, told = render_request("s1", "complete", {"a": 1}), render_notification("cancel", {})
    assert asked == b'{"jsonrpc":"2.0","id":"s1","method":"complete","params":{"a":1}}\n'
    assert told == b'{"jsonrpc":"2.0","method":"cancel","params":{}}\n'


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
