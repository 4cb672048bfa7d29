"""The cache on disk: machine code, arrays, parsed boxes and replayed baselines.

An entry is a file, or a folder, in one of the folders of the cache. Entries are named by a digest
of all that they depend on, so they are never out of date, and losing one only costs time. A full or
read-only disk is not reported, and a damaged entry counts as missing.

Machine code is run, so the cache is only used if nobody else can write to it. Entries that were
not used for a month, and those used least recently in a cache that is too large, are deleted, at
most once a day.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from hardmode.sim.files.atomic_files import OutputError, temp_path, write_atomically
from hardmode.sim.messages import warn_once

CACHE_VARIABLE = "HARDMODE_CACHE"  # names another folder; "off" means none
MAX_UNUSED_DAYS = 30
MAX_CACHE_BYTES = 2 << 30
DAY = 86400.0  # seconds
PRUNE_STAMP = "pruned"  # file whose modification time says when the cache was pruned last
CHECKSUM_CHARS = 64  # hexadecimal digits of SHA-256


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


def find_entry(folder: str, name: str) -> Path | None:
    """Return the path of a file in the cache, whether it exists or not; None without a cache."""
    root = find_cache_root()
    return root / folder / name if root else None


def read_entry(entry: Path) -> memoryview | None:
    """Return the content that `write_entry` wrote, and mark the entry as used.

    Returns:
        None if the file is missing, damaged, or others can write to it.
    """
    try:
        if not _is_private_file(entry):
            return None
        data = memoryview(entry.read_bytes())
    except OSError:
        return None
    content = data[CHECKSUM_CHARS:]
    if data[:CHECKSUM_CHARS] != _compute_checksum(entry, content):
        return None
    with suppress(OSError):
        os.utime(entry)  # entries are pruned by their modification time
    return content


def write_entry(entry: Path, content: bytes | memoryview) -> None:
    """Write a file of the cache atomically behind its checksum; ignore errors of the disk."""
    with suppress(OSError, OutputError):
        entry.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(entry, _compute_checksum(entry, content) + content)
        entry.chmod(0o600)  # an entry that others can write to is not read
        _prune_daily(entry.parents[1])


def prune(root: Path) -> None:
    """Delete entries that were not used for `MAX_UNUSED_DAYS`, or exceed `MAX_CACHE_BYTES`."""
    oldest = time.time() - MAX_UNUSED_DAYS * DAY
    entries = []
    for path in root.glob("*/*"):
        with suppress(OSError):  # another process has deleted it
            entries.append((path.stat(), path))
    entries.sort(key=lambda entry: entry[0].st_mtime, reverse=True)
    total_bytes = 0
    for status, path in entries:
        total_bytes += status.st_size
        if status.st_mtime < oldest or total_bytes > MAX_CACHE_BYTES:
            with suppress(OSError):
                _delete_entry(path)


def _prune_daily(root: Path) -> None:
    stamp = root / PRUNE_STAMP
    if not stamp.exists() or time.time() - stamp.stat().st_mtime > DAY:
        stamp.touch()
        prune(root)


def _delete_entry(path: Path) -> None:
    """Delete a file, or a folder, which is renamed first, so that none is ever incomplete."""
    if path.is_dir():
        path = path.rename(temp_path(path))
        shutil.rmtree(path)
    else:
        path.unlink()


def _is_private_file(path: Path) -> bool:
    """Return whether a file belongs to the user (or root) and nobody else can write to it."""
    if not hasattr(os, "getuid"):
        return True
    status = path.stat()
    is_shared = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return status.st_uid in (_get_user(), 0) and not is_shared


def _compute_checksum(file: Path, content: bytes | memoryview) -> bytes:
    checksum = hashlib.sha256(b"%d:%b" % (len(file.name), file.name.encode()))
    checksum.update(content)
    return checksum.hexdigest().encode()


def _get_user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0
