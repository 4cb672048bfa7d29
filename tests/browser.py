"""A page in headless Chromium, controlled by the DevTools protocol, or in headless Firefox, by Marionette."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from itertools import count
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FIREFOX = next(filter(None, map(shutil.which, ("firefox", "firefox-esr"))), None)
START_SECONDS = 120  # for a browser that does not start, however busy the machine is


class AnyPage:
    """A page that is open in a browser."""

    def evaluate(self, script: str) -> Any:
        """Return the value of an expression in the page; a promise is awaited."""
        raise NotImplementedError

    def wait_for(self, script: str, seconds: float = 300) -> Any:
        """Return the value of an expression as soon as it is true; the limit is for a page that hangs.

        An expression about what is not there yet is not true.
        """
        script = f"(() => {{ try {{ return {script}; }} catch {{ return null; }} }})()"
        end = time.monotonic() + seconds
        while not (value := self.evaluate(script)):
            assert time.monotonic() < end, f"{script} did not become true"
            time.sleep(0.1)
        return value


class BrowserPage(AnyPage):
    """A page that is open in Chromium; to be used in a `with` block.

    Args:
        url: Its address.
        profile: An empty folder for the files of the browser.
    """

    def __init__(self, url: str, profile: Path) -> None:
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
                   "--remote-debugging-pipe", "about:blank"]
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{to_browser} 4>&{from_browser}', "bash", *command],
            pass_fds=(to_browser, from_browser), stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._numbers, self._buffer, self._session = count(1), b"", ""
        targets = self._call("Target.getTargets")["targetInfos"]
        target = next(one["targetId"] for one in targets if one["type"] == "page")
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Page.navigate", url=url)

    def __enter__(self) -> BrowserPage:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._write)
        os.close(self._read)

    def evaluate(self, script: str) -> Any:
        """Return the value of an expression in the page; a promise is awaited."""
        answer = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def _call(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        session = {"sessionId": self._session} if self._session else {}
        message = {"id": number, "method": method, "params": params, **session}
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            part = os.read(self._read, 1 << 16)
            assert part, "the browser ended"
            self._buffer += part
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)


class FirefoxPage(AnyPage):
    """A page that is open in Firefox; to be used in a `with` block.

    Args:
        url: Its address.
        profile: An empty folder for the files of the browser.
    """

    def __init__(self, url: str, profile: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        profile.mkdir()
        (profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n')
        command = [FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._numbers, self._buffer = count(1), b""
        self._socket = self._connect(port)
        self._receive()  # its name and version
        self._call("NewSession", capabilities={})
        self._call("SetTimeouts", script=300_000)
        self._call("Navigate", url=url)

    def __enter__(self) -> FirefoxPage:
        return self

    def __exit__(self, *error: object) -> None:
        self._socket.close()
        self._process.kill()
        self._process.wait()

    def evaluate(self, script: str) -> Any:
        """Return the value of an expression in the page; a promise is awaited."""
        script = f"const done = arguments[0]; Promise.resolve({script}).then(done);"
        return self._call("ExecuteAsyncScript", script=script, args=[])["value"]

    def _connect(self, port: int) -> socket.socket:
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port))
            except OSError:
                assert time.monotonic() < end, "the browser did not start"
                time.sleep(0.1)

    def _call(self, name: str, **params: Any) -> Any:
        message = json.dumps([0, next(self._numbers), f"WebDriver:{name}", params]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._receive()
        assert not error, error
        return result

    def _receive(self) -> Any:
        while b":" not in self._buffer:
            self._buffer += self._read()
        size, _, rest = self._buffer.partition(b":")
        while len(rest) < int(size):
            rest += self._read()
        self._buffer = rest[int(size) :]
        return json.loads(rest[: int(size)])

    def _read(self) -> bytes:
        part = self._socket.recv(1 << 16)
        assert part, "the browser ended"
        return part
