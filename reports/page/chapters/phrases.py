"""Phrases and commands that several sections of a report use."""

from __future__ import annotations

import shlex

from hardmode.studies.report_run.commands import format_command_options, get_label_settings
from hardmode.studies.report_run.data import ReportData


def make_command(report: ReportData, command: str, *options: str) -> str:
    """Return the line that runs another command on the first variant of the report."""
    cell = report.first_cell
    settings = format_command_options(get_label_settings(cell), cell.overlay)
    return shlex.join(["hardmode", command, report.scenario.name, *settings, *options])


def describe_first_variant(report: ReportData) -> str:
    """Return " of the first variant, ..." in a report on a grid, and otherwise nothing."""
    if len(report.cells) == 1:
        return ""
    return f" of the first variant, {report.base.label}"


def name_first_variant(report: ReportData) -> str:
    """Return " with ...", the first variant, in a report on a grid, and otherwise nothing."""
    return f" with {report.base.label}" if len(report.cells) > 1 else ""


def make_sentence(text: str) -> str:
    """Return a text as a sentence, with a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."
