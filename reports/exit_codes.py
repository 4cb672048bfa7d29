"""How the command ends: its exit code, and what went wrong in a line."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable

from hardmode.sim.files.text import one_line

DONE, NO, WRONG, INCONCLUSIVE, INTERRUPTED = 0, 1, 2, 3, 130
FULL = {
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EFBIG,
    errno.EIO,
    errno.EPIPE,
}  # why nothing more can be written


def say(text: str) -> None:
    print(one_line(text), file=sys.stderr)


def exit_code(command: Callable[[], object]) -> int:
    """Do what a command does. What users did wrong is said in a line, never as a traceback."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started hardmode
            setattr(sys, name, open(os.devnull, "w"))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a name may hold what no text can
    code: int | str | None = DONE
    why: BaseException | None = None
    wrong: Exception | None = None
    try:
        command()
    except SystemExit as stop:
        code, why = stop.code, stop.__context__  # where nobody reads, typer and rich stop with 1
    except KeyboardInterrupt:
        say("interrupted")
        code = INTERRUPTED
    except Exception as raised:
        code, why, wrong = WRONG, raised, raised
    unheard = _unheard(why)
    if unheard:
        return _not_heard(unheard)
    if wrong and not type(wrong).__module__.startswith("hardmode."):
        raise wrong
    if wrong:
        say(f"error: {wrong}")
    return code if isinstance(code, int) else WRONG if code else DONE


def _unheard(why: BaseException | None) -> OSError | None:
    """What kept stdout from being written, if anything did."""
    if isinstance(why, OSError) and why.filename is None and why.errno in FULL:
        return why
    try:
        sys.stdout.flush()
    except OSError as full:
        return full
    return None


def _not_heard(why: OSError) -> int:
    """A reader who went away has read enough; a full disk has not kept what was asked for."""
    os.dup2(
        os.open(os.devnull, os.O_WRONLY), 1
    )  # what is left is not tried again when the process ends
    if isinstance(why, BrokenPipeError):
        return DONE
    say(f"error: stdout cannot be written: {why.strerror}")
    return WRONG
