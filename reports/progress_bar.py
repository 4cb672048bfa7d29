"""What somebody who waits is told: on a terminal a bar and every part that is compiled, elsewhere only the first."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

from hardmode.reports.exit_codes import say
from hardmode.sim.compile import cache as compiling
from hardmode.studies.core.progress import Progress, silent

Tell = Callable[[str], None]


@contextmanager
def progress_bar(title: str) -> Iterator[Progress]:
    """A bar with games a second and time left on a terminal, and what is compiled; silent in a pipe."""
    watched = sys.stderr.isatty()
    with (
        _bar(title) if watched else nullcontext((silent, say)) as (step, tell),
        _compiling(tell, every=watched),
    ):
        yield step


@contextmanager
def _bar(title: str) -> Iterator[tuple[Progress, Tell]]:
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from hardmode.reports.console.result import err

    bar = Progress(
        TextColumn("{task.fields[title]}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %"),
        TextColumn("{task.fields[pace]}"),
        TimeRemainingColumn(),
        TextColumn("[dim]{task.description}"),
        console=err,
        transient=True,
    )
    with bar:
        task = bar.add_task("", total=1.0, title=escape(title), pace="")

        def step(what: str, share: float, pace: float = 0.0) -> None:
            bar.update(
                task,
                completed=share,
                description=escape(what),
                pace=f"{pace:,.0f} games/s" if pace else "",
            )

        yield step, lambda said: err.print(f"[dim]{escape(said)}[/dim]", soft_wrap=True)


@contextmanager
def _compiling(tell: Tell, *, every: bool) -> Iterator[None]:
    """While this lasts, what is compiled is said, and in the end how long it took: that is long, and only once."""
    before = len(compiling.compiled), len(compiling.waited)
    told: list[str] = []

    def part(name: str) -> None:
        if every or not told:
            tell(f"compiling {name}{'' if every else ' and more'} (once)")
        told.append(name)

    try:
        with compiling.announcing(part):
            yield
    finally:
        taken = compiling.compiled[before[0] :] + compiling.waited[before[1] :]
        if taken:
            parts = f"{len(taken)} part{'s' if len(taken) > 1 else ''}"
            tell(f"compiled {parts} in {sum(s for _, s in taken):.1f} s")
