"""Settings that no number of tokens can be read from are named; parity stands in `parity/`."""

import json
import os
from pathlib import Path

import pytest

from longhaul.compaction.cut import CompactionSettings
from longhaul.errors import SettingsError
from longhaul.pi.settings import (
    global_file,
    load_compaction_settings,
    load_settings_file,
    project_file,
)
from longhaul.pi.trust import is_project_trusted
from longhaul.transcript.entries import JsonValue


def write(file: Path, compaction: JsonValue) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"compaction": compaction}))


def test_a_model_goes_before_the_project_and_the_project_before_the_user(tmp_path: Path) -> None:
    user: JsonValue = {"enabled": False, "reserveTokens": 1, "keepRecentTokens": 2}
    write(global_file(tmp_path), user)
    overrides: JsonValue = {"p/m": {"keepRecentTokens": 4}}
    write(project_file(tmp_path), {"keepRecentTokens": 3, "modelOverrides": overrides})
    assert [
        load_compaction_settings(tmp_path),
        load_compaction_settings(tmp_path, project_dir=tmp_path),
        load_compaction_settings(tmp_path, project_dir=tmp_path, model="p/m"),
    ] == [
        CompactionSettings(enabled=False, reserve_tokens=1, keep_recent_tokens=keep)
        for keep in (2, 3, 4)
    ]


def test_without_settings_the_defaults_hold(tmp_path: Path) -> None:
    assert load_compaction_settings(tmp_path) == CompactionSettings()


@pytest.mark.parametrize(
    ("compaction", "message"),
    [
        (
            {"keepRecentTokens": "5"},
            "keepRecentTokens: expected a whole number of 0 or more, got str",
        ),
        ({"reserveTokens": -1}, "reserveTokens: expected a whole number of 0 or more, got -1"),
        ({"reserveTokens": 1.5}, "reserveTokens: expected a whole number of 0 or more, got 1.5"),
        ({"modelOverrides": {"p/m": 5}}, "modelOverrides['p/m']: expected an object, got int"),
        (
            {"modelOverrides": {"p/m": {"reserveTokens": None}}},
            "modelOverrides[…].reserveTokens: expected a whole number of 0 or more, got null",
        ),
    ],
)
def test_a_setting_of_another_type_is_named(
    tmp_path: Path, compaction: JsonValue, message: str
) -> None:
    write(global_file(tmp_path), compaction)
    with pytest.raises(SettingsError) as raised:
        load_compaction_settings(tmp_path, model="p/m")
    assert str(raised.value) == f"settings.json compaction.{message}"


def test_settings_in_a_pipe_are_not_waited_for(tmp_path: Path) -> None:
    file = global_file(tmp_path)
    os.mkfifo(file)
    assert load_settings_file(file).fault == f"{file}: no plain file"


def test_decisions_on_trust_in_a_pipe_are_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "trust.json")
    with pytest.raises(SettingsError) as caught:
        is_project_trusted(tmp_path, tmp_path)
    assert str(caught.value) == f"{tmp_path}/trust.json: no plain file"
