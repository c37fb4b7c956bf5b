"""The Unix socket that pi asks: real connections, good and bad."""

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from longhaul.errors import ModelError
from longhaul.pi.chat import Answer, ChatRequest, Reply
from longhaul.record.endpoint import Endpoint
from longhaul.record.sources import Sources, refuse_summary, stand_in_summary
from tests.pi.chats import chat

PATH = "/v1/chat/completions"


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, file: Path) -> None:
        super().__init__("localhost", timeout=20)
        self._file = file

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(self._file))


class Fixed:
    """Answers every request of the session alike."""

    def answer(self, request: ChatRequest) -> Reply:
        return Reply(text=f"{len(request.messages)} messages")


@contextmanager
def endpoint(folder: Path, answer: Answer) -> Iterator[Path]:
    file = folder / "s.sock"
    with Endpoint(file, answer):
        yield file


def ask(file: Path, body: bytes, path: str = PATH) -> tuple[int, str]:
    connection = UnixConnection(file)
    connection.request("POST", path, body)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text


def test_a_session_is_answered_by_its_script_and_a_compactor_by_the_summaries(
    tmp_path: Path,
) -> None:
    sources = Sources(Fixed(), stand_in_summary)
    with endpoint(tmp_path, sources.answer) as file:
        assert '"content": "2 messages"' in ask(file, chat())[1]
        assert "stand-in for a summary" in ask(file, chat(tools=[]))[1]
    assert sources.failures == []


def test_a_model_that_fails_is_an_error_in_the_stream_and_is_kept(tmp_path: Path) -> None:
    sources = Sources(Fixed(), refuse_summary)
    with endpoint(tmp_path, sources.answer) as file:
        status, text = ask(file, chat(tools=[]))
    assert status == 200
    assert "--summary-model" in json.loads(text.removeprefix("data: "))["error"]["message"]
    assert [type(one) for one in sources.failures] == [ModelError]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [("/v1/models", chat(), 404), (PATH, b"", 404), (PATH, b"nonsense", 400), (PATH, b"{}", 400)],
)
def test_what_is_no_chat_request_is_refused(
    tmp_path: Path, path: str, body: bytes, status: int
) -> None:
    with endpoint(tmp_path, Fixed().answer) as file:
        assert ask(file, body, path)[0] == status
        assert ask(file, chat())[0] == 200


def test_a_reply_that_takes_its_time_is_preceded_by_signs_of_life(tmp_path: Path) -> None:
    go_on = threading.Event()

    def slow(request: ChatRequest) -> Reply:
        go_on.wait()
        return Fixed().answer(request)

    file = tmp_path / "s.sock"
    with Endpoint(file, slow, keep_alive_s=0.01):
        connection = UnixConnection(file)
        connection.request("POST", PATH, chat())
        response = connection.getresponse()
        first = response.readline()
        go_on.set()
        rest = response.read()
        connection.close()
    assert first == b": the reply is awaited\n"
    assert rest.endswith(b"data: [DONE]\n\n")
    assert b'"content": "2 messages"' in rest


HEAD = b"POST /v1/chat/completions HTTP/1.1\r\n"


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"nonsense\r\n\r\n",
        b"GET /v1/models HTTP/1.1\r\n\r\n",
        HEAD + b"Content-Length: many\r\n\r\n",
        HEAD + b"Content-Length: -4\r\n\r\n",
        HEAD + b"Content-Length: 10\r\n\r\nab",
        HEAD + b"Content-Length: 999999999999\r\n\r\n",
        HEAD + b"a: b\r\n" * 200 + b"\r\n",
        b"POST /" + b"x" * 70_000 + b" HTTP/1.1\r\n\r\n",
    ],
)
@pytest.mark.parametrize("is_read", [True, False])
def test_a_broken_request_breaks_nothing_and_prints_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], sent: bytes, *, is_read: bool
) -> None:
    with endpoint(tmp_path, Fixed().answer) as file:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(file))
            client.sendall(sent)
            client.shutdown(socket.SHUT_WR)
            if is_read:
                assert b" 200 " not in client.recv(1_000)
        assert ask(file, chat())[0] == 200
    assert capfd.readouterr() == ("", "")


def test_a_client_that_hangs_up_does_no_harm(tmp_path: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(request: ChatRequest) -> Reply:
        begun.set()
        go_on.wait(20)
        return Fixed().answer(request)

    with endpoint(tmp_path, slow) as file:
        connection = UnixConnection(file)
        connection.request("POST", PATH, chat())
        assert begun.wait(20)
        connection.close()
        go_on.set()
        assert ask(file, chat())[0] == 200


def test_it_ends_while_a_reply_is_awaited(tmp_path: Path) -> None:
    begun, never = threading.Event(), threading.Event()

    def hang(_: ChatRequest) -> Reply:
        begun.set()
        never.wait()
        raise AssertionError

    with endpoint(tmp_path, hang) as file:
        connection = UnixConnection(file)
        connection.request("POST", PATH, chat())
        assert begun.wait(20)
    connection.close()
    assert not never.is_set()
