"""Files of `sensitivity`: the table of all steps, the plot, and the answer as JSON."""

from __future__ import annotations

import json
from pathlib import Path

from hardmode.reports.console.sensitivity import MAX_NUMBERS, make_step_table, make_tornado_figure
from hardmode.reports.json.encoding import encode_answer
from hardmode.reports.json.sensitivity import build_sensitivity_answer
from hardmode.reports.page import export
from hardmode.reports.page import folder as page_folder
from hardmode.reports.plots.figures import draw_png, draw_svg
from hardmode.reports.plots.style import BROAD
from hardmode.studies.sensitivity.analysis import SensitivityAnalysis


def write_sensitivity(analysis: SensitivityAnalysis, folder: Path) -> Path:
    """Write the table of all steps, the plot of the significant ones, and the answer as JSON."""
    content = export.export_table(make_step_table(analysis))
    answer = encode_answer("sensitivity", build_sensitivity_answer(analysis))
    content["sensitivity.json"] = json.dumps(answer, ensure_ascii=False, indent=1)
    if analysis.levers:
        figure = make_tornado_figure(analysis, MAX_NUMBERS)
        content["tornado.svg"] = draw_svg(figure, BROAD).file
        content["tornado.png"] = draw_png(figure, BROAD)
    page_folder.write_report_folder(folder, content)
    return folder
