"""A server that only asks the session's model, and keeps in `details` what came of it.

`asking_server.py DEADLINE_S [THINKING]`: everything but what it asks is the real server's.
"""

import dataclasses
import sys

from longhaul.compaction.completion import THINKING_LEVELS, CompletionRequest, PromptMessage
from longhaul.errors import ModelError
from longhaul.pi.calls import Calls
from longhaul.pi.completions import PiModel
from longhaul.pi.protocol import Params, Request
from longhaul.pi.serve import Answer, serve
from longhaul.pi.usage import sum_usage
from longhaul.transcript.entries import JsonValue
from longhaul.transcript.shapes import find_literal

SCHEMA: dict[str, JsonValue] = {"type": "object", "properties": {"a": {"type": "number"}}}
NAMES = ("sessionId", "leafId", "firstKeptEntryId", "tokensBefore")


def build_request(thinking: str) -> CompletionRequest:
    messages = (
        PromptMessage("system", "You read."),
        PromptMessage("user", "One?"),
        PromptMessage("assistant", "Two."),
        PromptMessage("user", "Three?"),
    )
    level = find_literal(thinking, THINKING_LEVELS)
    return CompletionRequest(messages=messages, schema=SCHEMA, thinking=level, max_output_tokens=99)


def load(calls: Calls) -> Answer:
    deadline_s, thinking = float(sys.argv[1]), (sys.argv[2:] or [""])[0]

    def answer(request: Request) -> Params:
        model = PiModel(calls, deadline_s=deadline_s, allowance_s=20)
        reply: dict[str, JsonValue]
        try:
            reply = {**dataclasses.asdict(model.complete(build_request(thinking))), "seconds": 0}
        except ModelError as error:
            reply = {"failure": str(error)}
        usage = sum_usage(model.usages)
        asked = {name: request.params[name] for name in NAMES}
        said: Params = {"summary": "A state.", "details": {"reply": reply}, "notice": "asked"}
        return {**asked, **said, **({"usage": usage} if usage else {})}

    return answer


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer, load)
