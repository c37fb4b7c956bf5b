import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.compaction.completion import Completion, CompletionRequest, PromptMessage
from longhaul.errors import ModelError, ReplyAwaitedError
from longhaul.models import open_model
from longhaul.models.batch import BatchModel
from longhaul.models.batch_files import list_requests, load_request, reply_file, request_file
from longhaul.models.batch_records import dump_request, hash_request, parse_request
from tests.models.batch_folder import REQUEST, folder_with_two_requests, write_reply


def test_a_request_without_a_reply_is_written_and_awaited(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "a"
    with pytest.raises(ReplyAwaitedError) as caught:
        BatchModel(folder).complete(REQUEST)
    asked = folder / f"{hash_request(REQUEST)}.request.json"
    reply = folder / f"{hash_request(REQUEST)}.reply.json"
    assert list(folder.iterdir()) == [asked]
    assert json.loads(asked.read_text(encoding="utf-8")) == {
        "messages": [
            {"role": "system", "text": "Answer in JSON."},
            {"role": "user", "text": "Größe?\n\ud800"},
        ],
        "schema": {"type": "object", "properties": {"b": {}, "a": {}}},
        "thinking": "low",
        "maxOutputTokens": 100,
        "repeat": 1,
    }
    assert str(caught.value) == (
        f"no reply yet: put it into {reply} and run again (`longhaul batch {folder}` lists what"
        " waits)"
    )


def test_requests_are_for_their_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    with pytest.raises(ReplyAwaitedError):
        BatchModel(folder).complete(REQUEST)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())]
    assert modes == [0o700, 0o600]


def test_a_reply_is_read_with_what_is_known_of_it(tmp_path: Path) -> None:
    write_reply(
        tmp_path,
        {
            "text": "{}",
            "stopReason": "length",
            "model": "x/y",
            "tokensIn": 5,
            "tokensOut": 0,
            "tokensCached": 2,
            "seconds": 1,
            "more": [],
        },
    )
    assert BatchModel(tmp_path).complete(REQUEST) == Completion(
        text="{}",
        stop_reason="length",
        model="x/y",
        tokens_in=5,
        tokens_out=0,
        tokens_cached=2,
        seconds=1.0,
    )


def test_a_reply_needs_no_more_than_its_text(tmp_path: Path) -> None:
    write_reply(tmp_path, {"text": "", "stopReason": None, "tokensIn": None})
    assert BatchModel(tmp_path).complete(REQUEST) == Completion(text="", model="batch")


def test_a_reply_of_ten_megabytes_is_read(tmp_path: Path) -> None:
    text = "é" * 10_000_000
    write_reply(tmp_path, {"text": text})
    assert BatchModel(tmp_path).complete(REQUEST).text == text


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], ": expected an object, got list"),
        ({}, " has no text"),
        ({"txt": "x"}, " has no text"),
        ({"text": None}, " text: expected a text, got null"),
        ({"text": ["a"]}, " text: expected a text, got list"),
        ({"text": "", "model": 5}, " model: expected a text, got int"),
        ({"text": "", "tokensIn": -1}, " tokensIn: expected a whole number from 0, got int"),
        (
            {"text": "", "tokensIn": 10**4_000},
            " tokensIn: expected a whole number up to 1e+12, got int",
        ),
        ({"text": "", "tokensOut": 1.5}, " tokensOut: expected a whole number from 0, got float"),
        (
            {"text": "", "tokensCached": True},
            " tokensCached: expected a whole number from 0, got bool",
        ),
        ({"text": "", "seconds": "1"}, " seconds: expected a number, got str"),
        (
            {"text": "", "seconds": float("nan")},
            " seconds: expected a number from 0 to 1e+09, got float",
        ),
        (
            {"text": "", "stopReason": "done"},
            " stopReason: expected one of stop, length, refused, aborted, got str",
        ),
    ],
)
def test_a_reply_of_another_shape_is_named_by_file_and_field(
    tmp_path: Path, value: object, message: str
) -> None:
    path = write_reply(tmp_path, value)
    with pytest.raises(ModelError) as caught:
        BatchModel(tmp_path).complete(REQUEST)
    assert str(caught.value) == f"{path}{message}; mend it or remove it"


@pytest.mark.parametrize("data", [b"", b'{"text": "', b"\xff\xfe", b"[" * 100_000, b"1" * 5_000])
def test_a_reply_that_is_not_json_is_named(tmp_path: Path, data: bytes) -> None:
    path = write_reply(tmp_path, {})
    path.write_bytes(data)
    with pytest.raises(ModelError) as caught:
        BatchModel(tmp_path).complete(REQUEST)
    assert str(caught.value) == f"{path} is not JSON; mend it or remove it"


def make_folder(path: Path) -> None:
    path.mkdir()


def make_dangling_link(path: Path) -> None:
    path.symlink_to("/nowhere")


@pytest.mark.parametrize("make", [make_folder, os.mkfifo, make_dangling_link])
def test_a_reply_that_is_no_file_is_not_opened(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    path = reply_file(request_file(tmp_path, REQUEST))
    make(path)
    with pytest.raises(ModelError) as caught:
        BatchModel(tmp_path).complete(REQUEST)
    assert str(caught.value) == f"{path} is no file; remove it"


def test_a_reply_that_is_far_too_large_is_not_read(tmp_path: Path) -> None:
    path = write_reply(tmp_path, {})
    os.truncate(path, 65 * 1024 * 1024)
    with pytest.raises(ModelError) as caught:
        BatchModel(tmp_path).complete(REQUEST)
    assert str(caught.value) == f"{path} is larger than 64 MB; remove it"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(ModelError, match=rf"^{file}/\w+\.request\.json cannot be written: "):
        BatchModel(file).complete(REQUEST)


def test_waiting_looks_until_the_reply_is_whole(tmp_path: Path) -> None:
    path = reply_file(request_file(tmp_path, REQUEST))
    steps = iter(["", '{"text": "a', '{"text": "ab"}'])

    def answer_meanwhile(_: float) -> None:
        text = next(steps)
        if text:
            path.write_text(text, encoding="utf-8")

    model = BatchModel(tmp_path, wait_s=60, sleep=answer_meanwhile)
    assert model.complete(REQUEST).text == "ab"


def test_waiting_ends(tmp_path: Path) -> None:
    slept: list[float] = []
    with pytest.raises(ReplyAwaitedError):
        BatchModel(tmp_path, wait_s=0.5, sleep=slept.append).complete(REQUEST)
    assert sum(slept) == pytest.approx(0.5)


def test_a_reply_that_is_still_no_json_when_waiting_ends_is_named(tmp_path: Path) -> None:
    path = reply_file(request_file(tmp_path, REQUEST))

    def write_half(_: float) -> None:
        path.write_text("{", encoding="utf-8")

    with pytest.raises(ModelError, match="is not JSON"):
        BatchModel(tmp_path, wait_s=1, sleep=write_half).complete(REQUEST)


def test_whoever_waits_is_told_for_what(tmp_path: Path) -> None:
    said: list[str] = []
    with pytest.raises(ReplyAwaitedError) as caught:
        BatchModel(tmp_path, wait_s=0.5, sleep=lambda _: None, say=said.append).complete(REQUEST)
    asked = request_file(tmp_path, REQUEST)
    assert said == [
        f"waiting 0.5 s for {reply_file(asked)}, the reply to {asked.name}"
        f" (`longhaul batch {tmp_path} {asked.name[:12]}` shows it)"
    ]
    assert caught.value.missing == f"no reply within 0.5 s in {reply_file(asked)}"


def test_a_reply_of_another_shape_is_told_once_and_may_be_mended_while_there_is_time(
    tmp_path: Path,
) -> None:
    path = write_reply(tmp_path, {"txt": "x"})
    said: list[str] = []
    n_looks = 0

    def mend_at_last(_: float) -> None:
        nonlocal n_looks
        n_looks += 1
        if n_looks == 5:
            write_reply(tmp_path, {"text": "mended"})

    model = BatchModel(tmp_path, wait_s=60, sleep=mend_at_last, say=said.append)
    assert model.complete(REQUEST).text == "mended"
    assert said == [f"{path} has no text; mend it or remove it; the time to wait runs on"]


def test_a_reply_that_nobody_mends_is_named_when_the_time_is_over(tmp_path: Path) -> None:
    path = write_reply(tmp_path, {"txt": "x"})
    with pytest.raises(ModelError, match=f"^{path} has no text; mend it or remove it$"):
        BatchModel(tmp_path, wait_s=1, sleep=lambda _: None).complete(REQUEST)


def test_the_name_of_a_model_says_the_folder_and_the_wait(tmp_path: Path) -> None:
    write_reply(tmp_path, {"text": "x"})
    for spec in (f"batch:{tmp_path}", f"batch:{tmp_path}?wait=5"):
        assert open_model(spec, timeout_s=1, environment={}).complete(REQUEST).text == "x"


roles = st.sampled_from(("system", "user", "assistant"))
texts = st.text(max_size=5)
requests = st.builds(
    CompletionRequest,
    messages=st.lists(st.builds(PromptMessage, roles, texts), max_size=2).map(tuple),
    schema=st.dictionaries(texts, st.integers(0, 1), max_size=2),
    thinking=st.sampled_from((None, "off", "max")),
    max_output_tokens=st.integers(1, 2),
    repeat=st.integers(1, 2),
)


@given(requests, requests)
def test_two_requests_have_one_hash_exactly_where_they_are_equal(
    one: CompletionRequest, other: CompletionRequest
) -> None:
    assert (hash_request(one) == hash_request(other)) == (one == other)


@given(requests)
def test_a_request_that_was_written_is_read_as_the_same(request: CompletionRequest) -> None:
    assert parse_request(json.loads(json.dumps(dump_request(request)))) == request


def test_the_order_of_a_schemas_keys_is_kept_and_changes_no_hash(tmp_path: Path) -> None:
    other = CompletionRequest(
        messages=REQUEST.messages,
        schema={"properties": {"a": {}, "b": {}}, "type": "object"},
        thinking="low",
        max_output_tokens=100,
    )
    assert hash_request(other) == hash_request(REQUEST)
    with pytest.raises(ReplyAwaitedError):
        BatchModel(tmp_path).complete(other)
    loaded = load_request(request_file(tmp_path, other))
    assert json.dumps(dict(loaded.schema)) == (
        '{"properties": {"a": {}, "b": {}}, "type": "object"}'
    )


def test_the_requests_of_a_folder_are_listed_with_what_is_answered(tmp_path: Path) -> None:
    entries = list_requests(folder_with_two_requests(tmp_path))
    assert {entry.name: entry.is_answered for entry in entries} == {
        hash_request(REQUEST): False,
        hash_request(CompletionRequest(messages=(), schema={}, repeat=2)): True,
    }
