"""Files written where users ask for them: atomically, and never over a file of somebody else.

A destination is checked before any game is played. A file is written under a temporary name and
then renamed, so a reader sees either the old or the new file. Temporary files that a killed
process left are removed when the same file is written again.
"""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import platform
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from hardmode.sim.files import gzip_members
from hardmode.sim.files.paths import shorten_path

HEAD_BYTES = 300  # of a file, by which its format is recognized
TEMP_NAME_PATTERN = re.compile(r"\.(?P<name>.+)\.(?P<process>\d{1,19})\.[0-9a-f]{16}\.part")
TEST_BLOCK = bytes(4096)  # written to find out whether the disk takes anything
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2  # arguments of Linux' renameat2


class OutputError(Exception):
    """Raised when something cannot be written where the user asked for it."""


@dataclass(frozen=True)
class FileFormat:
    """Format of files that hardmode writes; only a file of the same format may be replaced.

    Attributes:
        name: As messages name such a file, with its article.
        begins: Regular expression that the first bytes of such a file match.
    """

    name: str
    begins: str

    def matches(self, path: Path) -> bool:
        """Return whether a file has this format, compressed or not."""
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
        if gzip_members.is_gzip(head):
            head = gzip_members.decompress_head(head, HEAD_BYTES)
        return bool(re.match(self.begins.encode(), head))


RESULT = FileFormat("a result", r'\s*\{\s*"hardmode":\s*"result"')
BASELINE = FileFormat("a baseline", "# What was accepted of ")
JUNIT = FileFormat("JUnit XML of a check", r'<\?xml[^>]*>\s*<testsuites name="hardmode"')
PICTURE = FileFormat("a picture", r"(?s).*(Software\x00hardmode|<!-- drawn by hardmode -->)")
WORKBOOK = FileFormat("a workbook", r"(?s)PK\x03\x04.*docProps/app\.xml.*<Application>hardmode<")
FIT = FileFormat("a fit", "# What [0-9]+ played games say of ")
GAME = FileFormat("a game", r'\s*\{\s*"hardmode":\s*"game"')
SUMMARY = FileFormat("the summary of a check", "## hardmode: ")


def check_writable(path: Path, file_format: FileFormat) -> None:
    """Check that a file of this format can be written, by writing and removing a temporary one.

    Raises:
        OutputError: The disk or folder refuses it, or another kind of file is in the way.
    """
    with convert_os_errors(path):
        mode = _file_mode(path)
        if mode is not None:
            if not stat.S_ISREG(mode):
                raise OutputError(f"{shorten_path(path)} is {_name_file_type(mode)}; give a file")
            if path.stat().st_size and not file_format.matches(path):
                raise OutputError(
                    f"{shorten_path(path)}: not {file_format.name} that hardmode wrote, and left "
                    "alone; give another file"
                )
        target = _resolve_links(path)
        if not target.parent.exists():
            raise OutputError(
                f"{shorten_path(path)}: cannot be written: there is no folder "
                f"{shorten_path(target.parent)}"
            )
        remove_stale_temp_files(target.parent, target.name)
        _write_test_block(target)


def check_folder_writable(folder: Path) -> None:
    """Check that a folder exists or can be made, and can be written to; leave no trace.

    Raises:
        OutputError: It cannot, or something that is no folder has its name.
    """
    with convert_os_errors(folder):
        mode = _file_mode(folder)
        if mode is not None and not stat.S_ISDIR(mode):
            raise OutputError(f"{shorten_path(folder)} is {_name_file_type(mode)}; give a folder")
        existing = next(p for p in (folder, *folder.absolute().parents) if p.exists())
        remove_stale_temp_files(existing, "hardmode")
        _write_test_block(existing / "hardmode")


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file as a whole or not at all; a symbolic link keeps leading to the written file.

    Raises:
        OutputError: The system refuses it; the old file is unchanged.
    """
    with convert_os_errors(path):
        target = _resolve_links(path)
        with _temp_file(target) as temp:
            temp.write_bytes(encode_text(content))
            temp.replace(target)


def append_bytes(path: Path, content: bytes) -> None:
    """Append to a file; if not all of it can be written, restore the file's old length.

    Raises:
        OutputError: The system refuses it.
    """
    with convert_os_errors(path), path.open("ab") as file:
        old_size = file.tell()
        try:
            file.write(content)
            file.flush()
        except OSError:
            with suppress(OSError):
                os.truncate(path, old_size)
            raise


def truncate_file(path: Path, size: int) -> None:
    """Cut a file to its first `size` bytes."""
    with convert_os_errors(path):
        os.truncate(path, size)


def exchange_folders(first: Path, second: Path) -> bool:
    """Exchange two folders atomically, where the system can do so (Linux).

    Returns:
        Whether the folders were exchanged; otherwise nothing happened.
    """
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    paths = os.fsencode(first), os.fsencode(second)
    return rename(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], _RENAME_EXCHANGE) == 0


def encode_text(content: str | bytes) -> bytes:
    """Return the bytes of a file's content; text is encoded as UTF-8."""
    return content.encode("utf-8", "replace") if isinstance(content, str) else content


def temp_path(target: Path) -> Path:
    """Return the hidden name under which this process writes a file before renaming it.

    The name ends in a checksum of itself and of the machine. So a user's file is not taken for a
    temporary one, nor is a file that another machine is writing to a shared folder.
    """
    return target.with_name(_make_temp_name(target.name, os.getpid()))


def remove_stale_temp_files(folder: Path, name: str = "") -> None:
    """Remove the temporary files that processes of this machine left which run no more.

    Args:
        folder: Where they lie.
        name: The file that they were to become; any file if empty.
    """
    for path in folder.iterdir() if folder.is_dir() else ():
        match = TEMP_NAME_PATTERN.fullmatch(path.name)
        if match is None or name not in ("", match["name"]) or path.is_symlink():
            continue
        is_ours = path.name == _make_temp_name(match["name"], int(match["process"]))
        if is_ours and not _is_writing(int(match["process"])):
            with suppress(OSError):
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _make_temp_name(name: str, process: int) -> str:
    text = f"hardmode\0{name}\0{process}\0{platform.node()}"
    checksum = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return f".{name}.{process}.{checksum}.part"


@contextmanager
def convert_os_errors(path: Path) -> Iterator[None]:
    """Convert each `OSError` in the context to an `OutputError` that names `path`."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"{shorten_path(path)}: cannot be written: {reason}") from None


@contextmanager
def _temp_file(target: Path) -> Iterator[Path]:
    """Yield an empty temporary file; remove it at the end if it is still there."""
    temp = temp_path(target)
    temp.unlink(missing_ok=True)  # left by an earlier process of the same number
    try:
        temp.touch(exist_ok=False)  # a link that somebody puts there is not followed
        yield temp
    finally:
        with suppress(OSError):
            temp.unlink(missing_ok=True)


def _write_test_block(target: Path) -> None:
    with _temp_file(target) as temp:
        temp.write_bytes(TEST_BLOCK)


def _resolve_links(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _file_mode(path: Path) -> int | None:
    """Return the mode of what a path leads to, or None if it leads nowhere."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def _name_file_type(mode: int) -> str:
    names = {
        stat.S_IFDIR: "a folder",
        stat.S_IFREG: "a file",
        stat.S_IFIFO: "a pipe",
        stat.S_IFSOCK: "a socket",
    }
    return names.get(stat.S_IFMT(mode), "a device")


def _is_writing(process: int) -> bool:
    """Return whether another process that may be writing still runs."""
    if os.name == "nt":
        return True  # on Windows, os.kill would end it
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except OSError as error:
        return error.errno == errno.EPERM
    except OverflowError:
        return False
    return True
