"""MicroPython, which runs the words of games in a page; see `micropython/README.md`."""

from __future__ import annotations

import base64
import gzip
import zlib
from pathlib import Path

FOLDER = Path(__file__).parent / "micropython"
OPTIONS = "let Module={"  # where the loader begins its settings
BINARY = "wasmBinary:options.wasmBinary,"  # a page has no file to load the interpreter from


def load_interpreter() -> dict[str, str]:
    """Return the interpreter and the script that loads it, compressed, in base64."""
    loader = gzip.decompress((FOLDER / "micropython.mjs.gz").read_bytes()).decode()
    binary = gzip.decompress((FOLDER / "micropython.wasm.gz").read_bytes())
    assert loader.count(OPTIONS) == 1
    patched = loader.replace(OPTIONS, OPTIONS + BINARY)
    return {"loader": encode(patched.encode()), "binary": encode(binary)}


def encode(content: bytes) -> str:
    """Return bytes for the page: compressed, in base64."""
    return base64.b64encode(zlib.compress(content, 9)).decode()
