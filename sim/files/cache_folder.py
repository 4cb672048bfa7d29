"""The cache on disk: machine code, arrays, parsed boxes and replayed baselines.

An entry is a file, or a folder, in one of the folders of the cache. Entries are named by a digest
of all that they depend on, so they are never out of date, and losing one only costs time. A full or
read-only disk is not reported, and a damaged entry counts as missing.

Machine code is run, so the cache is only used if nobody else can write to it. Entries that were
not used for a month, and those used least recently in a cache that is too large, are deleted, at
most once a day. A folder that held files of the user before it became the cache is not pruned.
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
OTHERS_CAN_WRITE = stat.S_IWGRP | stat.S_IWOTH
TAG = "CACHEDIR.TAG"  # file that marks a cache, see https://bford.info/cachedir
TAG_TEXT = "Signature: 8a477f597d28d172789f06886806bc55\n# A cache of hardmode\n"
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
        try:
            folder = _open_private_folder(Path(name))
            tempfile.TemporaryFile(dir=folder).close()
            _tag_folder(folder, is_own=name != configured)
            return folder
        except NotPrivateError as error:
            reason = str(error)
        except (OSError, RuntimeError) as error:  # the latter for links that lead in a circle
            reason = getattr(error, "strerror", None) or str(error)
            if name != configured:  # the user did not ask for this folder
                continue
        warn_once(f"the cache {name} is not used: {reason}")
    warn_once("no folder can be used as a cache, so everything is compiled anew in each process")
    return None


def find_cache_folder(name: str) -> Path | None:
    """Return a folder of the cache, which is made if necessary; None without a cache."""
    root = find_cache_root()
    if root is None:
        return None
    try:
        return _open_private_folder(root / name)
    except NotPrivateError:
        warn_once(
            f"cached files in {root} are not used where other users can write to its folders; "
            "delete it to begin anew"
        )
    except (OSError, RuntimeError):  # a full disk, or one that is read-only
        pass
    return None


class NotPrivateError(Exception):
    """Raised when others could plant files in a folder."""


def _open_private_folder(folder: Path) -> Path:
    """Return the resolved path of a folder, which is made, with those above it, if necessary.

    Raises:
        NotPrivateError: Others can write to it, or put another folder in its place.
        OSError: It cannot be made.
    """
    # no link in the resolved path can be turned elsewhere after the check
    resolved = folder.absolute().resolve()
    for path in (*reversed(resolved.parents), resolved):
        if not path.is_dir():
            path.mkdir(mode=0o700, exist_ok=True)
    reason = explain_foreign_link(folder) or explain_not_private(resolved)
    if reason is not None:
        raise NotPrivateError(reason)
    return resolved


def explain_foreign_link(path: Path) -> str | None:
    """Return that a path is a symbolic link of another user, or None."""
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode) and status.st_uid not in (_get_user(), 0):
        return "it is a link of another user"
    return None


def explain_not_private(folder: Path) -> str | None:
    """Return why others could plant files in a folder, or None if they cannot.

    The folder must belong to the user (or root) and must not be writable by others. The folders
    above it must belong to the user, root, or the owner of the whole file system. They may be
    writable by others only with the sticky bit, as /tmp is.
    """
    if not hasattr(os, "getuid"):
        return None
    status = folder.stat()
    if status.st_uid not in (_get_user(), 0):
        return "it belongs to another user"
    if status.st_mode & OTHERS_CAN_WRITE:
        return "other users can write to it"
    parents = folder.resolve().parents
    trusted_users = {_get_user(), 0, parents[-1].stat().st_uid}  # in containers, / may be nobody's
    for parent in parents:
        status = parent.stat()
        if status.st_uid not in trusted_users:
            return f"{parent} belongs to another user"
        if status.st_mode & OTHERS_CAN_WRITE and not status.st_mode & stat.S_ISVTX:
            return f"other users can write to {parent}, which has no sticky bit"
    return None


def find_entry(folder: str, name: str) -> Path | None:
    """Return the path of a file in the cache, whether it exists or not; None without a cache."""
    place = find_cache_folder(folder)
    return place / name if place else None


def read_entry(entry: Path) -> memoryview | None:
    """Return the content that `write_entry` wrote, and mark the entry as used.

    Returns:
        None if the file is missing, damaged, or others can write to it.
    """
    try:
        with entry.open("rb") as file:
            if not _is_private(os.fstat(file.fileno())):
                return None
            data = memoryview(file.read())
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
    """Delete entries that were not used for `MAX_UNUSED_DAYS`, or exceed `MAX_CACHE_BYTES`.

    Nothing is deleted from a folder without the tag of a cache.
    """
    if not _is_tagged(root):
        return
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


def _tag_folder(folder: Path, *, is_own: bool) -> None:
    """Mark a folder as a cache if only hardmode uses it, or nothing is in it yet."""
    with suppress(OSError):
        if not _is_tagged(folder) and (is_own or not any(folder.iterdir())):
            (folder / TAG).write_text(TAG_TEXT)


def _is_tagged(folder: Path) -> bool:
    try:
        return (folder / TAG).read_text(errors="replace") == TAG_TEXT
    except OSError:
        return False


def _is_private(status: os.stat_result) -> bool:
    """Return whether a file belongs to the user (or root) and nobody else can write to it."""
    if not hasattr(os, "getuid"):
        return True
    return status.st_uid in (_get_user(), 0) and not status.st_mode & OTHERS_CAN_WRITE


def _compute_checksum(file: Path, content: bytes | memoryview) -> bytes:
    checksum = hashlib.sha256(b"%d:%b" % (len(file.name), file.name.encode()))
    checksum.update(content)
    return checksum.hexdigest().encode()


def _get_user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0
