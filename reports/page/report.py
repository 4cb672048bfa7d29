"""Difficulty report: play its games, make its chapters, and write its folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hardmode.scenarios.load import Scenario
from hardmode.studies.core.progress import Progress, ignore_progress, subprogress
from hardmode.studies.core.run import Effort

if TYPE_CHECKING:
    from hardmode.reports.page.drawings import PageFigure
    from hardmode.reports.page.model import Chapter, Figure, ReportTable
    from hardmode.sim.results.result import Result
    from hardmode.studies.comparison.compare import Comparison

SECONDS = 20.0  # for the games of a scenario, unless the number of games is given
TABLE_GAMES = 3000  # of each cell, with the skill of fitted players
MOST_GAMES = 2_000_000  # of each cell, unless the number is given


class Edition(NamedTuple):
    """Form of the report.

    Attributes:
        short: Whether the page has only the two pages per scenario that are printed.
        pdf: Whether to write this short edition as a PDF.
        xlsx: Path of a workbook with all tables, if one is wanted.
        fitted: Path of a fit file, if the report compares its players with the skill levels.
        png: Whether to write every plot as a PNG file, too.
        plays: Whether the page can play the game; None for shipped games only.
        sliders: Values of numbers that the page offers to change, by path.
        retrain: Number of leading readings for which `trained` is retrained.
    """

    short: bool = False
    pdf: bool = False
    xlsx: Path | None = None
    fitted: Path | None = None
    png: bool = False
    retrain: int = 0
    plays: bool | None = None
    sliders: Mapping[str, Sequence[Any]] = {}


WHOLE = Edition()


def write_report(
    scenarios: Sequence[Scenario],
    effort: Effort,
    folder: Path,
    progress: Progress = ignore_progress,
    seconds: float | None = SECONDS,
    edition: Edition = WHOLE,
) -> Path:
    """Write the report on some scenarios into a folder.

    Args:
        scenarios: The scenarios.
        effort: Games, seed and confidence; `effort.games` is the number of games of each cell, or,
            with `seconds`, the maximum.
        folder: The folder of the report.
        progress: Callback for progress.
        seconds: Approximate playing time for each scenario, or None for `effort.games` games.
        edition: Form of the report.

    Returns:
        The path of the page.
    """
    from hardmode.reports import workbook
    from hardmode.reports.page import folder as place
    from hardmode.reports.page import print_edition as editions
    from hardmode.reports.page.chapters.scenario import make_scenario_chapter
    from hardmode.reports.page.play.panel import add_panel
    from hardmode.studies.core import precompile
    from hardmode.studies.playtests.fit import fit_file
    from hardmode.studies.playtests.fit.posterior_predictive import forecast_scenario
    from hardmode.studies.report_run.runner import play_report

    place.check_report_folder(folder)
    if edition.pdf:
        editions.find_browser()
    workbook.check_workbook_path(edition.xlsx)
    fits = []
    if edition.fitted:
        fits = [fit_file.read_fit(edition.fitted, scenario) for scenario in scenarios]
    reports, chapters = [], []
    with precompile.precompile_in_background(scenarios):
        for i, scenario in enumerate(scenarios):
            step = subprogress(progress, i, len(scenarios), scenario.name)
            report = play_report(scenario, effort, seconds, step, retrain=edition.retrain)
            if fits:
                beliefs, forecast_effort = fits[i].beliefs, replace(effort, games=TABLE_GAMES)
                forecasts = forecast_scenario(scenario, beliefs, forecast_effort)
                report.fit_forecasts = (fits[i], forecasts)
            step("writing the chapter", 1.0)
            reports.append(report)
            chapter = make_scenario_chapter(report)
            if not edition.short:
                step("preparing the page that plays", 1.0)
                chapter = add_panel(chapter, report, edition.plays, edition.sliders)
            chapters.append(chapter)
    settings = {
        "seeds": {report.scenario.name: report.effort.seed for report in reports},
        "confidence": effort.confidence,
    }
    results = [result for report in reports for result in report.results]
    page = _write_files(folder, chapters, results, settings, progress, edition)
    if edition.xlsx:
        workbook.write_workbook(edition.xlsx, *_collect_tables(chapters, settings))
    return page


def _collect_tables(
    chapters: Sequence[Chapter], settings: dict[str, Any]
) -> tuple[list[ReportTable], dict[str, Any]]:
    """Return all tables, with numbered names if there are several scenarios, and their settings."""
    several = len(chapters) > 1
    tables, names = [], {}
    for n, chapter in enumerate(chapters, 1):
        names[f"scenario {n}" if several else "scenario"] = chapter.name
        for section in chapter.sections:
            for table in section.tables:
                name = f"{n} {table.name}" if several else table.name
                tables.append(replace(table, name=name))
    seeds = {f"seed of {name}": seed for name, seed in settings["seeds"].items()}
    return tables, {**names, **seeds, "confidence": settings["confidence"]}


def write_comparison_page(
    found: Sequence[Comparison], folder: Path, progress: Progress = ignore_progress
) -> Path:
    """Write the page of a comparison into a folder and return its path."""
    from hardmode.reports.page.chapters.compared import make_comparison_chapter

    settings = {"seeds": {found[0].names[0]: found[0].seed}, "confidence": found[0].confidence}
    return _write_files(folder, [make_comparison_chapter(found)], [], settings, progress)


def write_chapter_page(chapter: Chapter, seed: int, confidence: float, folder: Path) -> Path:
    """Write a page with one given chapter into a folder and return its path."""
    return _write_files(
        folder,
        [chapter],
        [],
        {"seeds": {chapter.name: seed}, "confidence": confidence},
        ignore_progress,
    )


def _write_files(
    folder: Path,
    chapters: Sequence[Chapter],
    results: Sequence[Result],
    settings: dict[str, Any],
    progress: Progress,
    edition: Edition = WHOLE,
) -> Path:
    from hardmode.reports.page import export
    from hardmode.reports.page import folder as place
    from hardmode.reports.page import print_edition as editions
    from hardmode.reports.page.drawings import draw_png_files, draw_section
    from hardmode.reports.page.html import render_page

    shown = [editions.shorten_chapter(c) for c in chapters] if edition.short else chapters
    drawn: dict[tuple[str, str], PageFigure] = {}
    files: dict[str, str | bytes] = {}
    pictures: dict[str, tuple[Figure, float]] = {}
    for c, whole in zip(shown, chapters, strict=True):
        inside = f"{c.slug}/" if len(chapters) > 1 else ""
        progress(f"{c.name}: drawing", 0.95)
        for section in c.sections:
            for figure, shape, svg in draw_section(c.slug, section):
                drawn[c.slug, figure.name] = shape
                files[f"plots/{inside}{figure.name}.svg"] = svg
                pictures[f"plots/{inside}{figure.name}.png"] = (figure, shape.width)
        for table in (t for section in whole.sections for t in section.tables):
            files |= {
                f"tables/{inside}{name}": content
                for name, content in export.export_table(table).items()
            }
    if edition.png:
        progress("drawing PNG files", 0.97)
        files |= draw_png_files(pictures)
    text = render_page(shown, drawn)
    files |= {place.RESULT: export.export_result(chapters, results, settings), place.PAGE: text}
    if edition.pdf:
        progress("printing", 0.98)
        most = editions.PAGES_PER_SCENARIO * len(chapters)
        files[place.PDF] = editions.print_to_pdf(text, most)
    place.write_report_folder(folder, files)
    progress("done", 1.0)
    return folder / place.PAGE


def list_standard_scenarios() -> list[str]:
    """Return the standard scenario of each game that has one."""
    from hardmode.scenarios.load import list_scenario_files
    from hardmode.sim.contract import discovery, load_game

    named = (f"{name}/{load_game(name).standard}" for name in discovery.list_games())
    return [name for name in named if name in list_scenario_files()]
