"""A model asked through pi: what goes out, what is a reply, and what is said without one."""

import threading
from collections.abc import Iterable

import pytest

from longhaul.compaction.completion import Completion, CompletionRequest, PromptMessage
from longhaul.errors import ModelError, ReplyAwaitedError
from longhaul.models.scripted import ScriptedModel
from longhaul.pi.completions import AbsentModel, OtherModel, PiModel
from longhaul.pi.protocol import Params, Response
from longhaul.pi.usage import sum_usage
from longhaul.transcript.entries import JsonValue

REQUEST = CompletionRequest(
    messages=(PromptMessage("system", "You read."), PromptMessage("user", "What changed?")),
    schema={"type": "object"},
    thinking="low",
    max_output_tokens=99,
)
COST: JsonValue = {
    "input": 0.5,
    "output": 0.25,
    "cacheRead": 0.125,
    "cacheWrite": 0,
    "total": 0.875,
}
USAGE: dict[str, JsonValue] = {
    "input": 100,
    "output": 20,
    "cacheRead": 30,
    "cacheWrite": 4,
    "totalTokens": 154,
    "cost": COST,
}
REPLY: dict[str, JsonValue] = {
    "text": "{}",
    "stopReason": "stop",
    "model": "acme/one",
    "usage": USAGE,
}


class FakePi:
    """An extension that answers with what it is given, and keeps what it was asked."""

    def __init__(self, *responses: Response | None) -> None:
        self._responses = iter(responses)
        self.asked: list[tuple[str, Params, float]] = []
        self.allowed: list[float | None] = []

    def ask(self, method: str, params: Params, *, timeout_s: float) -> Response | None:
        self.asked.append((method, params, timeout_s))
        return next(self._responses)

    def allow(self, seconds: float | None) -> None:
        self.allowed.append(seconds)


def model_of(pi: FakePi) -> PiModel:
    return PiModel(pi, deadline_s=120, allowance_s=20)


def replying(**fields: JsonValue) -> PiModel:
    return model_of(FakePi(Response(id="s1", result={**REPLY, **fields})))


def failures(models: Iterable[PiModel]) -> list[str]:
    said = []
    for model in models:
        with pytest.raises(ModelError) as caught:
            model.complete(REQUEST)
        said.append(str(caught.value))
    return said


def test_a_request_is_handed_to_pi_and_its_reply_comes_back() -> None:
    pi = FakePi(Response(id="s1", result=REPLY))
    model = model_of(pi)
    completion = model.complete(REQUEST)
    assert pi.asked == [
        (
            "complete",
            {
                "messages": [
                    {"role": "system", "text": "You read."},
                    {"role": "user", "text": "What changed?"},
                ],
                "schema": {"type": "object"},
                "thinking": "low",
                "maxOutputTokens": 99,
            },
            120,
        )
    ]
    assert pi.allowed == [140, None]
    assert completion.seconds is not None
    assert completion == Completion(
        text="{}",
        model="acme/one",
        tokens_in=134,
        tokens_out=20,
        tokens_cached=30,
        seconds=completion.seconds,
    )
    assert model.usages == [USAGE]


def test_a_reply_that_the_output_limit_cut_is_one() -> None:
    assert replying(stopReason="length").complete(REQUEST).stop_reason == "length"


@pytest.mark.parametrize(
    "usage", [None, {"input": 1}, {**USAGE, "cost": None}, {**USAGE, "input": True}]
)
def test_a_usage_that_is_none_counts_nothing(usage: JsonValue) -> None:
    model = replying(usage=usage)
    assert model.complete(REQUEST).tokens_in is None
    assert model.usages == []


def test_what_is_no_reply_is_an_error() -> None:
    garbage = [replying(text=None), replying(model=7), replying(stopReason="aborted")]
    assert set(failures(garbage)) == {"pi's half of Longhaul handed on no reply"}


def test_a_reply_that_does_not_come_is_an_error() -> None:
    pi = FakePi(None)
    assert failures([model_of(pi)]) == ["no reply within 120 s"]
    assert pi.allowed == [140, None]


def test_an_error_says_what_the_provider_said_without_its_secrets_and_counts_its_tokens() -> None:
    key = "sk-proj-" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7" * 2
    error = f"401 Incorrect API key provided: {key}"
    model = model_of(FakePi(Response(id="s1", error=error, data={"usage": USAGE})))
    (said,) = failures([model])
    assert said.startswith("401 Incorrect API key provided: ")
    assert key not in said
    assert model.usages == [USAGE]


def test_the_stops_of_a_providers_sentences_do_not_run_into_what_follows() -> None:
    errors = ("Connection error.: connect ECONNREFUSED ::1:9", "Connection error.", "no 3.5. ")
    models = [model_of(FakePi(Response(id="s1", error=error))) for error in errors]
    assert failures(models) == [
        "Connection error: connect ECONNREFUSED ::1:9",
        "Connection error",
        "no 3.5",
    ]


def test_an_error_without_words_says_so() -> None:
    said = failures([model_of(FakePi(Response(id="s1", error="")))])
    assert said == ["pi got no reply and does not say why"]


def test_another_model_gets_its_time_too_and_is_counted() -> None:
    pi = FakePi()
    reply = Completion(text="{}", model="acme/two", tokens_in=50, tokens_out=6, tokens_cached=10)
    model = OtherModel(ScriptedModel([reply]), pi, deadline_s=60, allowance_s=20)
    assert model.complete(REQUEST) == reply
    assert pi.allowed == [81, None]
    nothing = dict.fromkeys(("input", "output", "cacheRead", "cacheWrite", "total"), 0)
    assert model.usages == [
        {
            "input": 40,
            "output": 6,
            "cacheRead": 10,
            "cacheWrite": 0,
            "totalTokens": 56,
            "cost": nothing,
        }
    ]


def refusal_of(error: ModelError, *, waits: bool = False) -> ModelError:
    model = OtherModel(ScriptedModel([error]), FakePi(), deadline_s=60, allowance_s=20, waits=waits)
    with pytest.raises(ModelError) as caught:
        model.complete(REQUEST)
    return caught.value


def test_another_models_failures_are_failures_whatever_else_they_are() -> None:
    awaited = ReplyAwaitedError("no reply yet: put it into a file and run again")
    said = [
        refusal_of(ModelError("no key")),
        refusal_of(awaited),
        refusal_of(awaited, waits=True),
    ]
    assert {type(error) for error in said} == {ModelError}
    assert [str(error) for error in said] == [
        "no key",
        "no reply yet, and pi does not ask again: end the model's name in ?wait=SECONDS",
        "no reply came within the wait that its name sets",
    ]


def test_another_model_that_does_not_give_up_by_itself_is_let_go() -> None:
    released = threading.Event()

    def answer(_request: CompletionRequest) -> str:
        released.wait(10)
        return "{}"

    model = OtherModel(ScriptedModel(answer), FakePi(), deadline_s=0.05, allowance_s=20)
    with pytest.raises(ModelError, match=r"no reply within 0\.05 s"):
        model.complete(REQUEST)
    released.set()


def test_where_no_model_may_be_asked_the_reason_is_said() -> None:
    with pytest.raises(ModelError, match="this session is local only"):
        AbsentModel("this session is local only").complete(REQUEST)


def test_the_usage_of_several_calls_is_their_sum() -> None:
    assert sum_usage([]) is None
    assert sum_usage([USAGE, USAGE]) == {
        "input": 200,
        "output": 40,
        "cacheRead": 60,
        "cacheWrite": 8,
        "totalTokens": 308,
        "cost": {
            "input": 1.0,
            "output": 0.5,
            "cacheRead": 0.25,
            "cacheWrite": 0,
            "total": 1.75,
        },
    }
