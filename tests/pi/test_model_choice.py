"""Which model is asked: the session's own or another, and for local-only sessions only one here."""

import itertools

import pytest

from longhaul.config import Config
from longhaul.pi.model_choice import Choice, NamedModel, NoModel, SessionModel, choose_model

HERE, ALSO_HERE, ELSEWHERE = "local:small.gguf", "ollama/qwen", "openai/gpt"


def choose(config: Config, *, local_only: bool, session_is_local: bool = False) -> Choice:
    return choose_model(
        config,
        local_only=local_only,
        session_model_is_local=session_is_local,
        is_on_this_machine=lambda spec: spec in {HERE, ALSO_HERE},
    )


@pytest.mark.parametrize("local_only", [True, False])
def test_offline_asks_no_model(*, local_only: bool) -> None:
    config = Config(mode="offline", model=HERE, local_model=HERE)
    assert choose(config, local_only=local_only, session_is_local=True) == NoModel()


@pytest.mark.parametrize(
    ("config", "choice"),
    [
        (Config(), SessionModel()),
        (Config(local_model=HERE), SessionModel()),
        (Config(model=ELSEWHERE, local_model=HERE), NamedModel(ELSEWHERE)),
        (Config(model=HERE, mode="turns"), NamedModel(HERE)),
    ],
)
def test_an_ordinary_session_asks_what_the_settings_name(config: Config, choice: Choice) -> None:
    assert choose(config, local_only=False) == choice


UNSET = NoModel("this session is local only, and localModel is not set")
NOT_HERE = NoModel("this session is local only, and localModel is not on this machine")


@pytest.mark.parametrize(
    ("config", "own_is_remote", "own_is_local"),
    [
        (Config(), UNSET, SessionModel()),
        (Config(model=ELSEWHERE), UNSET, SessionModel()),
        (Config(local_model=ELSEWHERE), NOT_HERE, SessionModel()),
        (Config(model=ALSO_HERE), NamedModel(ALSO_HERE), NamedModel(ALSO_HERE)),
        (Config(model=ALSO_HERE, local_model=HERE), NamedModel(HERE), NamedModel(HERE)),
        (Config(model=HERE, local_model=ELSEWHERE), NamedModel(HERE), NamedModel(HERE)),
        (Config(model=ELSEWHERE, local_model=HERE), NamedModel(HERE), NamedModel(HERE)),
    ],
)
def test_a_local_only_session_asks_only_a_model_on_this_machine(
    config: Config, own_is_remote: Choice, own_is_local: Choice
) -> None:
    assert choose(config, local_only=True) == own_is_remote
    assert choose(config, local_only=True, session_is_local=True) == own_is_local


def test_whatever_is_set_nothing_local_only_goes_elsewhere() -> None:
    specs = (None, HERE, ALSO_HERE, ELSEWHERE)
    for model, local_model in itertools.product(specs, specs):
        config = Config(model=model, local_model=local_model)
        assert choose(config, local_only=True) not in {SessionModel(), NamedModel(ELSEWHERE)}
