"""Folders in which files are kept whole: on a disk, or where an address such as s3://BUCKET/FOLDER leads (fsspec)."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from hardmode.sim.files import atomic_files
from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.files.paths import short_path
from hardmode.sim.files.text import one_line

ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://")


class Folder(Protocol):
    """Where files are kept; one who reads sees an old file or the whole new one."""

    @property
    def address(self) -> str:
        """By which others find it."""
        ...

    def inside(self, name: str) -> Folder: ...

    def ready(self) -> None:
        """Refuse a folder that cannot be written to; nothing is left there."""
        ...

    def make(self) -> None:
        """Have it there, without what killed processes left in it."""
        ...

    def names(self) -> list[str]:
        """What lies there; nothing where there is no such folder."""
        ...

    def read(self, name: str) -> bytes | None:
        """A file; nothing where there is none."""
        ...

    def write(self, name: str, content: bytes) -> None: ...


def folder(where: str | Path) -> Folder:
    """The folder of a path, or of an address."""
    return Far(where) if isinstance(where, str) and ADDRESS.match(where) else Disk(Path(where))


class Disk:
    """A folder of this machine, or of a disk that it shares with others."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __str__(self) -> str:
        return short_path(self.path)

    @property
    def address(self) -> str:
        return str(self.path.absolute())

    def inside(self, name: str) -> Disk:
        return Disk(self.path / name)

    def ready(self) -> None:
        atomic_files.try_folder(self.path)

    def make(self) -> None:
        with atomic_files.refusing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            atomic_files.sweep(self.path)

    def names(self) -> list[str]:
        with atomic_files.refusing(self.path):
            return [p.name for p in self.path.iterdir()] if self.path.exists() else []

    def read(self, name: str) -> bytes | None:
        try:
            return (self.path / name).read_bytes()
        except OSError:
            return None

    def write(self, name: str, content: bytes) -> None:
        atomic_files.write(self.path / name, content)


class Far:
    """A folder behind an address, by the driver that fsspec has for it."""

    def __init__(self, address: str) -> None:
        protocol, _, place = address.partition("://")
        if not place.strip("/"):
            raise OutputError(f"{address} names no folder")
        self._address = f"{protocol}://{place.rstrip('/')}"
        with self._refusing():
            self._system, self._path = _reached(self._address)

    def __str__(self) -> str:
        return self._address

    @property
    def address(self) -> str:
        return self._address

    def inside(self, name: str) -> Far:
        return Far(f"{self._address}/{name}")

    def ready(self) -> None:
        self.make()
        self.write(".hardmode", atomic_files.TRIAL)
        with self._refusing():
            self._system.rm_file(f"{self._path}/.hardmode")

    def make(self) -> None:
        with self._refusing():
            self._system.makedirs(self._path, exist_ok=True)

    def names(self) -> list[str]:
        with self._refusing():
            self._system.invalidate_cache()
            try:
                return [
                    name.rstrip("/").rpartition("/")[2]
                    for name in self._system.ls(self._path, detail=False)
                ]
            except FileNotFoundError:
                return []

    def read(self, name: str) -> bytes | None:
        with self._refusing():
            try:
                return bytes(self._system.cat_file(f"{self._path}/{name}"))
            except FileNotFoundError:
                return None

    def write(self, name: str, content: bytes) -> None:
        aside = f"{self._path}/.{name}.{uuid.uuid4().hex}.part"
        with self._refusing():
            try:
                self._system.pipe_file(aside, content)
                self._system.mv(aside, f"{self._path}/{name}")
            except BaseException:
                with suppress(Exception):
                    self._system.rm_file(aside)
                raise

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Whatever the driver has against it becomes one line."""
        try:
            yield
        except OutputError:
            raise
        except Exception as why:  # of the many kinds that drivers have
            said = one_line(str(why)) or type(why).__name__
            raise OutputError(f"{self._address}: cannot be written: {said}") from None


def _reached(address: str) -> tuple[Any, str]:
    """The driver of an address, and the folder as it calls it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise OutputError(
            f'{address}: to write there, install fsspec: pip install "hardmode[cluster]"'
        ) from None
    try:
        system, path = url_to_fs(address)
    except ImportError as why:
        raise OutputError(
            f"{address}: to write there a driver is needed: {one_line(str(why))}"
        ) from None
    except ValueError as why:
        raise OutputError(f"{address} leads nowhere: {one_line(str(why))}") from None
    return system, path.rstrip("/")
