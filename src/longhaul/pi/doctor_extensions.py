"""What `longhaul doctor` says of the installed extension, its server, and other extensions."""

from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from longhaul.errors import InstallError
from longhaul.pi.finding import Finding
from longhaul.pi.greeting import greet
from longhaul.pi.install import InstalledExtension, extension_path, find_extension
from longhaul.pi.protocol import PROTOCOL_VERSION
from longhaul.pi.settings import load_settings_file, named_extensions


def check_extension(agent_dir: Path) -> Iterator[Finding]:
    """Yield whether the extension is in place, is this package's, and reaches its server."""
    path = extension_path(agent_dir)
    mend = "longhaul install pi"
    try:
        found = find_extension(path)
    except InstallError as error:
        yield Finding("extension", "error", str(error), f"move it away, then {mend}")
        return
    if found is None:
        yield Finding("extension", "error", f"not installed in {path.parent}", mend)
        return
    version = metadata.version("pi-longhaul")
    if found.version == version:
        yield Finding("extension", "ok", f"{version} at {path}")
    else:
        text = f"{path} is of version {found.version or 'unknown'}, this package of {version}"
        yield Finding("extension", "warning", text, mend)
    yield _server_finding(found, mend)


def check_neighbours(agent_dir: Path, project_pi_dir: Path) -> Iterator[Finding]:
    """Yield whether other extensions of pi's answer compactions as well: the last one wins."""
    ours = extension_path(agent_dir)
    found = (path for folder in (agent_dir, project_pi_dir) for path in _extensions(folder))
    others = [path for path in found if path != ours and _compacts(path)]
    for path in others:
        text = f"{path} answers compactions as well; pi takes the last answer"
        yield Finding("other extensions", "warning", text, "remove one of the two")
    if not others:
        yield Finding("other extensions", "ok", "none that answers compactions")


def _server_finding(found: InstalledExtension, mend: str) -> Finding:
    interpreter = Path(found.command[0]) if found.command else Path()
    if not found.command or not interpreter.is_file():
        return Finding("server", "error", f"its Python {interpreter} does not exist", mend)
    try:
        greeting = greet(found.command)
    except InstallError as error:
        return Finding("server", "error", str(error), f"install pi-longhaul, then {mend}")
    if greeting.protocol != PROTOCOL_VERSION:
        text = f"{interpreter} holds longhaul {greeting.version}, which does not fit this package"
        return Finding("server", "error", text, mend)
    text = f"longhaul {greeting.version} answers after {greeting.elapsed_ms} ms"
    return Finding("server", "ok", text)


def _extensions(folder: Path) -> Iterator[Path]:
    """Yield the extensions that pi finds in a folder of its own, or through the settings there."""
    settings = load_settings_file(folder / "settings.json").settings
    named = [folder / Path(entry).expanduser() for entry in named_extensions(settings)]
    yield from (path for path in named if path.is_file())
    for place in (folder / "extensions", *(path for path in named if path.is_dir())):
        for pattern in ("*.ts", "*.js", "*/index.ts", "*/index.js"):
            yield from sorted(place.glob(pattern))


def _compacts(path: Path) -> bool:
    try:
        return "session_before_compact" in path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
