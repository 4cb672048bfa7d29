"""Consoles for stdout and stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

from rich.console import Console, ConsoleOptions
from rich.segment import Segment

from hardmode.sim.files.text import escape_control_chars

PIPE_WIDTH = 140  # columns of the output if it goes to a pipe


class Terminal(Console):
    """Console that escapes control characters, so texts of users cannot move the cursor."""

    def render(self, renderable: Any, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """Yield the segments of a renderable with control characters escaped."""
        for part in super().render(renderable, options):
            yield part if part.control else Segment(escape_control_chars(part.text), part.style)


def _choose_width() -> int | None:
    """Return the width of the output, or None if the terminal knows it."""
    return None if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH


out = Terminal(highlight=False, width=_choose_width())
err = Terminal(stderr=True, highlight=False)
