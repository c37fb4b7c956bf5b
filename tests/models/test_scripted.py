import pytest

from longhaul.compaction.completion import Completion, CompletionRequest, PromptMessage
from longhaul.errors import ModelError, ReplyAwaitedError
from longhaul.models.scripted import Reply, ScriptedModel


def ask(text: str) -> CompletionRequest:
    return CompletionRequest(messages=(PromptMessage("user", text),), schema={})


def test_replies_come_in_their_order_and_a_text_is_a_whole_reply() -> None:
    cut = Completion(text='{"rules": [', stop_reason="length", model="m", tokens_out=4)
    model = ScriptedModel(["{}", cut])
    assert model.complete(ask("a")) == Completion(text="{}", model="scripted")
    assert model.complete(ask("b")) == cut


def test_a_failure_in_the_list_is_raised_and_what_comes_after_it_stays_due() -> None:
    model = ScriptedModel([ReplyAwaitedError("not yet"), "{}"])
    with pytest.raises(ReplyAwaitedError, match="not yet"):
        model.complete(ask("a"))
    assert model.complete(ask("a")).text == "{}"


def test_a_list_that_came_to_its_end_says_so() -> None:
    with pytest.raises(ModelError, match="no reply left"):
        ScriptedModel([]).complete(ask("a"))


def test_a_function_answers_from_the_request() -> None:
    def reply(request: CompletionRequest) -> Reply:
        text = request.messages[-1].text
        return ModelError("empty") if not text else text.upper()

    model = ScriptedModel(reply)
    assert model.complete(ask("ab")).text == "AB"
    with pytest.raises(ModelError, match="empty"):
        model.complete(ask(""))


def test_every_request_is_kept_those_that_failed_included() -> None:
    model = ScriptedModel([ModelError("down"), "{}"])
    with pytest.raises(ModelError):
        model.complete(ask("a"))
    model.complete(ask("b"))
    assert model.requests == [ask("a"), ask("b")]
