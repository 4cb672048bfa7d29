"""Progress of a command: a bar on a terminal, and what is compiled."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

from hardmode.reports.exit_codes import print_message
from hardmode.sim.compile import cache
from hardmode.studies.core.progress import Progress, ignore_progress

MIN_ANNOUNCED_SECONDS = 1.0
PrintLine = Callable[[str], None]


@contextmanager
def show_progress(title: str) -> Iterator[Progress]:
    """Show the progress of a command; the context is the function to report it to.

    On a terminal there is a bar with games per second and the time left. There as in a pipe, a
    line says what is compiled and about how long that takes, if it takes a second or more.
    """
    is_terminal = sys.stderr.isatty()
    bar = _show_bar(title) if is_terminal else nullcontext((ignore_progress, print_message))
    with bar as (report, print_line), _show_compiling(print_line):
        yield report


@contextmanager
def _show_bar(title: str) -> Iterator[tuple[Progress, PrintLine]]:
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from hardmode.reports.console.terminal import err

    bar = Progress(
        TextColumn("{task.fields[title]}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %"),
        TextColumn("{task.fields[speed]}"),
        TimeRemainingColumn(),
        TextColumn("[dim]{task.description}"),
        console=err,
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=1.0, title=escape(title), speed="")

        def report(what: str, share: float, pace: float = 0.0) -> None:
            speed = f"{pace:,.0f} games/s" if pace else ""
            bar.update(task, completed=share, description=escape(what), speed=speed)

        def print_line(text: str) -> None:
            err.print(f"[dim]{escape(text)}[/dim]", soft_wrap=True)

        yield report, print_line


@contextmanager
def _show_compiling(print_line: PrintLine) -> Iterator[None]:
    """Print what is compiled, and at the end how long it took."""
    n_compiled, n_awaited = len(cache.compiled_entries), len(cache.awaited_entries)

    def announce(name: str, seconds: float) -> None:
        if seconds >= MIN_ANNOUNCED_SECONDS:
            print_line(f"compiling {name} (once, about {seconds:.0f} s on an idle core)")

    try:
        with cache.on_compile(announce):
            yield
    finally:
        new = cache.compiled_entries[n_compiled:] + cache.awaited_entries[n_awaited:]
        if new:
            parts = f"{len(new)} part{'s' if len(new) > 1 else ''}"
            print_line(f"compiled {parts} in {sum(seconds for _, seconds in new):.1f} s")
