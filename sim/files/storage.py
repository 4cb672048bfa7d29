"""Folders in which files appear whole: on a disk, or behind a URL such as s3://BUCKET/FOLDER."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from hardmode.sim.extras import explain_missing_extra
from hardmode.sim.files import atomic_files
from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.files.paths import shorten_path
from hardmode.sim.files.text import to_one_line

URL_PATTERN = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://")


class StorageFolder(Protocol):
    """A folder of files; a reader sees either the old or the new content of a file."""

    @property
    def address(self) -> str:
        """Absolute path or URL, by which other machines may open the same folder."""
        ...

    def open_subfolder(self, name: str) -> StorageFolder:
        """Return the folder of this name inside; it need not exist."""
        ...

    def check_writable(self) -> None:
        """Raise `OutputError` if the folder cannot be written to; leave no trace."""
        ...

    def create(self) -> None:
        """Create the folder if necessary; remove what killed processes left in it."""
        ...

    def list_names(self) -> list[str]:
        """Return the names of the files inside; none if the folder does not exist."""
        ...

    def read_file(self, name: str) -> bytes | None:
        """Return the content of a file, or None if it does not exist."""
        ...

    def write_file(self, name: str, content: bytes) -> None:
        """Write a file as a whole or not at all."""
        ...


def open_storage(location: str | Path) -> StorageFolder:
    """Return the folder of a path or a URL; nothing is created."""
    if isinstance(location, str) and URL_PATTERN.match(location):
        return RemoteStorage(location)
    return LocalStorage(Path(location))


class LocalStorage:
    """Folder of a file system: of this machine, or shared with others."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __str__(self) -> str:
        return shorten_path(self.path)

    @property
    def address(self) -> str:
        """Absolute path."""
        return str(self.path.absolute())

    def open_subfolder(self, name: str) -> LocalStorage:
        """Return the folder of this name inside; it need not exist."""
        return LocalStorage(self.path / name)

    def check_writable(self) -> None:
        """Raise `OutputError` if the folder cannot be written to; leave no trace."""
        atomic_files.check_folder_writable(self.path)

    def create(self) -> None:
        """Create the folder if necessary; remove what killed processes left in it."""
        with atomic_files.convert_os_errors(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            atomic_files.remove_stale_temp_files(self.path)

    def list_names(self) -> list[str]:
        """Return the names of the files inside; none if the folder does not exist."""
        with atomic_files.convert_os_errors(self.path):
            return [p.name for p in self.path.iterdir()] if self.path.exists() else []

    def read_file(self, name: str) -> bytes | None:
        """Return the content of a file, or None if it cannot be read."""
        try:
            return (self.path / name).read_bytes()
        except OSError:
            return None

    def write_file(self, name: str, content: bytes) -> None:
        """Write a file as a whole or not at all."""
        atomic_files.write_atomically(self.path / name, content)


class RemoteStorage:
    """Folder behind a URL, reached by the driver that fsspec has for its protocol.

    Raises:
        OutputError: The URL names no folder, or its driver is missing or refuses it.
    """

    def __init__(self, address: str) -> None:
        protocol, _, folder = address.partition("://")
        if not folder.strip("/"):
            raise OutputError(f"{address} names no folder")
        self._address = f"{protocol}://{folder.rstrip('/')}"
        with self._convert_driver_errors():
            self._system, self._path = _connect_file_system(self._address)

    def __str__(self) -> str:
        return self._address

    @property
    def address(self) -> str:
        """URL without a slash at its end."""
        return self._address

    def open_subfolder(self, name: str) -> RemoteStorage:
        """Return the folder of this name inside; it need not exist."""
        return RemoteStorage(f"{self._address}/{name}")

    def check_writable(self) -> None:
        """Create the folder, and a file in it that is removed again."""
        self.create()
        name = f".{uuid.uuid4().hex}.hardmode"
        self.write_file(name, atomic_files.TEST_BLOCK)
        with self._convert_driver_errors():
            self._system.rm_file(f"{self._path}/{name}")

    def create(self) -> None:
        """Create the folder if necessary."""
        with self._convert_driver_errors():
            self._system.makedirs(self._path, exist_ok=True)

    def list_names(self) -> list[str]:
        """Return the names of the files inside; none if the folder does not exist."""
        with self._convert_driver_errors():
            self._system.invalidate_cache()
            try:
                paths = self._system.ls(self._path, detail=False)
            except FileNotFoundError:
                return []
            return [path.rstrip("/").rpartition("/")[2] for path in paths]

    def read_file(self, name: str) -> bytes | None:
        """Return the content of a file, or None if it does not exist."""
        with self._convert_driver_errors():
            try:
                return bytes(self._system.cat_file(f"{self._path}/{name}"))
            except FileNotFoundError:
                return None

    def write_file(self, name: str, content: bytes) -> None:
        """Write a file under a temporary name and rename it."""
        temp = f"{self._path}/.{name}.{uuid.uuid4().hex}.part"
        with self._convert_driver_errors():
            try:
                self._system.pipe_file(temp, content)
                self._system.mv(temp, f"{self._path}/{name}")
            except BaseException:
                with suppress(Exception):
                    self._system.rm_file(temp)
                raise

    @contextmanager
    def _convert_driver_errors(self) -> Iterator[None]:
        """Convert every exception of the driver, of whatever type, to an `OutputError`."""
        try:
            yield
        except OutputError:
            raise
        except Exception as error:
            reason = to_one_line(str(error)) or type(error).__name__
            raise OutputError(f"{self._address}: cannot be written: {reason}") from None


def _connect_file_system(address: str) -> tuple[Any, str]:
    """Return fsspec's file system for a URL, and the path of the folder in it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        reason = explain_missing_extra("to write there", "fsspec", "cluster")
        raise OutputError(f"{address}: {reason}") from None
    try:
        system, path = url_to_fs(address)
    except ImportError as error:
        raise OutputError(
            f"{address}: to write there a driver is needed: {to_one_line(str(error))}"
        ) from None
    except ValueError as error:
        raise OutputError(
            f"{address} is not an address that can be used: {to_one_line(str(error))}"
        ) from None
    return system, path.rstrip("/")
