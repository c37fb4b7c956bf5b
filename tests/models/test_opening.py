import subprocess
import sys
from pathlib import Path

import pytest

from longhaul.errors import ModelError
from longhaul.models import is_on_this_machine, open_model
from longhaul.models.servers import find_server
from longhaul.models.specs import ProviderSpec, parse_spec

KEY = "sk-live-0123456789abcdef"


def address_of(spec: str, environment: dict[str, str]) -> str:
    parsed = parse_spec(spec)
    assert isinstance(parsed, ProviderSpec)
    return find_server(parsed, environment).address


@pytest.mark.parametrize(
    ("spec", "environment", "address"),
    [
        ("openai/m", {"OPENAI_API_KEY": KEY}, "https://api.openai.com/v1"),
        ("anthropic/m", {"ANTHROPIC_API_KEY": KEY}, "https://api.anthropic.com"),
        ("google/m", {"GEMINI_API_KEY": KEY}, "https://generativelanguage.googleapis.com"),
        ("ollama/m", {}, "http://127.0.0.1:11434/v1"),
        ("ollama/m", {"OLLAMA_BASE_URL": "http://gpu:11434"}, "http://gpu:11434/v1"),
        ("ollama/m", {"OLLAMA_BASE_URL": "http://gpu:11434/v1/"}, "http://gpu:11434/v1"),
        ("ollama/m", {"OLLAMA_BASE_URL": ""}, "http://127.0.0.1:11434/v1"),
        ("llama.cpp/m", {}, "http://127.0.0.1:8080/v1"),
        ("vllm/m", {}, "http://127.0.0.1:8000/v1"),
        (
            "openai-compatible/m",
            {"OPENAI_BASE_URL": "https://x.example/api"},
            "https://x.example/api",
        ),
        ("openai/m", {"OPENAI_BASE_URL": "http://localhost:1/v1"}, "http://localhost:1/v1"),
    ],
)
def test_a_server_is_where_the_usual_variables_say(
    spec: str, environment: dict[str, str], address: str
) -> None:
    assert address_of(spec, environment) == address


@pytest.mark.parametrize(
    ("spec", "environment", "message"),
    [
        ("openai/m", {}, "openai: set OPENAI_API_KEY to your key"),
        ("anthropic/m", {}, "anthropic: set ANTHROPIC_API_KEY to your key"),
        (
            "google/m",
            {"GOOGLE_API_KEY": ""},
            "google: set GOOGLE_API_KEY or GEMINI_API_KEY to your key",
        ),
        (
            "openai-compatible/m",
            {"OPENAI_API_KEY": KEY},
            "openai-compatible: set OPENAI_BASE_URL to the server's URL",
        ),
    ],
)
def test_what_is_missing_is_named(spec: str, environment: dict[str, str], message: str) -> None:
    with pytest.raises(ModelError) as caught:
        open_model(spec, timeout_s=1, environment=environment)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "address",
    [
        f"http://user:{KEY}@localhost:8080/v1",
        f"http://localhost:8080/v1?key={KEY}",
        f"localhost:8080/{KEY}",
        f"http://localhost\\@{KEY}/v1",
        f"http://{KEY} /v1",
        f"ftp://{KEY}/v1",
        f"http://localhost#{KEY}",
    ],
)
def test_an_address_that_parsers_may_read_differently_is_refused_and_not_repeated(
    address: str,
) -> None:
    with pytest.raises(ModelError) as caught:
        open_model("ollama/m", timeout_s=1, environment={"OLLAMA_BASE_URL": address})
    assert KEY not in str(caught.value)
    assert not is_on_this_machine("ollama/m", {"OLLAMA_BASE_URL": address})


@pytest.mark.parametrize(
    ("host", "is_here"),
    [
        *(("localhost", True), ("LOCALHOST", True), ("127.0.0.1", True), ("127.9.8.7", True)),
        *(("[::1]", True), ("[0:0:0:0:0:0:0:1]", True)),
        *(("127.1", False), ("127.0.0.01", False), ("0.0.0.0", False), ("[::]", False)),
        *(("[::ffff:127.0.0.1]", False), ("localhost.", False), ("2130706433", False)),
        *(("localhost.example.com", False), ("127.0.0.1.example.com", False)),
        *(
            ("[127.0.0.1]", False),
            ("my-localhost", False),
            ("example.com", False),
            ("10.0.0.1", False),
        ),
    ],
)
def test_only_addresses_written_as_this_machines_own_are_on_it(host: str, *, is_here: bool) -> None:
    for spec, variable in (
        ("openai/m", "OPENAI_BASE_URL"),
        ("anthropic/m", "ANTHROPIC_BASE_URL"),
        ("google/m", "GOOGLE_GEMINI_BASE_URL"),
        ("openai-compatible/m", "OPENAI_BASE_URL"),
        ("ollama/m", "OLLAMA_BASE_URL"),
    ):
        environment = {variable: f"http://{host}:8080/v1", "OPENAI_API_KEY": KEY}
        environment |= {"ANTHROPIC_API_KEY": KEY, "GOOGLE_API_KEY": KEY}
        assert is_on_this_machine(spec, environment) is is_here


@pytest.mark.parametrize(
    ("spec", "is_here"),
    [
        *(("local:smollm2", True), ("local:/nowhere/m.gguf", True)),
        *(("batch:/runs", False), ("openai/m", False), ("no model", False), ("", False)),
        *(("ollama/m", True), ("llama.cpp/m", True), ("vllm/m", True)),
        *(("ollama/gpt-oss:120b-cloud", False), ("ollama/glm-5:cloud", False)),
        *(("ollama/gpt-oss:120b-cloud:high", False), ("ollama/cloudy", True)),
    ],
)
def test_what_answers_elsewhere_is_not_on_this_machine(spec: str, *, is_here: bool) -> None:
    assert is_on_this_machine(spec, {"OPENAI_API_KEY": KEY}) is is_here


def test_a_key_may_have_white_space_around_it_that_is_not_sent() -> None:
    spec = parse_spec("google/m")
    assert isinstance(spec, ProviderSpec)
    keys = {"GOOGLE_API_KEY": " \n", "GEMINI_API_KEY": f"{KEY}\n"}
    assert find_server(spec, keys).key == KEY


@pytest.mark.parametrize("key", [f"{KEY}\n{KEY}", f"“{KEY}”", f"{KEY}\x00x"])
def test_a_key_that_no_header_can_hold_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(ModelError) as caught:
        open_model("openai/m", timeout_s=1, environment={"OPENAI_API_KEY": key})
    assert str(caught.value) == "OPENAI_API_KEY: holds what is in no key; set it anew"


def test_a_local_file_that_is_not_there_is_said_before_anything_is_asked(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="no wheel of xllamacpp for this machine")
    with pytest.raises(ModelError) as caught:
        open_model(f"local:{tmp_path}/m.gguf", timeout_s=1, environment={})
    assert (
        str(caught.value) == f"{tmp_path}/m.gguf is no file; local: takes the path of a GGUF file"
    )


BARE = """
import sys
from pathlib import Path
sys.path[:] = [path for path in sys.path if not path.endswith("site-packages")] + [sys.argv[1]]
from longhaul.errors import ModelError
from longhaul.models import open_model
for spec in ("openai/m", "local:smollm2"):
    try:
        open_model(spec, timeout_s=1, environment={"OPENAI_API_KEY": "k"})
    except ModelError as error:
        print(error)
"""
LAZY = """
import sys
import longhaul.models
import longhaul.cli.serve
heavy = {"pydantic_ai", "openai", "anthropic", "google", "httpx2", "xllamacpp", "asyncio"}
print(sorted(heavy & set(sys.modules)))
longhaul.models.open_model("batch:/tmp/x", timeout_s=1, environment={})
print(sorted(heavy & set(sys.modules)))
"""


def run_python(code: str, *arguments: str) -> str:
    command = (sys.executable, "-I", "-c", code, *arguments)
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_a_missing_extra_is_named_with_the_command_that_installs_it() -> None:
    source = Path(open_model.__code__.co_filename).parents[2]
    assert run_python(BARE, str(source)).splitlines() == [
        f"this model needs an extra: {sys.executable} -m pip install 'pi-longhaul[{extra}]'"
        for extra in ("models", "local")
    ]


def test_nothing_that_models_need_is_imported_before_one_is_opened() -> None:
    assert run_python(LAZY).splitlines() == ["[]", "[]"]
