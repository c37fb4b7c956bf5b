"""A request, and a folder of `batch:` with it in."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from longhaul.compaction.completion import CompletionRequest, PromptMessage
from longhaul.models.batch_files import reply_file, request_file
from longhaul.models.batch_records import dump_request

REQUEST = CompletionRequest(
    messages=(PromptMessage("system", "Answer in JSON."), PromptMessage("user", "Größe?\n\ud800")),
    schema={"type": "object", "properties": {"b": {}, "a": {}}},
    thinking="low",
    max_output_tokens=100,
)


def write_reply(folder: Path, value: object, *, request: CompletionRequest = REQUEST) -> Path:
    """Write `value` as JSON where the reply to `request` is looked for; return the file."""
    path = reply_file(request_file(folder, request))
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def folder_with_two_requests(tmp_path: Path) -> Path:
    """Return a folder in which one request waits and another was answered."""
    answered = CompletionRequest(messages=(), schema={}, repeat=2)
    write_reply(tmp_path, {"text": "x"}, request=answered)
    for request in (REQUEST, answered):
        path = request_file(tmp_path, request)
        path.write_text(json.dumps(dump_request(request)), encoding="ascii")
    return tmp_path


@contextmanager
def answering(folder: Path, answer: Callable[[dict[str, Any]], str]) -> Iterator[str]:
    """Answer what comes into a batch folder while the block is open; yields the model's name."""
    folder.mkdir()
    is_over = threading.Event()

    def work() -> None:
        while not is_over.wait(0.05):
            for request in folder.glob("*.request.json"):
                reply = request.with_name(request.name.replace(".request.", ".reply."))
                if not reply.exists():
                    text = answer(json.loads(request.read_text(encoding="utf-8")))
                    half = reply.with_suffix(".half")
                    half.write_text(json.dumps({"text": text}), encoding="utf-8")
                    half.replace(reply)

    worker = threading.Thread(target=work)
    worker.start()
    try:
        yield f"batch:{folder}?wait=30"
    finally:
        is_over.set()
        worker.join()
