"""Paths that users give, and paths as they are shown to users."""

from __future__ import annotations

import stat
from pathlib import Path


def shorten_path(path: Path) -> str:
    """Return a path relative to the working directory if it lies there, else the path unchanged."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except (ValueError, OSError, RuntimeError):  # RuntimeError: a link that leads to itself
        return str(path)


def expand_home(text: str | Path) -> Path:
    """Return the path with a leading ~ expanded, unless there is no such user."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def is_file(path: Path) -> bool:
    """Return whether a file exists; False for names that the system does not allow."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_dir(path: Path) -> bool:
    """Return whether a folder exists; False for names that the system does not allow."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def explain_unreadable(path: Path, max_bytes: int) -> str:
    """Return why a file must not be read at all, or "" if it may be.

    Devices and pipes may never end, and a file may be far larger than memory. A missing file and a
    folder return "": the attempt to read them raises the better error.
    """
    try:
        status = path.stat()
    except (OSError, ValueError):
        return ""
    if stat.S_ISDIR(status.st_mode):
        return ""
    if not stat.S_ISREG(status.st_mode):
        return "is not an ordinary file"
    if status.st_size > max_bytes:
        return f"is too large ({status.st_size:,} bytes; the most is {max_bytes:,})"
    return ""
