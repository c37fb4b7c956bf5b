"""Settings are parsed once; what is wrong in them is named, and the rest holds."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longhaul.config import Config, load_config
from longhaul.config.files import parse_config_file
from longhaul.config.keys import KEYS, NAMES
from longhaul.config.load import apply_project_file, apply_user_file
from longhaul.transcript.entries import JsonValue
from tests.strategies import json_values

ALL = {
    "mode": "turns",
    "model": "anthropic/claude:high",
    "localModel": "local:/models/one two.gguf",
    "thinking": "xhigh",
    "offlineDeadlineSeconds": 5,
    "callDeadlineSeconds": 90.5,
    "budgetChars": 12_000,
    "askTools": ["ask", "question"],
    "localOnlyRoots": ["/secret", "~/x", "~", "work", "~other"],
}
HOME = Path("/home/me")


def own(tmp_path: Path, text: str | bytes) -> Path:
    """Write the user's own file and return its folder."""
    folder = tmp_path / "agent"
    folder.mkdir(exist_ok=True)
    (folder / "longhaul.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def project(tmp_path: Path, text: str) -> Path:
    """Write a project's file and return the project's folder."""
    folder = tmp_path / "project"
    (folder / ".pi").mkdir(parents=True)
    (folder / ".pi" / "longhaul.json").write_text(text, encoding="utf-8")
    return folder


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert load_config(tmp_path, tmp_path, trusted=True) == Config(
        mode="state",
        model=None,
        local_model=None,
        thinking=None,
        offline_deadline_s=20,
        call_deadline_s=120,
        budget_chars=10_000,
        ask_tools=("question", "questionnaire"),
        local_only_roots=(),
        roots_unknown=False,
        complaints=(),
    )


def test_every_key_sets_what_it_says(tmp_path: Path) -> None:
    assert set(ALL) == set(NAMES)
    assert load_config(own(tmp_path, json.dumps(ALL)), home=HOME) == Config(
        mode="turns",
        model="anthropic/claude:high",
        local_model="local:/models/one two.gguf",
        thinking="xhigh",
        offline_deadline_s=5,
        call_deadline_s=90.5,
        budget_chars=12_000,
        ask_tools=("question", "questionnaire", "ask"),
        local_only_roots=tuple(
            map(Path, ("/secret", "/home/me/x", "/home/me", "/home/me/work", "/home/me/~other"))
        ),
    )


def test_null_sets_nothing(tmp_path: Path) -> None:
    assert load_config(own(tmp_path, json.dumps(dict.fromkeys(NAMES)))) == Config()


MODEL = "expected provider/model-id[:thinking], local:… or batch:…"
BATCH = "expected the whole path, as in batch:/… or batch:~/…"
LOCAL = "expected the whole path, as in local:/… or local:~/…"
DEADLINE = "expected a number from 1 to 600"
BUDGET = "expected a whole number from 4,000 to 100,000"


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("mode", '"fast"', "expected one of offline, state, turns, got 'fast'"),
        ("mode", "1", "expected one of offline, state, turns, got 1"),
        ("mode", '"warm"', "'warm' is not offered; expected one of offline, state, turns"),
        ("model", '"opus"', f"{MODEL}, got 'opus'"),
        ("model", '"a/b c"', f"{MODEL}, got 'a/b c'"),
        ("model", '"/b"', f"{MODEL}, got '/b'"),
        ("model", '"local:"', f"{MODEL}, got 'local:'"),
        ("model", '"\\u001b[2Ja/b"', rf"{MODEL}, got '\x1b[2Ja/b'"),
        ("model", f'"{"x" * 70}"', f"{MODEL}, got '{'x' * 60}…'"),
        ("model", '"batch:runs/a"', f"{BATCH}, got 'batch:runs/a'"),
        ("model", '"batch:./a?wait=5"', f"{BATCH}, got 'batch:./a?wait=5'"),
        ("localModel", '"local:m.gguf"', f"{LOCAL}, got 'local:m.gguf'"),
        ("localModel", '"local:smollm2/m.gguf"', f"{LOCAL}, got 'local:smollm2/m.gguf'"),
        ("localModel", "true", f"{MODEL}, got bool"),
        (
            "thinking",
            '"none"',
            "expected one of off, minimal, low, medium, high, xhigh, max, got 'none'",
        ),
        ("offlineDeadlineSeconds", "0", f"{DEADLINE}, got 0"),
        ("offlineDeadlineSeconds", '"20"', f"{DEADLINE}, got '20'"),
        ("callDeadlineSeconds", "600.5", f"{DEADLINE}, got 600.5"),
        ("callDeadlineSeconds", "true", f"{DEADLINE}, got bool"),
        ("callDeadlineSeconds", "1e999", f"{DEADLINE}, got inf"),
        ("budgetChars", "3999", f"{BUDGET}, got 3999"),
        ("budgetChars", "4000.5", f"{BUDGET}, got 4000.5"),
        ("budgetChars", "{}", f"{BUDGET}, got dict"),
        ("askTools", '"ask"', "expected a list of names, got 'ask'"),
        ("askTools", '["ask", 1]', "expected a list of names, got int in it"),
    ],
)
def test_a_wrong_value_is_named_and_leaves_the_default(
    tmp_path: Path, key: str, value: str, complaint: str
) -> None:
    folder = own(tmp_path, f'{{"{key}": {value}}}')
    expected = Config(complaints=(f"{folder}/longhaul.json {key}: {complaint}",))
    assert load_config(folder) == expected


@pytest.mark.parametrize(
    ("key", "complaint"),
    [
        ("askTool", "no setting is called 'askTool'; did you mean askTools?"),
        ("later\u202e", rf"no setting is called 'later\u202e'; there are {', '.join(NAMES)}"),
    ],
)
def test_an_unknown_key_is_named(tmp_path: Path, key: str, complaint: str) -> None:
    folder = own(tmp_path, json.dumps({key: 1, "mode": "offline"}))
    expected = Config(mode="offline", complaints=(f"{folder}/longhaul.json: {complaint}",))
    assert load_config(folder) == expected


@pytest.mark.parametrize("model", ["batch:/a?wait=5", "batch:~/a", "local:/m", "local:smollm2"])
def test_a_model_in_files_is_named_wherever_the_name_holds(tmp_path: Path, model: str) -> None:
    assert load_config(own(tmp_path, json.dumps({"model": model}))) == Config(model=model)


UNCLEAR = "; until it is mended, sessions are local only"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", " is not JSON (Expecting property name enclosed in double quotes: line 1 column 2"),
        ("", " is not JSON (Expecting value"),
        ("\ufeff{}", " is not JSON (Unexpected UTF-8 BOM"),
        ('{"later": NaN}', " is not JSON (NaN is not JSON)"),
        (b'{"localOnlyRoots": ["/m\xfcller"]}', " is not JSON ('utf-8' codec can't decode"),
        ("[" * 100_000, " is not JSON ("),
        (
            '{"localOnlyRoots": ["/a"], "localOnlyRoots": []}',
            " is not JSON (the key 'localOnlyRoots' stands in it twice)",
        ),
        (" " * 1_100_000 + "{}", " cannot be read (larger than 1,048,576 bytes)"),
        ("[]", " is not as expected: an object, not list"),
        ('{"localOnlyRoots": "/a"}', " localOnlyRoots: expected a list of folders, got '/a'"),
        (
            '{"localOnlyRoots": ["/a", 1]}',
            " localOnlyRoots: expected a list of folders, got int in it",
        ),
    ],
)
def test_a_file_that_may_name_any_folder_protects_all(
    tmp_path: Path, text: str | bytes, fault: str
) -> None:
    folder = own(tmp_path, text)
    config = load_config(folder)
    (complaint,) = config.complaints
    assert complaint.startswith(f"{folder}/longhaul.json{fault}")
    assert complaint.endswith(UNCLEAR)
    assert replace(config, complaints=()) == Config(
        local_only_roots=(Path("/"),), roots_unknown=True
    )


def test_a_file_that_cannot_be_read_protects_all(tmp_path: Path) -> None:
    (tmp_path / "longhaul.json").mkdir()
    assert load_config(tmp_path) == Config(
        local_only_roots=(Path("/"),),
        roots_unknown=True,
        complaints=(f"{tmp_path}/longhaul.json cannot be read (Is a directory){UNCLEAR}",),
    )


def make_device_link(file: Path) -> None:
    file.symlink_to("/dev/zero")


@pytest.mark.parametrize("make", [os.mkfifo, make_device_link])
def test_what_is_no_plain_file_is_neither_waited_for_nor_read(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    project = tmp_path / "project"
    (project / ".pi").mkdir(parents=True)
    file = project / ".pi" / "longhaul.json"
    make(file)
    config = load_config(tmp_path, project)
    assert config.complaints == (f"{file} cannot be read (no plain file){UNCLEAR}",)
    assert config.roots_unknown


def test_of_very_many_unknown_keys_the_first_are_named(tmp_path: Path) -> None:
    folder = own(tmp_path, json.dumps({f"x{number:03}": 1 for number in range(200)}))
    complaints = load_config(folder).complaints
    assert len(complaints) == 11
    assert complaints[-1] == f"{folder}/longhaul.json: 190 more keys that are no settings"


def test_damaged_roots_leave_the_other_keys(tmp_path: Path) -> None:
    config = load_config(own(tmp_path, '{"localOnlyRoots": 1, "mode": "offline"}'))
    assert (config.mode, config.roots_unknown) == ("offline", True)


TIGHTER = {
    "mode": "offline",
    "offlineDeadlineSeconds": 4,
    "callDeadlineSeconds": 60,
    "budgetChars": 5_000,
    "localOnlyRoots": ["data", "/secret"],
}


def test_a_trusted_project_can_tighten(tmp_path: Path) -> None:
    folder = project(tmp_path, json.dumps(TIGHTER))
    agent_dir = own(tmp_path, json.dumps(ALL))
    mine = load_config(agent_dir, home=HOME)
    assert load_config(agent_dir, folder, trusted=True, home=HOME) == replace(
        mine,
        mode="offline",
        offline_deadline_s=4,
        call_deadline_s=60,
        budget_chars=5_000,
        local_only_roots=(*mine.local_only_roots, folder / "data"),
    )


IGNORED = "ignored: a project can only tighten what your own settings say"
NEVER = "ignored: only your own settings say it, never a project's"


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("mode", "turns", f"{IGNORED}, which is state"),
        ("offlineDeadlineSeconds", 21, f"{IGNORED}, which is 20"),
        ("callDeadlineSeconds", 121, f"{IGNORED}, which is 120"),
        ("budgetChars", 10_001, f"{IGNORED}, which is 10,000"),
        ("model", "local:/x", NEVER),
        ("localModel", "local:/x", NEVER),
        ("thinking", "off", NEVER),
        ("askTools", ["bash"], NEVER),
        ("mode", "warm", "'warm' is not offered; expected one of offline, state, turns"),
    ],
)
def test_a_trusted_project_cannot_loosen(
    tmp_path: Path, key: str, value: object, complaint: str
) -> None:
    folder = project(tmp_path, json.dumps({key: value}))
    assert load_config(tmp_path, folder, trusted=True) == Config(
        complaints=(f"{folder}/.pi/longhaul.json {key}: {complaint}",)
    )


def test_a_project_that_says_the_same_is_not_complained_about(tmp_path: Path) -> None:
    agent_dir = own(tmp_path, json.dumps(ALL))
    folder = project(tmp_path, json.dumps({**ALL, "localOnlyRoots": ["/secret"]}))
    mine = load_config(agent_dir)
    assert load_config(agent_dir, folder, trusted=True) == mine


def test_a_project_that_is_not_trusted_can_only_protect(tmp_path: Path) -> None:
    folder = project(tmp_path, json.dumps({**TIGHTER, "unheardOf": 1}))
    only = "only localOnlyRoots counts in it until you trust the project (/trust in pi)"
    assert load_config(tmp_path, folder) == Config(
        local_only_roots=(folder / "data", Path("/secret")),
        complaints=(f"{folder}/.pi/longhaul.json: {only}",),
    )


@pytest.mark.parametrize("trusted", [True, False])
def test_a_project_whose_file_is_damaged_is_local_only(tmp_path: Path, *, trusted: bool) -> None:
    folder = project(tmp_path, "{")
    config = load_config(tmp_path, folder, trusted=trusted)
    assert (config.local_only_roots, config.roots_unknown) == ((Path("/"),), True)


def test_the_project_adds_to_roots_that_cannot_be_told(tmp_path: Path) -> None:
    folder = project(tmp_path, '{"localOnlyRoots": ["."]}')
    config = load_config(own(tmp_path, "{"), folder)
    assert config.local_only_roots == (Path("/"), folder)


def test_a_file_in_a_folder_of_any_name_is_complained_about_on_one_line(tmp_path: Path) -> None:
    folder = project(tmp_path / "a\x1b[2J\nb", "{")
    (complaint,) = load_config(tmp_path, folder).complaints
    assert complaint.isprintable()
    assert complaint.startswith(f"{tmp_path}/a b/project/.pi/longhaul.json is not JSON (")


LIKELY: dict[str, st.SearchStrategy[JsonValue]] = {
    "mode": st.sampled_from(["offline", "state", "turns", "warm"]),
    "model": st.sampled_from(["openai/x", "local:/x.gguf", "x"]),
    "localModel": st.sampled_from(["openai/x", "local:/x.gguf", "x"]),
    "thinking": st.sampled_from(["off", "max", "none"]),
    "offlineDeadlineSeconds": st.sampled_from([0, 1, 20, 20.5, 600]),
    "callDeadlineSeconds": st.sampled_from([0, 1, 120, 120.5, 600]),
    "budgetChars": st.sampled_from([0, 4_000, 10_000, 10_000.5, 12_000]),
    "askTools": st.just(["ask"]),
    "localOnlyRoots": st.sampled_from([["/a"], ["b"], ["~"], [], "/a", [1]]),
}
RECORDS = st.fixed_dictionaries(
    {},
    optional={
        **{name: likely | json_values for name, likely in LIKELY.items()},
        "unheardOf": json_values,
    },
)
FILE = Path("/f")


def with_own(text: str) -> Config:
    own_file = parse_config_file(text.encode(), file=FILE, base=HOME)
    return apply_user_file(own_file, home=HOME)


def with_project(config: Config, text: str, *, trusted: bool) -> Config:
    file = parse_config_file(text.encode(), file=FILE, base=Path("/project"))
    return apply_project_file(config, file, trusted=trusted, home=HOME)


@given(mine=RECORDS, theirs=RECORDS, trusted=st.booleans())
def test_whatever_a_project_says_nothing_is_loosened(
    *, mine: dict[str, JsonValue], theirs: dict[str, JsonValue], trusted: bool
) -> None:
    before = with_own(json.dumps(mine))
    after = with_project(before, json.dumps(theirs), trusted=trusted)
    assert all(key.measure(after) <= key.measure(before) for key in KEYS if key.measure)
    assert (after.model, after.local_model, after.thinking, after.ask_tools) == (
        before.model,
        before.local_model,
        before.thinking,
        before.ask_tools,
    )
    assert after.roots_unknown or set(before.local_only_roots) <= set(after.local_only_roots)
    assert after.roots_unknown >= before.roots_unknown
    assert after.complaints[: len(before.complaints)] == before.complaints


@given(mine=RECORDS, theirs=RECORDS)
def test_a_project_changes_nothing_the_second_time(
    mine: dict[str, JsonValue], theirs: dict[str, JsonValue]
) -> None:
    once = with_project(with_own(json.dumps(mine)), json.dumps(theirs), trusted=True)
    twice = with_project(once, json.dumps(theirs), trusted=True)
    assert replace(twice, complaints=once.complaints) == once


@given(text=st.text() | RECORDS.map(json.dumps), trusted=st.booleans())
def test_any_file_gives_settings_and_complaints_of_one_line(*, text: str, trusted: bool) -> None:
    config = with_project(Config(), text, trusted=trusted)
    assert all(line.isprintable() for line in config.complaints)
    assert config.roots_unknown == (config.local_only_roots == (Path("/"),))
