"""The difficulty report: play what it needs, say what came of it, and write the folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardmode.scenarios.load import Scenario
from hardmode.studies.play import Effort
from hardmode.studies.progress import Progress, part, silent

if TYPE_CHECKING:
    from hardmode.reports.page.views import Chapter, Table
    from hardmode.sim.results import Result
    from hardmode.studies.compare import Comparison

SECONDS = 20.0  # what a scenario may take to play when the number of games is not given
MOST_GAMES = 100_000  # games of each cell, at most, unless the number is given


def make(scenarios: Sequence[Scenario], effort: Effort, folder: Path, progress: Progress = silent,
         seconds: float | None = SECONDS, xlsx: Path | None = None) -> Path:
    """Write the report on some scenarios into a folder, and its tables as a workbook; returns its page.

    `effort.games` is the number of games of each cell; with `seconds`, the most of it, and as many are
    played as about that time allows for each scenario.
    """
    from hardmode.reports import workbook
    from hardmode.reports.page import folder as place
    from hardmode.reports.page.chapters.scenario import chapter
    from hardmode.studies import precompile
    from hardmode.studies.ladder import RUNGS
    from hardmode.studies.surveyor import survey

    place.ready(folder)
    workbook.ready(xlsx)
    surveys, chapters = [], []
    with precompile.compiling(scenarios, RUNGS):
        for i, scenario in enumerate(scenarios):
            step = part(progress, i, len(scenarios), scenario.name)
            made = survey(scenario, effort, seconds, step)
            step("telling what came of it", 1.0)
            surveys.append(made)
            chapters.append(chapter(made))
    how = {"seeds": {g.scenario.name: g.effort.seed for g in surveys}, "confidence": effort.confidence}
    page = _written(folder, chapters, [r for g in surveys for r in g.results], how, progress)
    if xlsx:
        workbook.write(xlsx, *_told(chapters, how))
    return page


def _told(chapters: Sequence[Chapter], how: dict[str, Any]) -> tuple[list[Table], dict[str, Any]]:
    """All tables of a report, and what they are of; of several scenarios each with its number."""
    made = [replace(table, name=f"{n} {table.name}" if len(chapters) > 1 else table.name)
            for n, c in enumerate(chapters, 1) for section in c.sections for table in section.tables]
    named = {f"scenario {n}" if len(chapters) > 1 else "scenario": c.name for n, c in enumerate(chapters, 1)}
    return made, {**named, **{f"seed of {name}": seed for name, seed in how["seeds"].items()},
                  "confidence": how["confidence"]}


def compared(found: Sequence[Comparison], folder: Path, progress: Progress = silent) -> Path:
    """Write the page of a comparison into a folder; returns the page."""
    from hardmode.reports.page.chapters.compared import chapter

    how = {"seeds": {found[0].names[0]: found[0].seed}, "confidence": found[0].confidence}
    return _written(folder, [chapter(found)], [], how, progress)


def chaptered(chapter: Chapter, seed: int, confidence: float, folder: Path) -> Path:
    """Write a page of one chapter that somebody else has made into a folder; returns the page."""
    return _written(folder, [chapter], [], {"seeds": {chapter.name: seed}, "confidence": confidence}, silent)


def _written(folder: Path, chapters: Sequence[Chapter], results: Sequence[Result], how: dict[str, Any],
             progress: Progress) -> Path:
    from hardmode.reports.page import export, plots
    from hardmode.reports.page import folder as place
    from hardmode.reports.page.html import page

    drawn: dict[tuple[str, str], str] = {}
    files: dict[str, str | bytes] = {}
    for c in chapters:
        inside = f"{c.slug}/" if len(chapters) > 1 else ""
        progress(f"{c.name}: drawing", 0.95)
        for section in c.sections:
            for figure in section.figures:
                drawn[c.slug, figure.name], svg, png = plots.draw(figure, c.slug)
                files |= {f"plots/{inside}{figure.name}.svg": svg, f"plots/{inside}{figure.name}.png": png}
            for table in section.tables:
                files |= {f"tables/{inside}{name}": content for name, content in export.table(table).items()}
    files |= {place.RESULT: export.result(chapters, results, how), place.PAGE: page(chapters, drawn)}
    place.write(folder, files)
    progress("done", 1.0)
    return folder / place.PAGE


def standard() -> list[str]:
    """The standard scenario of every game that ships it."""
    from hardmode.scenarios.load import files
    from hardmode.sim import contract, discovery

    named = (f"{name}/{contract.game(name).standard}" for name in discovery.games())
    return [name for name in named if name in files()]
