"""Exit codes, and the one-line messages with which commands end."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable

from hardmode.sim.files.text import to_one_line

DONE, ANSWER_IS_NO, WRONG_INPUT, INCONCLUSIVE, INTERRUPTED = 0, 1, 2, 3, 130
# Errors because of which stdout cannot be written.
WRITE_FAILURES = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EPIPE}


def print_message(text: str) -> None:
    """Print a message as one line on stderr."""
    print(to_one_line(text), file=sys.stderr)


def run_command(command: Callable[[], object]) -> int:
    """Run a command and return its exit code.

    Errors of users are printed as one line, without a traceback. Other exceptions are raised.
    """
    _prepare_streams()
    code: int | str | None = DONE
    cause: BaseException | None = None
    failure: Exception | None = None
    try:
        command()
    except SystemExit as stop:
        # Typer and rich exit with 1 if the reader of stdout has gone away.
        code, cause = stop.code, stop.__context__
    except KeyboardInterrupt:
        print_message("interrupted")
        code = INTERRUPTED
    except Exception as error:
        code, cause, failure = WRONG_INPUT, error, error
    write_error = _find_write_error(cause)
    if write_error:
        return _end_without_stdout(write_error)
    if failure:
        if not type(failure).__module__.startswith("hardmode."):
            raise failure
        print_message(f"error: {failure}")
    if isinstance(code, int):
        return code
    return WRONG_INPUT if code else DONE


def _prepare_streams() -> None:
    """Open streams that the calling process closed, and let stdout print any name."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _find_write_error(cause: BaseException | None) -> OSError | None:
    """Return the error because of which stdout was not written, or None."""
    if isinstance(cause, OSError) and cause.filename is None and cause.errno in WRITE_FAILURES:
        return cause
    try:
        sys.stdout.flush()
    except OSError as error:
        return error
    return None


def _end_without_stdout(error: OSError) -> int:
    """Return the exit code after stdout could not be written.

    If the reader has gone away (as `head` does), it has read enough. A full disk is an error.
    """
    # Python would try to write the rest when the process ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if isinstance(error, BrokenPipeError):
        return DONE
    print_message(f"error: stdout cannot be written: {error.strerror}")
    return WRONG_INPUT
