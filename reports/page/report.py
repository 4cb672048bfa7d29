"""The difficulty report: play what it needs, say what came of it, and write the folder."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardmode.scenarios.load import Scenario
from hardmode.studies.play import Effort
from hardmode.studies.progress import Progress, part, silent

if TYPE_CHECKING:
    from hardmode.reports.page.views import Chapter
    from hardmode.sim.results import Result
    from hardmode.studies.compare import Comparison

SECONDS = 12.0  # what a scenario may take to play when the number of games is not given
MOST_GAMES = 100_000  # games of each cell, at most, unless the number is given


class ReportError(Exception):
    """A report cannot be written; says why."""


def make(scenarios: Sequence[Scenario], effort: Effort, folder: Path, progress: Progress = silent,
         seconds: float | None = SECONDS) -> Path:
    """Write the report on some scenarios into a folder; returns its page.

    `effort.games` is the number of games of each cell; with `seconds`, the most of it, and as many are
    played as about that time allows for each scenario.
    """
    from hardmode.reports.page.chapters.scenario import chapter
    from hardmode.studies import precompile
    from hardmode.studies.survey import RUNGS
    from hardmode.studies.surveyor import survey

    _ready(folder)
    surveys, chapters = [], []
    with precompile.compiling(scenarios, RUNGS):
        for i, scenario in enumerate(scenarios):
            step = part(progress, i, len(scenarios), scenario.name)
            made = survey(scenario, effort, seconds, step)
            step("telling what came of it", 1.0)
            surveys.append(made)
            chapters.append(chapter(made))
    how = {"seeds": {g.scenario.name: g.effort.seed for g in surveys}, "confidence": effort.confidence}
    return _written(folder, chapters, [r for g in surveys for r in g.results], how, progress)


def compared(found: Sequence[Comparison], folder: Path, progress: Progress = silent) -> Path:
    """Write the page of a comparison into a folder; returns the page."""
    from hardmode.reports.page.chapters.compared import chapter

    _ready(folder)
    how = {"seeds": {found[0].names[0]: found[0].seed}, "confidence": found[0].confidence}
    return _written(folder, [chapter(found)], [], how, progress)


def _written(folder: Path, chapters: Sequence[Chapter], results: Sequence[Result], how: dict[str, Any],
             progress: Progress) -> Path:
    from hardmode.reports.page import export, plots
    from hardmode.reports.page.html import page

    drawn: dict[tuple[str, str], str] = {}
    for c in chapters:
        inside = Path(c.slug) if len(chapters) > 1 else Path()
        progress(f"{c.name}: drawing", 0.95)
        for section in c.sections:
            for figure in section.figures:
                drawn[c.slug, figure.name], svg, png = plots.draw(figure, c.slug)
                export.write(folder / "plots" / inside / f"{figure.name}.svg", svg)
                export.write(folder / "plots" / inside / f"{figure.name}.png", png)
            for table in section.tables:
                export.table(folder / "tables" / inside, table)
    export.result(folder / "result.json", chapters, results, how)
    export.write(folder / "index.html", page(chapters, drawn))
    progress("done", 1.0)
    return folder / "index.html"


def _ready(folder: Path) -> None:
    """An empty folder, or one that holds an earlier report, whose files are taken away."""
    if folder.exists() and not folder.is_dir():
        raise ReportError(f"{folder} is a file; a report is a folder")
    found = {p.name for p in folder.iterdir()} if folder.exists() else set()
    if found and not found & {"index.html", "result.json"}:
        raise ReportError(f"{folder} holds other files; give another folder for the report")
    try:
        for name in ("tables", "plots"):
            shutil.rmtree(folder / name, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise ReportError(f"{folder} cannot be written: {why.strerror}") from None


def standard() -> list[str]:
    """The standard scenario of every game that ships it."""
    from hardmode.scenarios.load import files
    from hardmode.sim import contract, discovery

    named = (f"{name}/{contract.game(name).standard}" for name in discovery.games())
    return [name for name in named if name in files()]
