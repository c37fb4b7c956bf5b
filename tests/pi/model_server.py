"""A GGUF model behind the runtime's own HTTP server on loopback, in a process of its own.

Run by its file, this module is that process: `model_server.py MODEL N_CTX` prints the address once
the model is loaded, and ends when its input does.
"""

import os
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Self

BATCH_TOKENS = 512


class ModelServer:
    """Answers OpenAI's chat API with one model while its `with` block is open."""

    def __init__(self, model: Path, *, window_tokens: int) -> None:
        self._command = (sys.executable, "-I", __file__, str(model), str(window_tokens))
        self.window_tokens = window_tokens
        self.origin = ""
        """`http://127.0.0.1:PORT`, once the model is loaded."""

    def __enter__(self) -> Self:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            self._command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, cwd="/", text=True
        )
        assert self._process.stdout
        self.origin = self._process.stdout.readline().strip()
        assert self.origin, "the runtime ended without serving the model"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate()


def load(runtime: Any, model: str, window_tokens: int) -> Any:
    """Return the runtime's server with the model loaded; it listens on a port of its choice."""
    params = runtime.CommonParams()
    params.model.path, params.model_alias = model, {Path(model).name}
    params.n_ctx, params.n_parallel = window_tokens, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = n_free_cores()
    params.n_batch = params.n_ubatch = BATCH_TOKENS
    params.cache_ram_mib, params.verbosity, params.warmup = 0, 0, False
    params.hostnames, params.offline = ["127.0.0.1"], True
    return runtime.Server(params)


def n_free_cores() -> int:
    """Return how many cores others leave free, at least one.

    The runtime's threads wait for each other at every step: beside other work, more are slower.
    """
    return max(1, (os.cpu_count() or 1) - round(os.getloadavg()[0]))


def main(model: str, window_tokens: int) -> None:
    """Serve the model until stdin is closed."""
    import xllamacpp  # noqa: PLC0415 - whoever starts this process need not have it

    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the runtime prints itself goes to stderr
    threading.Thread(target=_end_with_input, daemon=True).start()
    server = load(xllamacpp, model, window_tokens)
    print(server.listening_address, file=answers, flush=True)
    threading.Event().wait()


def _end_with_input() -> None:
    sys.stdin.read()
    os._exit(0)  # what the runtime still computes cannot be stopped otherwise


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
