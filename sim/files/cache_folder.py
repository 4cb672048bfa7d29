"""The folder of cached files: machine code, arrays, parsed boxes and replayed baselines.

Machine code in it is run, so the folder is only used if nobody else can write to it. Files that
were not used for a month are deleted, at most once a day.
"""

from __future__ import annotations

import os
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from hardmode.sim.messages import warn_once

CACHE_VARIABLE = "HARDMODE_CACHE"  # names another folder; "off" means none
MAX_UNUSED_DAYS = 30
DAY = 86400.0  # seconds
PRUNE_STAMP = "pruned"  # file whose modification time says when the folder was pruned last


def find_cache_root() -> Path | None:
    """Return the first usable folder: HARDMODE_CACHE, the user's cache, a temporary one.

    Returns:
        The folder, which exists, can be written to and is private (see `explain_not_private`);
        None if there is none, or HARDMODE_CACHE is "off".
    """
    configured = os.environ.get(CACHE_VARIABLE)
    if configured == "off":
        return None
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    temporary = os.path.join(tempfile.gettempdir(), f"hardmode-{_get_user()}")
    for name in (configured, os.path.join(home, "hardmode"), temporary):
        if not name:
            continue
        folder = Path(name).absolute()
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            reason = explain_not_private(folder)
            if reason is None:
                return folder
            warn_once(f"the cache {folder} is not used, because {reason}")
    return None


def explain_not_private(folder: Path) -> str | None:
    """Return why others could plant files in a folder, or None if they cannot.

    The folder must belong to the user (or root) and must not be writable by others. The folders
    above it may be writable by others only with the sticky bit, as /tmp is.
    """
    if not hasattr(os, "getuid"):
        return None
    status = folder.stat()
    if status.st_uid not in (_get_user(), 0):
        return "it belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "other users can write to it"
    for parent in folder.resolve().parents:
        status = parent.stat()
        is_shared = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        if is_shared and not status.st_mode & stat.S_ISVTX:
            return f"other users can write to {parent}, which has no sticky bit"
    return None


def is_private_file(path: Path) -> bool:
    """Return whether a file belongs to the user (or root) and nobody else can write to it."""
    if not hasattr(os, "getuid"):
        return True
    status = path.stat()
    is_shared = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return status.st_uid in (_get_user(), 0) and not is_shared


def mark_as_used(path: Path) -> None:
    """Set the modification time of a cached file, by which it is pruned, to now."""
    with suppress(OSError):
        os.utime(path)


def prune_daily(root: Path) -> int:
    """Delete files that were not used for `MAX_UNUSED_DAYS`; return how many, 0 if done today."""
    stamp = root / PRUNE_STAMP
    with suppress(OSError):
        if stamp.exists() and time.time() - stamp.stat().st_mtime < DAY:
            return 0
        stamp.touch()
        return prune(root, MAX_UNUSED_DAYS)
    return 0


def prune(root: Path, days: float) -> int:
    """Delete files below a folder that were not used for some days, and empty folders.

    Returns:
        The number of files deleted.
    """
    oldest = time.time() - days * DAY
    deleted = 0
    for folder, _, files in os.walk(root, topdown=False):
        for name in files:
            path = Path(folder, name)
            with suppress(OSError):
                if path.stat().st_mtime < oldest:
                    path.unlink()
                    deleted += 1
        if Path(folder) != root:
            with suppress(OSError):  # it is not empty
                os.rmdir(folder)
    return deleted


def _get_user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0
