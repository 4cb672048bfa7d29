"""How a file is named by a user, and to a reader."""

from __future__ import annotations

import stat
from pathlib import Path


def short_path(path: Path) -> str:
    """A file's path as short as it can be said: from the working directory, when it lies there."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except (ValueError, OSError, RuntimeError):  # links that lead to themselves
        return str(path)


def at_home(text: str | Path) -> Path:
    """The path of a text: ~ is a home, unless there is no such user."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        return Path(text)


def is_file(path: Path) -> bool:
    """Whether a file is there; a name that no file could have is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_dir(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def unfit(path: Path, most: int) -> str:
    """Why a file is not to be read at all: it has no end, or is far too large; empty where it may be."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return ""  # reading it will tell
    if stat.S_ISDIR(found.st_mode):
        return ""
    if not stat.S_ISREG(found.st_mode):
        return "is not an ordinary file"
    return (
        f"is too large ({found.st_size:,} bytes; the most is {most:,})"
        if found.st_size > most
        else ""
    )
