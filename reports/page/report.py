"""The difficulty report: play what it needs, say what came of it, and write the folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hardmode.scenarios.load import Scenario
from hardmode.studies.core.progress import Progress, ignore_progress, subprogress
from hardmode.studies.core.run import Effort

if TYPE_CHECKING:
    from hardmode.reports.page.html import PageFigure
    from hardmode.reports.page.model import Chapter, Section, Table
    from hardmode.sim.results.result import Result
    from hardmode.studies.comparison.compare import Comparison

SECONDS = 20.0  # what a scenario may take to play when the number of games is not given
TABLE_GAMES = 3000  # of each cell, as those play who were fitted
MOST_GAMES = 2_000_000  # games of each cell, at most, unless the number is given


class Edition(NamedTuple):
    """`short`: two pages a scenario, as print has it; `pdf`: that as a file; `xlsx`: a workbook of its tables;
    `fitted`: the file of a fit, which shows those who played beside the ladder."""

    short: bool = False
    pdf: bool = False
    xlsx: Path | None = None
    fitted: Path | None = None


WHOLE = Edition()


def make(
    scenarios: Sequence[Scenario],
    effort: Effort,
    folder: Path,
    progress: Progress = ignore_progress,
    seconds: float | None = SECONDS,
    edition: Edition = WHOLE,
) -> Path:
    """Write the report on some scenarios into a folder; returns its page.

    `effort.games` is the number of games of each cell; with `seconds`, the most of it, and as many are
    played as about that time allows for each scenario.
    """
    from hardmode.reports import workbook
    from hardmode.reports.page import folder as place
    from hardmode.reports.page import print_edition as editions
    from hardmode.reports.page.chapters.scenario import chapter
    from hardmode.studies.core import precompile
    from hardmode.studies.core.skill_levels import SKILL_LEVELS
    from hardmode.studies.playtests.fit import fit_file
    from hardmode.studies.playtests.fit.posterior_predictive import forecast_scenario
    from hardmode.studies.report_run.runner import play_report

    place.ready(folder)
    if edition.pdf:
        editions.browser()
    workbook.check_workbook_path(edition.xlsx)
    files = [
        fit_file.read_fit(edition.fitted, scenario) if edition.fitted else None for scenario in scenarios
    ]
    surveys, chapters = [], []
    with precompile.precompile_in_background(scenarios, SKILL_LEVELS):
        for i, scenario in enumerate(scenarios):
            step = subprogress(progress, i, len(scenarios), scenario.name)
            made = play_report(scenario, effort, seconds, step)
            if file := files[i]:
                made.fit_forecasts = (
                    file,
                    forecast_scenario(scenario, file.beliefs, replace(effort, games=TABLE_GAMES)),
                )
            step("telling what came of it", 1.0)
            surveys.append(made)
            chapters.append(chapter(made))
    how = {
        "seeds": {g.scenario.name: g.effort.seed for g in surveys},
        "confidence": effort.confidence,
    }
    page = _written(
        folder, chapters, [r for g in surveys for r in g.results], how, progress, edition
    )
    if edition.xlsx:
        workbook.write_workbook(edition.xlsx, *_told(chapters, how))
    return page


def _told(chapters: Sequence[Chapter], how: dict[str, Any]) -> tuple[list[Table], dict[str, Any]]:
    """All tables of a report, and what they are of; of several scenarios each with its number."""
    made = [
        replace(table, name=f"{n} {table.name}" if len(chapters) > 1 else table.name)
        for n, c in enumerate(chapters, 1)
        for section in c.sections
        for table in section.tables
    ]
    named = {
        f"scenario {n}" if len(chapters) > 1 else "scenario": c.name
        for n, c in enumerate(chapters, 1)
    }
    return made, {
        **named,
        **{f"seed of {name}": seed for name, seed in how["seeds"].items()},
        "confidence": how["confidence"],
    }


def compared(found: Sequence[Comparison], folder: Path, progress: Progress = ignore_progress) -> Path:
    """Write the page of a comparison into a folder; returns the page."""
    from hardmode.reports.page.chapters.compared import chapter

    how = {"seeds": {found[0].names[0]: found[0].seed}, "confidence": found[0].confidence}
    return _written(folder, [chapter(found)], [], how, progress)


def chaptered(chapter: Chapter, seed: int, confidence: float, folder: Path) -> Path:
    """Write a page of one chapter that somebody else has made into a folder; returns the page."""
    return _written(
        folder, [chapter], [], {"seeds": {chapter.name: seed}, "confidence": confidence}, ignore_progress
    )


def _written(
    folder: Path,
    chapters: Sequence[Chapter],
    results: Sequence[Result],
    how: dict[str, Any],
    progress: Progress,
    edition: Edition = WHOLE,
) -> Path:
    from hardmode.reports.page import export
    from hardmode.reports.page import folder as place
    from hardmode.reports.page import print_edition as editions
    from hardmode.reports.page.html import page

    shown = [editions.short(c) for c in chapters] if edition.short else chapters
    drawn: dict[tuple[str, str], PageFigure] = {}
    files: dict[str, str | bytes] = {}
    for c, whole in zip(shown, chapters, strict=True):
        inside = f"{c.slug}/" if len(chapters) > 1 else ""
        progress(f"{c.name}: drawing", 0.95)
        for section in c.sections:
            for name, figure, svg, png in _plots(section):
                drawn[c.slug, name] = figure
                files |= {f"plots/{inside}{name}.svg": svg, f"plots/{inside}{name}.png": png}
        for table in (t for section in whole.sections for t in section.tables):
            files |= {
                f"tables/{inside}{name}": content for name, content in export.table(table).items()
            }
    text = page(shown, drawn)
    files |= {place.RESULT: export.result(chapters, results, how), place.PAGE: text}
    if edition.pdf:
        progress("printing", 0.98)
        files[place.PDF] = editions.printed(text)
    place.write(folder, files)
    progress("done", 1.0)
    return folder / place.PAGE


def _plots(section: Section) -> Iterator[tuple[str, PageFigure, str, bytes]]:
    """The plots of a section: for the page, and as files."""
    from hardmode.reports.page import plots, print_edition
    from hardmode.reports.page.html import PageFigure
    from hardmode.reports.page.style import BROAD, WIDE

    broad = print_edition.broad(section.figures)
    for figure in section.figures:
        wide = figure.name in broad
        inline, svg, png = plots.draw(figure, BROAD if wide else WIDE)
        narrow = plots.narrow(figure) if wide and figure.kind != "heat" else ""
        brief = print_edition.on_paper(figure)
        paper = (plots.narrow(brief), brief.note) if brief else ("", "")
        yield figure.name, PageFigure(inline, wide, narrow, *paper), svg, png


def standard() -> list[str]:
    """The standard scenario of every game that ships it."""
    from hardmode.scenarios.load import list_scenario_files
    from hardmode.sim import contract
    from hardmode.sim.contract import discovery

    named = (f"{name}/{contract.load_game(name).standard}" for name in discovery.list_games())
    return [name for name in named if name in list_scenario_files()]
