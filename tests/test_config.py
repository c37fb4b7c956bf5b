"""The user's settings are parsed once; what is wrong in them is named."""

from pathlib import Path

import pytest

from longhaul.config import Config, load_config, parse_config
from longhaul.errors import SettingsError


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert load_config(tmp_path) == Config(ask_tools=("question", "questionnaire"))


def test_the_file_adds_ask_tools(tmp_path: Path) -> None:
    text = '{"askTools": ["ask", "question"], "localOnlyRoots": ["~/x"], "later": 1}'
    (tmp_path / "longhaul.json").write_text(text, encoding="utf-8")
    config = load_config(tmp_path)
    assert config.ask_tools == ("question", "questionnaire", "ask")
    assert (config.local_only_roots, config.unknown_keys) == (("~/x",), ("later",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "f is not JSON: Expecting property name"),
        ("[]", "f: expected an object"),
        ('{"askTools": "ask"}', "f askTools: expected a list of tool names"),
        ('{"askTools": [1]}', "f askTools: expected a list of tool names"),
        ('{"localOnlyRoots": "/a"}', "f localOnlyRoots: expected a list of folders"),
        ('{"localOnlyRoots": ["a"]}', "f localOnlyRoots: 'a' is no absolute path"),
    ],
)
def test_what_is_wrong_is_named(text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        parse_config(text, where="f")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "longhaul.json").mkdir()
    with pytest.raises(SettingsError, match=r"longhaul\.json cannot be read"):
        load_config(tmp_path)
