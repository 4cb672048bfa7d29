"""Files that are compressed and yet only added to: parts of gzip, one after the other, each whole or not there.

`zcat` and Python's gzip read such a file from end to end. Each part says in its head how long it is, so that one that a
killed process did not end is told from one that is damaged.
"""

from __future__ import annotations

import struct
import zlib

_HEAD = struct.Struct("<4s6sH2sHI")
_KNOWN = (
    b"\x1f\x8b\x08\x04",
    b"\0\0\0\0\0\xff",
    8,
    b"hm",
    4,
)  # of gzip, with a field of four bytes: the length
_END = struct.Struct("<II")
_LEVEL = 1  # most of what is kept was compressed before, and is in base64


class PackedError(Exception):
    """A compressed file is damaged, of somebody else, or holds more than it may."""


def part(content: bytes) -> bytes:
    """What is added to a file."""
    body = zlib.compress(content, _LEVEL, wbits=-zlib.MAX_WBITS)
    end = _END.pack(zlib.crc32(content), len(content) & 0xFFFFFFFF)
    return _HEAD.pack(*_KNOWN, _HEAD.size + len(body) + _END.size) + body + end


def is_packed(content: bytes) -> bool:
    return content.startswith(_KNOWN[0][:2])


def beginning(content: bytes, most: int) -> bytes:
    """The first that a file holds, from its first bytes."""
    try:
        return _gunzip().decompress(content, most)
    except zlib.error:
        return b""


def opened(content: bytes, most: int) -> tuple[bytes, int]:
    """What the parts hold that are whole, and how many bytes these take; `most` is what they may hold."""
    found, at = list[bytes](), 0
    while at + _HEAD.size <= len(content):
        *known, size = _HEAD.unpack_from(content, at)
        if tuple(known) != _KNOWN:
            raise PackedError("it is damaged, or was compressed by another program: open it first")
        if at + size > len(content):
            break
        found.append(_unfolded(content[at : at + size], most))
        at, most = at + size, most - len(found[-1])
    return b"".join(found), at


def _unfolded(content: bytes, most: int) -> bytes:
    inside = _gunzip()
    try:
        found = inside.decompress(content, most + 1)
    except zlib.error as why:
        raise PackedError(f"it is damaged: {why}") from None
    if len(found) > most:
        raise PackedError("it holds more than a file may")
    if not inside.eof or inside.unused_data:
        raise PackedError("it is damaged: a part is not as long as it says")
    return found


def _gunzip() -> zlib._Decompress:
    return zlib.decompressobj(16 + zlib.MAX_WBITS)
