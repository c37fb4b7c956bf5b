"""`doctor` says what is wrong with Longhaul's settings and with the models they name."""

from pathlib import Path

import pytest

from longhaul.config import Config
from longhaul.errors import ModelError
from longhaul.pi.doctor_config import check_config, check_models
from longhaul.pi.finding import Finding
from longhaul.pi.session_config import load_session_config

EXPECTED = "write there what is expected, or remove that key: then its default holds"


def write(folder: Path, text: str) -> Path:
    """Write a `longhaul.json` and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "longhaul.json"
    file.write_text(text, encoding="utf-8")
    return file


def check(tmp_path: Path) -> list[Finding]:
    """Return what is said of the files in `agent` and in `project`."""
    agent_dir, project = tmp_path / "agent", tmp_path / "project"
    config = load_session_config(agent_dir, str(project))
    return list(check_config(config, agent_dir, project))


def test_without_files_nothing_is_said(tmp_path: Path) -> None:
    assert check(tmp_path) == []


def test_files_that_are_well_are_named(tmp_path: Path) -> None:
    mine = write(tmp_path / "agent", '{"mode": "turns"}')
    theirs = write(tmp_path / "project" / ".pi", '{"localOnlyRoots": ["data"]}')
    text = f"mode turns; read from {mine} and {theirs}"
    assert check(tmp_path) == [Finding("longhaul.json", "ok", text)]


def test_every_complaint_is_a_finding(tmp_path: Path) -> None:
    mine = write(tmp_path / "agent", '{"mode": "warm", "modell": 1}')
    theirs = write(tmp_path / "project" / ".pi", '{"model": "a/b"}')
    (tmp_path / "agent" / "trust.json").write_text(f'{{"{tmp_path}": true}}', encoding="utf-8")
    never = "ignored: only your own settings say it, never a project's"
    warm = "'warm' is not offered; expected one of offline, state, turns"
    assert check(tmp_path) == [
        Finding("longhaul.json", "warning", f"{mine} mode: {warm}", EXPECTED),
        Finding(
            "longhaul.json",
            "warning",
            f"{mine}: no setting is called 'modell'; did you mean model?",
            "rename that key, or remove it",
        ),
        Finding(
            "longhaul.json",
            "warning",
            f"{theirs} model: {never}",
            "remove that key from the project's file",
        ),
    ]


@pytest.mark.parametrize("text", ["{", '{"localOnlyRoots": 1}'])
def test_a_file_that_keeps_every_session_here_is_an_error(tmp_path: Path, text: str) -> None:
    write(tmp_path / "agent", '{"mode": 1}')
    write(tmp_path / "project" / ".pi", text)
    other, finding = check(tmp_path)
    assert other.level == "warning"
    correct = "correct that file; until then no model elsewhere is asked"
    assert (finding.level, finding.mend) == ("error", correct)
    assert finding.text.endswith("; until it is mended, sessions are local only")


def open_some(spec: str) -> str:
    """Open what is called well; of all else say what is missing."""
    if "well" not in spec:
        raise ModelError("a key is missing")
    return spec


def check_named(config: Config) -> list[Finding]:
    return list(
        check_models(config, open_model=open_some, is_on_this_machine=lambda spec: "here" in spec)
    )


MISSING = (
    "do that where pi is started, or change {} in longhaul.json;"
    " until then compactions are made without a model"
)
ELSEWHERE = (
    "name one that is (local:FILE.gguf, or a server at an address here),"
    " or remove localModel from longhaul.json"
)
WITHOUT = Finding(
    "local only",
    "ok",
    "local-only sessions are compacted without a model, unless pi's own is on this machine",
)


@pytest.mark.parametrize(
    "config",
    [
        Config(),
        Config(mode="offline", model="openai/x", local_model="openai/x"),
        Config(local_only_roots=(Path("/"),), roots_unknown=True),
    ],
)
def test_without_a_model_to_ask_none_is_looked_at(config: Config) -> None:
    assert check_named(config) == []


def test_models_that_can_be_asked_are_named() -> None:
    config = Config(
        model="openai/well", local_model="local:/here/well.gguf", local_only_roots=(Path("/a"),)
    )
    assert check_named(config) == [
        Finding("model", "ok", "model openai/well has what it needs"),
        Finding("model", "ok", "localModel local:/here/well.gguf is on this machine"),
    ]


def test_what_a_model_lacks_is_a_warning() -> None:
    config = Config(model="openai/x", local_model="local:~/here.gguf")
    assert check_named(config) == [
        Finding("model", "warning", "model openai/x: a key is missing", MISSING.format("model")),
        Finding(
            "model",
            "warning",
            "localModel local:~/here.gguf: a key is missing",
            MISSING.format("localModel"),
        ),
    ]


@pytest.mark.parametrize("model", ["openai/well", "openai/x"])
def test_a_local_model_elsewhere_is_a_warning_whatever_it_lacks(model: str) -> None:
    config = Config(local_model=model, local_only_roots=(Path("/a"),))
    text = f"localModel {model} is not on this machine, so local-only sessions do not ask it"
    assert check_named(config) == [
        Finding("model", "warning", text, ELSEWHERE),
        WITHOUT,
    ]


def test_what_becomes_of_local_only_sessions_is_said() -> None:
    assert check_named(Config(local_only_roots=(Path("/a"),))) == [WITHOUT]


def test_a_path_that_counts_from_nowhere_inside_pi_is_said_and_not_used(tmp_path: Path) -> None:
    mine = write(tmp_path / "agent", '{"model": "batch:runs/a"}')
    (finding,) = check(tmp_path)
    expected = "expected the whole path, as in batch:/… or batch:~/…, got 'batch:runs/a'"
    assert finding.text == f"{mine} model: {expected}"
    assert load_session_config(tmp_path / "agent", "").model is None


def test_every_complaint_has_its_own_next_step(tmp_path: Path) -> None:
    write(tmp_path / "agent", '{"askTools": 1}')
    write(tmp_path / "project" / ".pi", '{"mode": "offline"}')
    (tmp_path / "agent" / "trust.json").write_text(f'{{"{tmp_path}": false}}', encoding="utf-8")
    assert [finding.mend for finding in check(tmp_path)] == [
        EXPECTED,
        "trust the project (/trust in pi), or remove its other keys",
    ]
