"""A headless Chromium for the tests of pages, driven over a pipe by its DevTools protocol."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

CHROMIUM = shutil.which("chromium")
"""Debian's package `chromium`; None where there is none."""

_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions"),
    *("--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update"),
)


class Browser:
    """One page in a browser, and all that it asked for and complained about."""

    def __init__(self, commands: BinaryIO, replies: BinaryIO) -> None:
        self._commands, self._replies = commands, replies
        self._last_id = 0
        self._session: str | None = None
        self.requests: list[str] = []
        self.complaints: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.send(f"{domain}.enable")

    def send(self, method: str, /, **params: Any) -> Mapping[str, Any]:
        """Return what a command of the protocol gives."""
        self._last_id += 1
        command = {"id": self._last_id, "method": method, "params": params}
        if self._session is not None:
            command["sessionId"] = self._session
        self._commands.write(json.dumps(command).encode() + b"\0")
        self._commands.flush()
        while (message := self._next()).get("id") != self._last_id:
            pass
        assert "error" not in message, message
        result: Mapping[str, Any] = message["result"]
        return result

    def open(self, file: Path, *, width: int = 1280, scheme: str = "light") -> None:
        """Show a file in a window of this width, in light or dark colours."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=844,
            deviceScaleFactor=1,
            mobile=False,
        )
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.send("Emulation.setEmulatedMedia", features=[feature])
        self.send("Page.navigate", url=file.as_uri())
        while self._next().get("method") != "Page.loadEventFired":
            pass

    def ask(self, expression: str) -> Any:
        """Return what a JavaScript expression gives."""
        reply = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in reply, reply
        return reply["result"].get("value")

    def press(self, key: str, code: int) -> None:
        """Press and release a key."""
        text = "\r" if key == "Enter" else ""
        known = {"key": key, "code": key, "windowsVirtualKeyCode": code, "text": text}
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, **known)

    def _next(self) -> dict[str, Any]:
        raw = bytearray()
        while not raw.endswith(b"\0"):
            byte = self._replies.read(1)
            assert byte, "the browser ended"
            raw += byte
        message: dict[str, Any] = json.loads(raw[:-1])
        match message.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
            case "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded":
                self.complaints.append(json.dumps(message["params"]))
        return message


@contextmanager
def open_browser(profile: Path) -> Iterator[Browser]:
    """Start a browser that keeps its files in `profile`; it ends with the block."""
    assert CHROMIUM is not None, "asked for before"
    from_test, to_browser = os.pipe()
    from_browser, to_test = os.pipe()
    # The browser reads commands from descriptor 3 and writes replies to 4.
    line = f'exec "$@" 3<&{from_test} 4>&{to_test}'
    arguments = (CHROMIUM, *_FLAGS, "--remote-debugging-pipe", f"--user-data-dir={profile}")
    process = subprocess.Popen(
        ("bash", "-c", line, "bash", *arguments),
        pass_fds=(from_test, to_test),
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    os.close(from_test)
    os.close(to_test)
    with open(to_browser, "wb") as commands, open(from_browser, "rb") as replies:  # noqa: PTH123
        try:
            yield Browser(commands, replies)
        finally:
            process.terminate()
            process.wait()
