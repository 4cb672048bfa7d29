"""MicroPython, which runs the words of games in a page; see `micropython/README.md`."""

from __future__ import annotations

import base64
import gzip
import zlib
from pathlib import Path

FOLDER = Path(__file__).parent / "micropython"
# What is changed in the loader, which is a module that loads the interpreter from a file beside it:
# a page that was opened as a file can start a Worker only from a script, and has no other file.
CHANGES = {
    "let Module={": "let Module={wasmBinary:options.wasmBinary,",
    "import.meta.url": "self.location.href",
    "export default ": "",
    "export async function ": "async function ",
}


def load_interpreter() -> dict[str, str]:
    """Return the interpreter and the script that loads it, compressed, in base64."""
    loader = gzip.decompress((FOLDER / "micropython.mjs.gz").read_bytes()).decode()
    binary = gzip.decompress((FOLDER / "micropython.wasm.gz").read_bytes())
    for before, after in CHANGES.items():
        loader = loader.replace(before, after)
    return {"loader": encode(loader.encode()), "binary": encode(binary)}


def encode(content: bytes) -> str:
    """Return bytes for the page: compressed, in base64."""
    return base64.b64encode(zlib.compress(content, 9)).decode()
