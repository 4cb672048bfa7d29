"""Values computed from files, kept in memory while the files are unchanged."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")

SETTLING_SECONDS = 2.0  # a file changed since then may change again within one tick of its clock


class FileCache(Generic[T]):
    """A function of a file whose results are kept while the file is unchanged.

    A file counts as unchanged while its device, inode, size and time of modification are the
    same. The value of a file that was modified a moment ago is not kept, because a second change
    might not show in the time of modification. A missing file has no kept value either: `load`
    raises its own error.

    Args:
        load: Computes the value of a file.

    Example:
        >>> lines = FileCache(lambda path: path.read_text().splitlines())
        >>> lines.get(Path("box.yaml"))  # reads the file at the first call only
    """

    def __init__(self, load: Callable[[Path], T]) -> None:
        self._load = load
        self._values: dict[Path, tuple[tuple[int, ...], T]] = {}

    def get(self, path: Path) -> T:
        """Return the value of a file as it is now."""
        try:
            status = path.stat()
        except (OSError, ValueError):
            return self._load(path)
        signature = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
        kept = self._values.get(path)
        if kept and kept[0] == signature:
            return kept[1]
        value = self._load(path)
        if time.time() - status.st_mtime > SETTLING_SECONDS:
            self._values[path] = (signature, value)
        return value

    def clear(self) -> None:
        """Forget all values."""
        self._values.clear()
