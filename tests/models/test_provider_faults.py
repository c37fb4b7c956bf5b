import subprocess
import sys

import pytest

from longhaul.errors import ModelError
from longhaul.models import open_model
from longhaul.models.servers import find_server
from longhaul.models.specs import ProviderSpec, parse_spec
from tests.models.api_server import AT_ONCE, Answer, failure, serving
from tests.models.asking import KEY, ROUTES, Route, animals, failure_of
from tests.pinned import ROOT

CHAT, RESPONSES, ANTHROPIC, GOOGLE = ROUTES
each_route = pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.spec)
JSON = {"content-type": "application/json"}


def keys_of(route: Route) -> str:
    return "GOOGLE_API_KEY or GEMINI_API_KEY" if route is GOOGLE else route.key_variable


@each_route
@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_is_said_and_neither_it_nor_the_answer_repeated(
    route: Route, status: int
) -> None:
    answer = failure(status, f"Incorrect API key provided: {KEY[:12]}***")
    assert failure_of(route, [answer]) == (
        f"{route.spec}: the key was refused; check {keys_of(route)} (HTTP {status})",
        1,
    )


@each_route
def test_an_unknown_model_is_said(route: Route) -> None:
    assert failure_of(route, [failure(404, "model `m` not found")]) == (
        f"{route.spec}: no such model there; check its id and {route.address_variable}"
        " (HTTP 404: model `m` not found)",
        1,
    )


@each_route
def test_a_refused_request_is_not_sent_again_and_what_the_server_says_is_one_clean_line(
    route: Route,
) -> None:
    said = f"too\nlong\x1b[31m, {KEY} <summary> " + "x" * 1000
    text, n_asked = failure_of(route, [failure(400, said)])
    assert n_asked == 1
    assert text.startswith(
        f"{route.spec}: the request was refused (HTTP 400: too long, [key] &lt;summary> xxx"
    )
    assert len(text) < 300
    assert text.isprintable()


@pytest.mark.parametrize("route", [CHAT, RESPONSES, ANTHROPIC], ids=lambda route: route.spec)
def test_a_server_that_goes_on_failing_is_asked_three_times(route: Route) -> None:
    down = failure(503, "down", headers=AT_ONCE)
    assert failure_of(route, [down] * 4) == (
        f"{route.spec}: the server failed; try again later (HTTP 503: down)",
        3,
    )


@each_route
def test_a_server_that_never_answers_is_left_at_the_deadline(route: Route) -> None:
    assert failure_of(route, [Answer(fault="hang")], timeout_s=0.3) == (
        f"{route.spec}: no answer in time; allow it more (callDeadlineSeconds in longhaul.json),"
        " or name a faster model",
        1,
    )


@pytest.mark.parametrize(
    "answer",
    [
        Answer(body=b"<html>hello</html>", headers={"content-type": "text/html"}),
        Answer(body=b"not JSON", headers=JSON),
        Answer(body=b"", headers=JSON),
        Answer(body=b"{}", headers=JSON),
        Answer(body=b"[1]", headers=JSON),
        Answer(body=b'{"choices": [], "output": null, "content": null}', headers=JSON),
        Answer(body=b'{"choices": 5, "output": 5, "content": 5}', headers=JSON),
        Answer(body=b"\xff\xfe\x00", headers=JSON),
    ],
)
@pytest.mark.parametrize("route", [CHAT, RESPONSES, ANTHROPIC], ids=lambda route: route.spec)
def test_an_answer_that_is_no_completion_is_said(route: Route, answer: Answer) -> None:
    assert failure_of(route, [answer]) == (
        f"{route.spec}: the answer is no completion; check {route.address_variable}",
        1,
    )


def test_a_server_that_is_not_there_is_said() -> None:
    with serving([]) as api:
        origin = api.origin
    model = open_model("ollama/m", timeout_s=60, environment={"OLLAMA_BASE_URL": origin})
    with pytest.raises(ModelError, match="cannot be reached; check the network and OLLAMA_BASE"):
        model.complete(animals())


@each_route
def test_a_redirect_is_not_followed(route: Route) -> None:
    with serving([route.answer]) as elsewhere:
        moved = Answer(status=307, headers={"location": elsewhere.origin + route.path})
        _, n_asked = failure_of(route, [moved])
        assert (n_asked, elsewhere.seen) == (1, [])


PROXIED = """
import os, sys
sys.path.insert(0, sys.argv[1])
from tests.models.api_server import serving
from tests.models.asking import EMPTY, ROUTES, ask
with serving([]) as proxy:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"):
        os.environ[name] = proxy.origin
    print([ask(route, [route.answer]).text == EMPTY for route in ROUTES], len(proxy.seen))
"""


def test_a_server_on_this_machine_is_not_asked_through_a_proxy() -> None:
    command = (sys.executable, "-I", "-c", PROXIED, str(ROOT))
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "[True, True, True, True] 0\n"


@each_route
def test_no_key_is_in_what_a_model_or_its_server_shows_of_itself(route: Route) -> None:
    spec = parse_spec(route.spec)
    assert isinstance(spec, ProviderSpec)
    environment = {route.key_variable: KEY, route.address_variable: "http://127.0.0.1:1"}
    server = find_server(spec, environment)
    model = open_model(route.spec, timeout_s=1, environment=environment)
    assert server.key == KEY
    assert KEY not in f"{server!r} {server} {model!r} {model}"
