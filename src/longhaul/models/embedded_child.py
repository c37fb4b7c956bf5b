"""The process that runs a GGUF model: one job on stdin, one answer on stdout.

Started by its file in an isolated interpreter, so it imports nothing of Longhaul. A job is a line
of JSON with `model`, `messages`, `schema` and `max_tokens`; the answer has the reply's `text`,
`finish`, `tokens_in`, `tokens_out` and `tokens_cached`, or an `error` in words.
"""

import json
import os
import secrets
import shlex
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any, BinaryIO

_PROBE_TOKENS = 256
"""The smallest context that the runtime makes; it refuses longer requests with their length."""
_MARGIN_TOKENS = 16
_BATCH_TOKENS = 512
_SAMPLE_S = 0.2
"""How long to look at what the cores do."""


def main() -> None:
    """Do the job that the first line of stdin holds; end as soon as stdin is closed."""
    # Ctrl-C reaches every process of a terminal. Here it would begin an end that waits for the
    # runtime's threads for good; the parent ends of it, and this process with its parent.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    job = json.loads(sys.stdin.buffer.readline())
    answers = _take_stdout()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    exit_code = 1
    try:
        answers.write(json.dumps(run(job)).encode("ascii"))
        answers.flush()
        exit_code = 0
    finally:
        os._exit(exit_code)  # what the runtime still holds need not be put away


def run(job: dict[str, Any]) -> dict[str, Any]:
    """Return the answer to `job`."""
    try:
        import xllamacpp  # noqa: PLC0415 - so that its absence is an answer
    except ImportError as error:
        install = f"{shlex.quote(sys.executable)} -m pip install 'pi-longhaul[local]'"
        return {"error": f"the runtime does not start ({error}); {install}"}
    try:
        return _run(xllamacpp, job)
    except RuntimeError as error:
        return {"error": f"the runtime cannot use this file, or this schema: {error}"}


def _run(runtime: Any, job: dict[str, Any]) -> dict[str, Any]:
    body = {
        "messages": job["messages"],
        "temperature": 0,
        "chat_template_kwargs": {"enable_thinking": False},
    }
    n_prompt = _count_prompt(runtime, job["model"], body)
    if isinstance(n_prompt, str):
        return {"error": n_prompt}
    body["max_tokens"] = job["max_tokens"]
    if job["schema"]:
        # By this path alone the output is compact: as a response format, weak models run away in
        # blanks between the tokens of their JSON.
        compact = {**job["schema"], "x-guidance": {"whitespace_flexible": False}}
        body["grammar"] = runtime.json_schema_to_grammar(json.dumps(compact))
    n_ctx = n_prompt + job["max_tokens"] + _MARGIN_TOKENS
    server = _load(runtime, job["model"], n_ctx, _n_idle_cores())
    return _answer(server.handle_chat_completions(body))


def _answer(reply: dict[str, Any]) -> dict[str, Any]:
    if "error" in reply:
        return {"error": _refusal(reply["error"])}
    choice, usage = reply["choices"][0], reply["usage"]
    return {
        "text": choice["message"].get("content") or "",
        "finish": choice["finish_reason"],
        "tokens_in": usage["prompt_tokens"],
        "tokens_out": usage["completion_tokens"],
        "tokens_cached": usage.get("prompt_tokens_details", {}).get("cached_tokens"),
    }


def _count_prompt(runtime: Any, model: str, body: dict[str, Any]) -> int | str:
    """Return the tokens of the request by the model's own template, or why there is no number."""
    reply = _load(runtime, model, _PROBE_TOKENS).handle_chat_completions({**body, "max_tokens": 1})
    if "error" not in reply:
        return int(reply["usage"]["prompt_tokens"])
    n_prompt = reply["error"].get("n_prompt_tokens")
    return n_prompt if isinstance(n_prompt, int) else _refusal(reply["error"])


def _load(runtime: Any, model: str, n_ctx: int, n_threads: int = 1) -> Any:
    """Return the loaded model; where `n_ctx` is more than it was trained for, that is what it gets.

    The runtime always listens on a port as well; a key that nobody knows keeps others out.
    """
    params = runtime.CommonParams()
    params.model.path = model
    params.n_ctx, params.n_parallel = n_ctx, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = n_threads
    params.n_batch = params.n_ubatch = _BATCH_TOKENS
    params.cache_ram_mib, params.verbosity, params.warmup = 0, 0, False
    params.hostnames, params.api_keys = ["127.0.0.1"], [secrets.token_hex()]
    params.offline = True
    return runtime.Server(params)


def _refusal(error: dict[str, Any]) -> str:
    n_prompt, n_ctx = error.get("n_prompt_tokens"), error.get("n_ctx")
    if n_prompt and n_ctx:
        return (
            f"the request has {n_prompt:,} tokens and the model's window {n_ctx:,};"
            " name one with a larger window"
        )
    return f"the runtime refused the request: {error.get('message')}"


def _n_idle_cores() -> int:
    """Return how many cores have nothing to do at the moment, at least one.

    The threads of the runtime wait for each other at every step, so that one that shares its core
    holds up all: on a busy machine, fewer of them are several times as fast.
    """
    has_affinity = hasattr(os, "sched_getaffinity")
    n_cores = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1
    before = _idle_s()
    time.sleep(_SAMPLE_S)
    after = _idle_s()
    if before is None or after is None:
        return n_cores
    return max(1, min(n_cores, round((after - before) / _SAMPLE_S)))


def _idle_s() -> float | None:
    """Return the seconds that all cores together have been idle; None where no system tells."""
    try:
        fields = Path("/proc/stat").read_text(encoding="ascii").split(maxsplit=5)
    except OSError:
        return None
    return int(fields[4]) / os.sysconf("SC_CLK_TCK")


def _take_stdout() -> BinaryIO:
    """Return stdout as it was started with; what the runtime prints goes to stderr from now on."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    main()
