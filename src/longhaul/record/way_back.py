"""The way back in a session's tree, as the user takes it with `/tree`."""

from collections.abc import Iterator

from longhaul.pi.process import PiProcess
from longhaul.transcript.entries import JsonValue

_GO_BACK = "/recording-go-back"
"""The command of `inside/recording.ts`."""


def go_back(pi: PiProcess, entry_id: str) -> bool:
    """Let pi go on from before the entry `entry_id`; returns whether it stands there now.

    Raises:
        PiError: pi has ended, or does not answer.
    """
    pi.request("prompt", message=f"{_GO_BACK} {entry_id}")
    data = pi.request("get_entries").get("data")
    target = next((one for one in _members(data, "entries") if one.get("id") == entry_id), None)
    return isinstance(data, dict) and target is not None and data["leafId"] == target["parentId"]


def user_entry_ids(pi: PiProcess) -> tuple[str, ...]:
    """Return the ids of all user messages of a session, on every branch, in the file's order.

    Raises:
        PiError: pi has ended, or does not answer.
    """
    messages = _members(pi.request("get_fork_messages").get("data"), "messages")
    return tuple(str(one.get("entryId")) for one in messages)


def _members(data: JsonValue, name: str) -> Iterator[dict[str, JsonValue]]:
    listed = data.get(name) if isinstance(data, dict) else None
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, dict):
            yield one
