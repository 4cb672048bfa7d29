"""Compressed files that grow at their end: a sequence of gzip members, each complete or absent.

`zcat` and Python's gzip read such a file as one. As in BGZF (the format of bgzip), each member
states its own length in an extra field of its header, so that a member that a killed process did
not finish can be told from a damaged one.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any

_HEADER = struct.Struct("<4s6sH2sHI")
_TRAILER = struct.Struct("<II")  # of gzip: checksum and length of the content
_GZIP_MAGIC = b"\x1f\x8b"
# deflate with an extra field; no time, no system; 8 bytes of extra fields, of which "hm" has 4
_HEADER_FIELDS = (_GZIP_MAGIC + b"\x08\x04", b"\0\0\0\0\0\xff", 8, b"hm", 4)
_LEVEL = 1  # most content is already compressed and in base64


class GzipMemberError(Exception):
    """Raised when a file is damaged, too large, or was compressed by another program."""


def compress_member(content: bytes) -> bytes:
    """Return one gzip member that holds `content`, to be appended to a file."""
    body = zlib.compress(content, _LEVEL, wbits=-zlib.MAX_WBITS)
    header = _HEADER.pack(*_HEADER_FIELDS, _HEADER.size + len(body) + _TRAILER.size)
    return header + body + _TRAILER.pack(zlib.crc32(content), len(content) & 0xFFFFFFFF)


def is_gzip(content: bytes) -> bool:
    """Return whether a file that begins with `content` is compressed by gzip."""
    return content.startswith(_GZIP_MAGIC)


def decompress_head(content: bytes, max_bytes: int) -> bytes:
    """Return the first bytes that a file holds, given its own first bytes; b"" if it is damaged."""
    try:
        return _make_gzip_reader().decompress(content, max_bytes)
    except zlib.error:
        return b""


def decompress_members(content: bytes, max_bytes: int) -> tuple[bytes, int]:
    """Decompress all complete members of a file.

    Args:
        content: The bytes of the file.
        max_bytes: How much all members together may hold.

    Returns:
        The content of the members, and how many bytes of the file they take. The second is less
        than `len(content)` if the last member is not complete.

    Raises:
        GzipMemberError: The file is damaged, holds more than `max_bytes`, or has other members.
    """
    parts: list[bytes] = []
    position = 0
    while position + _HEADER.size <= len(content):
        *fields, size = _HEADER.unpack_from(content, position)
        if tuple(fields) != _HEADER_FIELDS:
            raise GzipMemberError(
                "it is damaged, or another program compressed it: decompress it first"
            )
        if position + size > len(content):
            break
        part = _decompress_member(content[position : position + size], max_bytes)
        parts.append(part)
        position += size
        max_bytes -= len(part)
    return b"".join(parts), position


def _decompress_member(member: bytes, max_bytes: int) -> bytes:
    reader = _make_gzip_reader()
    try:
        content = reader.decompress(member, max_bytes + 1)
    except zlib.error as error:
        raise GzipMemberError(f"it is damaged: {error}") from None
    if len(content) > max_bytes:
        raise GzipMemberError("it holds more than a file may")
    if not reader.eof or reader.unused_data:
        raise GzipMemberError("it is damaged: a part is not as long as it says")
    return content


def _make_gzip_reader() -> Any:
    return zlib.decompressobj(16 + zlib.MAX_WBITS)
