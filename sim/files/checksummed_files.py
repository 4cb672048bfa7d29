"""Cache files that begin with a checksum of their own name and content.

Losing one only costs time. So a full or read-only disk is not reported, and a damaged file counts
as missing.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from hardmode.sim.files.atomic_files import OutputError, write_atomically

CHECKSUM_CHARS = 64  # hexadecimal digits of SHA-256


def read_checked(file: Path) -> memoryview | None:
    """Return the content that `write_checked` wrote, or None if the file is missing or damaged."""
    try:
        data = memoryview(file.read_bytes())
    except OSError:
        return None
    content = data[CHECKSUM_CHARS:]
    return content if data[:CHECKSUM_CHARS] == _compute_checksum(file, content) else None


def write_checked(file: Path, content: bytes | memoryview) -> None:
    """Write a file atomically behind its checksum, making its folder; ignore errors of the disk."""
    with suppress(OSError, OutputError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, _compute_checksum(file, content) + content)


def _compute_checksum(file: Path, content: bytes | memoryview) -> bytes:
    checksum = hashlib.sha256(b"%d:%b" % (len(file.name), file.name.encode()))
    checksum.update(content)
    return checksum.hexdigest().encode()
