"""Compaction settings and trust come out as in the pinned pi, for files of any content."""

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from longhaul.errors import SettingsError
from longhaul.pi.settings import (
    SettingsFile,
    global_file,
    load_compaction_settings,
    load_settings_file,
    project_file,
)
from longhaul.pi.trust import GATED, is_project_trusted
from longhaul.transcript.entries import JsonValue
from tests.pi.parity.oracle import Oracle, PiError

MODEL = "openai/gpt-x"

values: st.SearchStrategy[JsonValue] = st.sampled_from(
    (0, 1000, 2000.0, 1.5, -1, 2**53, None, "5", True, False, [], {}, "", 1e400)
)
tokens = st.one_of(st.sampled_from((0, 1000, 5_000.0)), st.sampled_from((0, 1000)), values)
numbers = st.dictionaries(st.sampled_from(("reserveTokens", "keepRecentTokens")), tokens)
overrides = st.dictionaries(
    st.sampled_from((MODEL, "other/m")), st.one_of(numbers, numbers, values)
)
compaction = st.fixed_dictionaries(
    {},
    optional={
        "enabled": values,
        "reserveTokens": tokens,
        "keepRecentTokens": tokens,
        "modelOverrides": st.one_of(overrides, overrides, values),
    },
)
written = st.fixed_dictionaries(
    {},
    optional={
        "compaction": st.one_of(compaction, compaction, values),
        "defaultProjectTrust": st.sampled_from(("always", "never", "ask", 1)),
    },
)
files = st.one_of(
    written.map(lambda made: json.dumps(made).encode()),
    written.map(lambda made: b"\xef\xbb\xbf" + json.dumps(made).encode()),
    st.sampled_from((None, b"", b" ", b"{", b"[]", b"null", b"5", b'"x"', b'{"compaction": NaN}')),
)

sent = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@sent
@given(user=files, project=files, trusted=st.booleans(), model=st.sampled_from((MODEL, None)))
def test_settings_are_resolved_as_by_pi(
    oracle: Oracle,
    tmp_path: Path,
    user: bytes | None,
    project: bytes | None,
    *,
    trusted: bool,
    model: str | None,
) -> None:
    agent_dir, cwd = lay_out(tmp_path, user, project)
    try:
        ours = load_compaction_settings(
            agent_dir, project_dir=cwd if trusted else None, model=model
        )
    except SettingsError:
        with pytest.raises(PiError, match="Invalid compaction"):
            ask_settings(oracle, agent_dir, cwd, model, trusted=trusted)
        return
    theirs = ask_settings(oracle, agent_dir, cwd, model, trusted=trusted)
    assert isinstance(theirs, dict)
    errors = theirs.pop("errors")
    assert isinstance(errors, list)
    files = {"global": global_file(agent_dir), "project": project_file(cwd)}
    assert all(load_settings_file(files[str(scope)]).fault for scope in errors)
    assert theirs == {
        "enabled": ours.enabled,
        "reserveTokens": ours.reserve_tokens,
        "keepRecentTokens": ours.keep_recent_tokens,
    }


@settings(sent, max_examples=100)
@given(
    user=files,
    decided=st.one_of(
        st.dictionaries(
            st.sampled_from(("project", "", "other", "project/..", "other/../project", ".")),
            st.sampled_from((True, False, None)),
        ),
        st.dictionaries(st.just("project"), values),
    ),
    damaged=st.sampled_from((None, None, None, b"", b"[]", b"{")),
    brings=st.sampled_from(
        (*GATED, *GATED, "longhaul.json", "../.agents/skills", "../../.agents/skills/x", ".agents")
    ),
)
def test_a_project_is_trusted_as_by_pi_without_a_terminal(
    oracle: Oracle,
    tmp_path: Path,
    user: bytes | None,
    decided: dict[str, JsonValue],
    damaged: bytes | None,
    brings: str,
) -> None:
    for folder in ("project", ".agents"):
        shutil.rmtree(tmp_path / folder, ignore_errors=True)
    agent_dir, cwd = lay_out(tmp_path, user, None)
    shutil.rmtree(cwd / ".pi")
    (cwd / ".pi" / brings).mkdir(parents=True)
    named = {str(tmp_path / place): decision for place, decision in decided.items()}
    (agent_dir / "trust.json").write_bytes(
        json.dumps(named).encode() if damaged is None else damaged
    )
    request = {"cwd": str(cwd), "agentDir": str(agent_dir)}
    try:
        ours = is_project_trusted(cwd, agent_dir)
    except SettingsError:
        with pytest.raises(PiError, match="trust store"):
            oracle.ask("trust", **request)
        return
    assert ours == oracle.ask("trust", **request)


def test_a_settings_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    assert load_settings_file(tmp_path) == SettingsFile(
        file=tmp_path, settings={}, fault=f"{tmp_path}: Is a directory"
    )


def test_decisions_that_cannot_be_read_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "trust.json").mkdir()
    with pytest.raises(SettingsError, match=r"trust\.json: Is a directory"):
        is_project_trusted(tmp_path, tmp_path)


def test_without_decisions_a_project_is_trusted_only_where_pi_asks_for_nothing(
    tmp_path: Path,
) -> None:
    assert is_project_trusted(tmp_path, tmp_path)
    (tmp_path / ".pi" / "settings.json").mkdir(parents=True)
    assert not is_project_trusted(tmp_path, tmp_path)


def test_the_users_own_skills_are_nothing_that_a_project_brings(tmp_path: Path) -> None:
    (tmp_path / ".agents" / "skills").mkdir(parents=True)
    assert is_project_trusted(tmp_path / "project", tmp_path, home=tmp_path)
    assert not is_project_trusted(tmp_path / "project", tmp_path, home=tmp_path / "project")


def lay_out(folder: Path, user: bytes | None, project: bytes | None) -> tuple[Path, Path]:
    """Write the two settings files, None for no file; return the agent's and project's folder."""
    agent_dir, cwd = folder / "agent", folder / "project"
    for file, content in ((global_file(agent_dir), user), (project_file(cwd), project)):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        if content is not None:
            file.write_bytes(content)
    return agent_dir, cwd


def ask_settings(
    oracle: Oracle, agent_dir: Path, cwd: Path, model: str | None, *, trusted: bool
) -> JsonValue:
    named = None
    if model is not None:
        provider, _, model_id = model.partition("/")
        named = {"provider": provider, "id": model_id}
    request = {"agentDir": str(agent_dir), "cwd": str(cwd), "model": named, "trusted": trusted}
    return oracle.ask("settings", **request)
