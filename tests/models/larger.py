"""The larger models that tests marked `model` run; `make test-model` fetches them."""

import os
from pathlib import Path

import pytest

QWEN_SMALL = "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
QWEN = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"


def find_larger(name: str) -> Path:
    """Return the file of a larger model; where it is not there, the test is skipped."""
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    path = Path(cache).expanduser() / "longhaul-test-models" / name
    if not path.is_file():
        pytest.skip(f"{name} is not there; `make test-model` fetches it")
    return path
