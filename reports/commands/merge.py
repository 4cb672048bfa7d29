"""The command `merge`: add up result files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.commands.common import print_json
from hardmode.reports.commands.options import DetailsOption, JsonOption


def merge_results(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Result files of the same scenario.")
    ],
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="FILE", help="The file for the merged result.")
    ],
    details: DetailsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Add up result files of different games of the same scenario, played the same way.

    Example: [bold]hardmode merge a.json b.json -o all.json[/bold]
    """
    from hardmode.sim.files import atomic_files
    from hardmode.sim.results import result_file
    from hardmode.studies.core.saved_results import merge_result_files

    atomic_files.check_writable(out, atomic_files.RESULT)
    results = merge_result_files(files)
    if as_json:
        from hardmode.reports.json.merge import build_merge_answer

        print_json("merge", build_merge_answer(results))
    else:
        from hardmode.reports.console.run import print_results

        print_results(results, details=details)
    result_file.save_results(out, results)
