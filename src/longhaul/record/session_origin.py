"""Where a session was recorded, by which models, and whether their answers are whole."""

from collections.abc import Collection, Iterator

from longhaul.record.session_lines import Line
from longhaul.record.session_wording import name_some, value_text
from longhaul.transcript.entries import JsonValue


def find_cwd(line: Line, name: str) -> str | None:
    """Return what is wrong with the folder that a header names, or None.

    Session `name` is recorded in `/work/<name>`.
    """
    record = line.record
    if record is None or record.get("type") != "session":
        return None
    cwd = record.get("cwd")
    if cwd == f"/work/{name}":
        return None
    named = name_some([value_text(cwd)])
    return (
        f"recorded in {named}, not /work/{name}; record it in the sandbox, or name the file after"
        " its project"
    )


def find_models(line: Line, labels: Collection[str]) -> str | None:
    """Return which models a line names that are not among `labels`, or None.

    A label is `provider/model-id`. Looked at are assistant messages, with the model that answered
    where that is another, changes of the model, and usage of one.
    """
    unexpected = [model for model in _models(line.record or {}) if model not in labels]
    if not unexpected:
        return None
    return (
        f"names {name_some(unexpected)}, not {name_some(labels)}; record it under a label, or"
        " name it with --model"
    )


def find_cut_answer(line: Line) -> str | None:
    """Return that an answer ended at the output limit, or None."""
    if _stop_reason(line) != "length":
        return None
    return "an answer cut at the output limit; record with a higher one, or review it"


def find_aborted_turn(line: Line) -> str | None:
    """Return that a turn was aborted or failed, or None."""
    reason = _stop_reason(line)
    if reason not in {"aborted", "error"}:
        return None
    what = "an aborted turn" if reason == "aborted" else "a turn that ended in an error"
    return f"{what}; record again, or review it"


def _models(record: dict[str, JsonValue]) -> Iterator[str]:
    answer = _assistant_message(record)
    if answer is not None:
        yield _label(answer, "model")
        if answer.get("responseModel") is not None:
            yield _label(answer, "responseModel")
    elif record.get("type") == "model_change":
        yield _label(record, "modelId")
    elif record.get("type") == "usage" and "model" in record:
        yield _label(record, "model")


def _stop_reason(line: Line) -> str | None:
    reason = (_assistant_message(line.record or {}) or {}).get("stopReason")
    return reason if isinstance(reason, str) else None


def _assistant_message(record: dict[str, JsonValue]) -> dict[str, JsonValue] | None:
    message = record.get("message")
    is_answer = isinstance(message, dict) and message.get("role") == "assistant"
    return message if isinstance(message, dict) and is_answer else None


def _label(named: dict[str, JsonValue], key: str) -> str:
    return f"{value_text(named.get('provider'))}/{value_text(named.get(key))}"
