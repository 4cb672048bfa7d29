"""What hardmode writes where a user asks for it: never over what is another's, and whole or not at all.

A place is tried before anything is played. A file is written aside and then put in place, so that whoever reads
it sees the old one or the whole new one; what a killed process left aside goes when the same is written again.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from hardmode.sim.files import gzip_members
from hardmode.sim.files.paths import short_path

HEAD = 300  # bytes by which a file is known again
TRIAL = bytes(4096)  # a full disk takes no more
_HERE, _EXCHANGE = -100, 2  # of Linux' renameat2: names as they are, and both change places


class OutputError(Exception):
    """Something cannot be written where it was asked for; says why."""


@dataclass(frozen=True)
class Kind:
    """A kind of file that hardmode writes, and how one begins: only such a file may be written over."""

    name: str
    begins: str

    def at(self, path: Path) -> bool:
        with path.open("rb") as file:
            head = file.read(HEAD)
        if gzip_members.is_packed(head):
            head = gzip_members.beginning(head, HEAD)
        return bool(re.match(self.begins.encode(), head))


RESULT = Kind("a result", r'\s*\{\s*"hardmode":\s*"result"')
BASELINE = Kind("a baseline", "# What was accepted of ")
JUNIT = Kind("JUnit XML of a check", r'<\?xml[^>]*>\s*<testsuites name="hardmode"')
PICTURE = Kind("a picture", r"(?s).*(Software\x00hardmode|<!-- drawn by hardmode -->)")
WORKBOOK = Kind("a workbook", r"(?s)PK\x03\x04.*docProps/app\.xml.*<Application>hardmode<")
FIT = Kind("a fit", "# What [0-9]+ played games say of ")
GAME = Kind("a game", r'\s*\{\s*"hardmode":\s*"game"')
SUMMARY = Kind("the summary of a check", "## hardmode: ")


def ready(path: Path, kind: Kind) -> None:
    """Refuse a place to which a file of this kind cannot be written, or where something else lies."""
    with refusing(path):
        mode = _mode(path)
        if mode is not None and not stat.S_ISREG(mode):
            raise OutputError(f"{short_path(path)} is {_called(mode)}; give a file")
        if mode is not None and path.stat().st_size and not kind.at(path):
            raise OutputError(
                f"{short_path(path)}: not {kind.name} that hardmode wrote, and left alone; "
                "give another file"
            )
        place = _place(path)
        sweep(place.parent, place.name)
        with _aside(place) as aside:
            aside.write_bytes(TRIAL)


def write(path: Path, content: str | bytes) -> None:
    """Put a file in place whole; one that a link leads to is written where it lies."""
    with refusing(path):
        place = _place(path)
        with _aside(place) as aside:
            aside.write_bytes(encoded(content))
            aside.replace(place)


def add(path: Path, content: bytes) -> None:
    """Add to the end of a file; what does not go in whole leaves it as it was."""
    with refusing(path), path.open("ab") as file:
        before = file.tell()
        try:
            file.write(content)
            file.flush()
        except OSError:
            with suppress(OSError):
                os.truncate(path, before)
            raise


def cut(path: Path, size: int) -> None:
    """Take away all but the beginning of a file."""
    with refusing(path):
        os.truncate(path, size)


def exchange(one: Path, other: Path) -> bool:
    """Put each of two folders in the place of the other at one stroke; nothing happens where the system cannot."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    return rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0


def encoded(content: str | bytes) -> bytes:
    return content.encode("utf-8", "replace") if isinstance(content, str) else content


def try_folder(folder: Path) -> None:
    """Refuse a folder that cannot be made or written to; nothing is left there."""
    with refusing(folder):
        mode = _mode(folder)
        if mode is not None and not stat.S_ISDIR(mode):
            raise OutputError(f"{short_path(folder)} is {_called(mode)}; give a folder")
        there = next(p for p in (folder, *folder.absolute().parents) if p.exists())
        sweep(there, "hardmode")
        with _aside(there / "hardmode") as aside:
            aside.write_bytes(TRIAL)


def sweep(folder: Path, name: str = "") -> None:
    """Take away what killed processes left aside in a folder, of one name or of any."""
    pattern = re.compile(rf"\.{re.escape(name) if name else '.+'}\.(\d+)\.part")
    for path in folder.iterdir() if folder.is_dir() else ():
        found = pattern.fullmatch(path.name)
        if found and not _running(int(found[1])):
            with suppress(OSError):
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def aside_of(place: Path) -> Path:
    """Where something is written before it is put in place: hidden, and known by the process that writes."""
    return place.with_name(f".{place.name}.{os.getpid()}.part")


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    """What the system has against writing becomes one line."""
    try:
        yield
    except OSError as why:
        raise OutputError(f"{short_path(path)}: cannot be written: {why.strerror or why}") from None


@contextmanager
def _aside(place: Path) -> Iterator[Path]:
    """A name to write to, at which nothing is left."""
    aside = aside_of(place)
    try:
        yield aside
    finally:
        with suppress(OSError):
            aside.unlink(missing_ok=True)


def _place(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _mode(path: Path) -> int | None:
    """What lies there, links followed; nothing when there is nothing."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def _called(mode: int) -> str:
    named = {
        stat.S_IFDIR: "a folder",
        stat.S_IFREG: "a file",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
    }
    return named.get(stat.S_IFMT(mode), "a device")


def _running(process: int) -> bool:
    """Whether a process that may be writing still runs; this one is not writing when it asks."""
    if os.name == "nt":
        return True  # asking there would end it
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except OSError as why:
        return why.errno == errno.EPERM
    except OverflowError:
        return False
    return True
