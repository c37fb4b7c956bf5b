"""What `longhaul doctor` says of Longhaul's own settings and of the models they name."""

from collections.abc import Callable, Iterator
from pathlib import Path

from longhaul.config import FILE_NAME, Config
from longhaul.config.load import ALL_LOCAL_ONLY, IGNORED, UNKNOWN, UNTRUSTED
from longhaul.errors import ModelError
from longhaul.pi.finding import Finding, Level
from longhaul.pi.model_choice import NoModel, choose_model

_MENDS = (
    (ALL_LOCAL_ONLY, "correct that file; until then no model elsewhere is asked"),
    (UNTRUSTED, "trust the project (/trust in pi), or remove its other keys"),
    (IGNORED, "remove that key from the project's file"),
    (UNKNOWN, "rename that key, or remove it"),
    ("more keys that are no settings", "remove them"),
    ("expected", "write there what is expected, or remove that key: then its default holds"),
)
"""What is to be done about a complaint that holds these words; the first of them counts."""


def check_config(config: Config, agent_dir: Path, project_dir: Path) -> Iterator[Finding]:
    """Yield what is wrong with the user's and the project's `longhaul.json`, or what holds.

    `config` is what `load_session_config` makes of the two; nothing is said where neither is there.
    """
    for complaint in config.complaints:
        level: Level = "error" if complaint.endswith(ALL_LOCAL_ONLY) else "warning"
        yield Finding(FILE_NAME, level, complaint, _mend(complaint))
    files = (agent_dir / FILE_NAME, project_dir / ".pi" / FILE_NAME)
    there = [str(file) for file in files if file.exists()]
    if there and not config.complaints:
        yield Finding(FILE_NAME, "ok", f"mode {config.mode}; read from {' and '.join(there)}")


def check_models(
    config: Config,
    *,
    open_model: Callable[[str], object],
    is_on_this_machine: Callable[[str], bool],
) -> Iterator[Finding]:
    """Yield what keeps the models that the settings name from being asked; none is asked.

    `open_model` raises ModelError where a model's name, extra, key, address or file is amiss;
    `is_on_this_machine` says whether it stays here. Nothing is looked at in mode `offline`.
    """
    if config.mode == "offline":
        return
    if config.model is not None:
        yield _check_model("model", config.model, open_model)
    if config.local_model is not None:
        yield _check_local_model(config.local_model, open_model, is_on_this_machine)
    if config.local_only_roots and not config.roots_unknown:
        yield from _check_local_only(config, is_on_this_machine)


def _check_model(key: str, spec: str, open_model: Callable[[str], object]) -> Finding:
    try:
        open_model(spec)
    except ModelError as error:
        mend = (
            f"do that where pi is started, or change {key} in {FILE_NAME};"
            " until then compactions are made without a model"
        )
        return Finding("model", "warning", f"{key} {spec}: {error}", mend)
    return Finding("model", "ok", f"{key} {spec} has what it needs")


def _check_local_model(
    spec: str, open_model: Callable[[str], object], is_on_this_machine: Callable[[str], bool]
) -> Finding:
    """Return whether it is on this machine; what it lacks matters only if it is."""
    if not is_on_this_machine(spec):
        text = f"localModel {spec} is not on this machine, so local-only sessions do not ask it"
        mend = (
            "name one that is (local:FILE.gguf, or a server at an address here),"
            f" or remove localModel from {FILE_NAME}"
        )
        return Finding("model", "warning", text, mend)
    finding = _check_model("localModel", spec, open_model)
    if finding.level != "ok":
        return finding
    return Finding("model", "ok", f"localModel {spec} is on this machine")


def _mend(complaint: str) -> str:
    known = (mend for words, mend in _MENDS if words in complaint)
    return next(known, "correct what it names")


def _check_local_only(
    config: Config, is_on_this_machine: Callable[[str], bool]
) -> Iterator[Finding]:
    """Yield what becomes of local-only sessions where pi's own model is elsewhere."""
    choice = choose_model(
        config, local_only=True, session_model_is_local=False, is_on_this_machine=is_on_this_machine
    )
    if isinstance(choice, NoModel):
        text = (
            "local-only sessions are compacted without a model, unless pi's own is on this machine"
        )
        yield Finding("local only", "ok", text)
