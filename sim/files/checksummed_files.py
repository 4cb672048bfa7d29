"""Files of the cache that are known to be whole: each begins with the digest of its name and of what follows.

Losing one costs time alone, so nothing is said of a full disk, a read-only one, or a file that somebody damaged.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

SEAL = 64  # letters of a digest


def kept(file: Path) -> memoryview | None:
    """What a file holds; nothing where there is none, or where it is not as it was written."""
    try:
        whole = memoryview(file.read_bytes())
    except OSError:
        return None
    return whole[SEAL:] if whole[:SEAL] == _seal(file, whole[SEAL:]) else None


def keep(file: Path, content: bytes | memoryview) -> None:
    """Put a file in place whole."""
    part = file.with_name(f"{file.name}.{os.getpid()}")
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_bytes(_seal(file, content) + content)
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)


def _seal(file: Path, content: bytes | memoryview) -> bytes:
    mark = hashlib.sha256(b"%d:%b" % (len(file.name), file.name.encode()))
    mark.update(content)
    return mark.hexdigest().encode()
