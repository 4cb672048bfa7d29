"""Messages to users that are not errors, on the standard library's logger `hardmode`.

A program that uses hardmode as a library sees them on stderr, or where it configures logging to
send them. The command line and the pytest plugin attach a handler of their own.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

LOGGER = logging.getLogger("hardmode")


@cache
def warn_once(message: str) -> None:
    """Log a message at level WARNING, unless this process has already logged the same text."""
    LOGGER.warning(message)


class MessageHandler(logging.Handler):
    """Logging handler that passes the text of each message to a function.

    Args:
        show: Called with the text of each message.
    """

    def __init__(self, show: Callable[[str], object]) -> None:
        super().__init__(logging.WARNING)
        self._show = show

    def emit(self, record: logging.LogRecord) -> None:
        """Show one message."""
        self._show(record.getMessage())


@contextmanager
def show_messages(show: Callable[[str], object]) -> Iterator[None]:
    """Pass every message that is logged inside the context to `show`."""
    handler = MessageHandler(show)
    LOGGER.addHandler(handler)
    try:
        yield
    finally:
        LOGGER.removeHandler(handler)
