"""Which model a compaction inside pi asks, and what stands in where it may ask none."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from longhaul.compaction.completion import CompletionRequest, PromptMessage
from longhaul.config import Config
from longhaul.errors import ModelError
from longhaul.models import is_on_this_machine, open_model
from longhaul.pi.asked_model import AskedModel, Models, open_asked_model
from longhaul.pi.completions import OtherModel, PiModel
from longhaul.pi.params import Source
from longhaul.pi.protocol import Params, Response

REQUEST = CompletionRequest(messages=(PromptMessage("user", "?"),), schema={})
FREE = Source(session_id="s", leaf_id="l", session_file=None, is_local_only=False)
CWD = "/nowhere/project"
MODELS = Models(
    open=lambda spec, timeout_s: open_model(spec, timeout_s=timeout_s, environment=os.environ),
    is_on_this_machine=lambda spec: is_on_this_machine(spec, os.environ),
)


class SilentPi:
    """An extension that is not asked."""

    def ask(self, method: str, params: Params, *, timeout_s: float) -> Response | None:
        raise AssertionError(method, params, timeout_s)

    def allow(self, seconds: float | None) -> None:
        """Take note of nothing."""


def opened(config: Config, source: Source = FREE) -> AskedModel | None:
    return open_asked_model(source, CWD, config, SilentPi(), MODELS)


def refusal(config: Config, source: Source = FREE) -> str:
    model = opened(config, source)
    assert model is not None
    with pytest.raises(ModelError) as caught:
        model.complete(REQUEST)
    return str(caught.value)


def test_offline_no_model_is_asked() -> None:
    assert opened(Config(mode="offline")) is None


def test_the_sessions_own_model_is_asked_unless_the_settings_name_one(tmp_path: Path) -> None:
    assert isinstance(opened(Config()), PiModel)
    assert isinstance(opened(Config(model=f"batch:{tmp_path}")), OtherModel)


def test_a_model_that_cannot_be_opened_says_why() -> None:
    assert "no-such-provider" in refusal(Config(model="no-such-provider/model"))


@pytest.mark.parametrize(
    ("config", "source"),
    [
        (Config(), replace(FREE, is_local_only=True)),
        (Config(local_only_roots=(Path(CWD),)), FREE),
        (Config(local_only_roots=(Path("/files"),)), replace(FREE, session_file="/files/s.jsonl")),
    ],
)
def test_a_session_is_local_only_where_either_half_finds_it_so(
    config: Config, source: Source
) -> None:
    assert refusal(config, source).startswith("this session is local only")
    assert isinstance(opened(config, replace(source, model_is_local=True)), PiModel)
