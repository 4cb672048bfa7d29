"""How a file is named to a reader."""

from __future__ import annotations

from pathlib import Path


def short_path(path: Path) -> str:
    """A file's path as short as it can be said: from the working directory, when it lies there."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except (ValueError, OSError, RuntimeError):  # links that lead to themselves
        return str(path)
