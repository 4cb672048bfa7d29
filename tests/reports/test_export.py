"""The files of a report: what a spreadsheet would take for a formula is a text."""

import csv
import io

import polars as pl

from hardmode.reports.page import export
from hardmode.reports.page.model import Column, ReportTable


def test_a_text_is_no_formula():
    texts = ["=cmd|'/C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "plain", "a=b", "-1", "+0.5"]
    made = ReportTable("odd", "Odd", [Column("what", "=what"), Column("n", "n", "count")],
                 [{"what": text, "n": -i} for i, text in enumerate(texts)])
    files = export.export_table(made)
    head, *rows = csv.reader(io.StringIO(files["odd.csv"]))
    assert head == ["'=what", "n"]
    assert [row[0] for row in rows] == [f"'{t}" for t in texts[:5]] + texts[5:]
    assert [row[1] for row in rows] == [str(-i) for i in range(len(texts))]
    assert pl.read_parquet(io.BytesIO(files["odd.parquet"]))["=what"].to_list() == texts
