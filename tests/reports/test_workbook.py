"""Tables as workbooks: what stands in a cell, what a spreadsheet would make of it, and what is never written over."""

import json

import openpyxl
import pandas as pd
import pytest
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.reports import workbook
from hardmode.reports.console import result_tables
from hardmode.reports.page.model import Column, ReportTable
from hardmode.sim.files import atomic_files
from hardmode.sim.files.atomic_files import OutputError
from hardmode.studies.core import run
from hardmode.studies.stats.estimates import Estimate

ODD = ["=1+1", "+1", "-2", "@SUM(A1)", "plain", "a\x00b\x1b[31m", "12.5 %", "x" * 40_000]


def made(tmp_path, *tables):
    file = tmp_path / "made.xlsx"
    workbook.write_workbook(file, tables, {"seed": 2**63 - 1, "scenario": "=cmd|'/C calc'!A0"})
    return file, openpyxl.load_workbook(file)


def test_a_text_is_no_formula_and_no_cell_breaks_the_file(tmp_path):
    table = ReportTable(
        "odd",
        "=Odd",
        [Column("what", "=what"), Column("n", "n", "count")],
        [{"what": text, "n": i} for i, text in enumerate(ODD)],
    )
    _, book = made(tmp_path, table)
    for sheet in book:
        assert all(cell.data_type != "f" for row in sheet.iter_rows() for cell in row)
    cells = [row[0] for row in book["odd"].iter_rows(min_row=2)]
    assert [c.value for c in cells[:5]] == ODD[:5] and all(c.quotePrefix for c in cells[:4])
    assert cells[5].value == "a\\x00b\\x1b[31m" and len(cells[7].value) == 32_767
    assert cells[6].value == 0.125 and cells[6].number_format == "0.0%"
    assert book["odd"]["A1"].value == "=what"
    about = {row[0].value: row[1].value for row in book["about"].iter_rows()}
    assert about["seed"] == str(2**63 - 1) and about["scenario"] == "=cmd|'/C calc'!A0"


def test_an_estimate_takes_three_columns_in_the_form_of_its_kind(tmp_path):
    kinds = {"rate": "0.0%", "points": "+0.0%;-0.0%;0.0%", "mean": "0.00", "change": "+0.00;-0.00;0.00"}
    table = ReportTable(
        "kinds",
        "Kinds",
        [*(Column(kind, kind, kind) for kind in kinds), Column("name", "name")],
        [{**dict.fromkeys(kinds, Estimate(0.5, 0.25, 0.75, 10)), "name": "a"}, {**dict.fromkeys(kinds), "name": "b"}],
    )
    file, book = made(tmp_path, table)
    frame = pd.read_excel(file, sheet_name="kinds")
    assert list(frame) == [kind + end for kind in kinds for end in ("", " low", " high")] + ["name"]
    assert frame.loc[0].tolist() == [*[0.5, 0.25, 0.75] * 4, "a"] and frame.loc[1].isna().sum() == 12
    forms = [cell.number_format for cell in book["kinds"][2]][:-1]
    assert forms == [form for form in kinds.values() for _ in range(3)]


def test_an_interval_that_a_page_tells_in_words_takes_three_columns_too(tmp_path):
    words = [
        "42.3 % (41.9 .. 42.7)",
        "\N{MINUS SIGN}3.5 (\N{MINUS SIGN}4.0 .. \N{MINUS SIGN}3.0)",
        "one game only",
        "7 (6 .. 8)",
    ]
    _, book = made(tmp_path, ReportTable("told", "", [Column("t", "told")], [{"t": text} for text in words]))
    rows = [[cell.value for cell in row] for row in book["told"].iter_rows()]
    assert rows == [
        ["told", "told low", "told high"],
        pytest.approx([0.423, 0.419, 0.427]),
        [-3.5, -4, -3],
        ["one game only", None, None],
        [7, 6, 8],
    ]


def test_sheets_have_names_that_spreadsheets_take(tmp_path):
    rows = [{"a": 1}]
    names = ["Endings", "endings", "a/b:c*d?e[f]", "n" * 40, "N" * 40, "about", ""]
    _, book = made(
        tmp_path,
        *(ReportTable(name, "", [Column("a", "a", "count")], rows) for name in names),
        ReportTable("empty", "", [Column("a", "a")], []),
    )
    assert len(book.sheetnames) == 8 and len({name.lower() for name in book.sheetnames}) == 8
    assert all(len(name) <= 31 and not set(name) & set("[]:*?/\\") for name in book.sheetnames)


def test_only_a_workbook_of_hardmode_is_written_over(tmp_path):
    file, book = made(tmp_path, ReportTable("one", "", [Column("a", "a", "count")], [{"a": 1}]))
    workbook.check_workbook_path(file)
    book.save(file)  # as somebody's spreadsheet does
    before = file.read_bytes()
    with pytest.raises(OutputError, match="not a workbook that hardmode wrote, and left alone"):
        workbook.check_workbook_path(file)
    with pytest.raises(OutputError, match=r"ends in \.xlsx"):
        workbook.check_workbook_path(tmp_path / "made.xls")
    with pytest.raises(OutputError, match="more than a workbook can hold"):
        workbook.write_workbook(
            tmp_path / "long.xlsx", [ReportTable("long", "Long", [Column("a", "a")], [{"a": 1}] * 1_048_576)], {}
        )
    assert file.read_bytes() == before and {p.name for p in tmp_path.iterdir()} == {"made.xlsx"}
    assert atomic_files.WORKBOOK.name == "a workbook"


def test_a_run_in_a_workbook_is_the_run_of_its_json(tmp_path):
    file = tmp_path / "run.xlsx"
    words = ["run", "run_run_run/solo", "--games", "60", "--seed", "3", "--threads", "1", "--json", "--xlsx", str(file)]
    said = json.loads(CliRunner().invoke(app, words).stdout)
    cells = pd.read_excel(file, sheet_name="cells")
    assert cells.loc[0, "strategies"] == "steady" and "players" not in cells
    assert cells.loc[0, ["win rate", "win rate low", "win rate high"]].tolist() == pytest.approx(
        [said["win_rate"], said["low"], said["high"]]
    )
    endings = pd.read_excel(file, sheet_name="endings").set_index("ending")
    assert endings["games"].to_dict() == said["endings"]
    share = said["ending_shares"]["won"]
    assert endings.loc["won", ["share", "share low", "share high"]].tolist() == pytest.approx(list(share.values()))
    measures = pd.read_excel(file, sheet_name="measures").set_index("measure")
    assert measures.loc["rounds", ["mean", "mean low", "mean high"]].tolist() == pytest.approx(
        [said["rounds"][k] for k in ("mean", "low", "high")]
    )


def test_seats_and_cells_of_a_grid_have_their_sheets(tmp_path):
    grid = {"game": "pig", "sweep": {"target": [20, 60]}, "strategies": ["steady", "random"]}
    found = run.play(grid, games=20, threads=1)
    file = tmp_path / "grid.xlsx"
    workbook.write_workbook(file, result_tables.make_result_tables(found), result_tables.describe_result_inputs(found))
    seats = pd.read_excel(file, sheet_name="seats")
    assert seats["games won"].tolist() == [k for r in found for k in r.tally.count_wins_by_seat()[:2]]
    assert seats["player"].tolist() == ["steady", "random"] * 2
    assert pd.read_excel(file, sheet_name="ranking")["place, from"].min() == 1


def test_a_comparison_in_a_workbook(tmp_path):
    file = tmp_path / "both.xlsx"
    words = ["compare", "pig/classic", "--set-b", "target=+10", "--games", "400", "--threads", "1", "--json"]
    said = json.loads(CliRunner().invoke(app, [*words, "--xlsx", str(file)]).stdout)
    change = pd.read_excel(file, sheet_name="difference").loc[0]
    assert change[["B minus A, points", "B minus A, points low", "B minus A, points high"]].tolist() == pytest.approx(
        [said["difference"], said["low"], said["high"]]
    )
    sheets = pd.read_excel(file, sheet_name=None)
    assert {"about", "difference", "ending-changes", "ledger"} <= set(sheets)
    assert sheets["ledger"]["of these flips"].dropna().between(0, 1).all()


@pytest.mark.soak
def test_a_report_in_a_workbook(tmp_path):
    page = tmp_path / "page.xlsx"
    words = ["report", "pig/classic", "--games", "300", "--threads", "1", "-o", str(tmp_path / "report")]
    assert CliRunner().invoke(app, [*words, "--xlsx", str(page)]).exit_code == 0
    book = pd.read_excel(page, sheet_name=None)
    written = {p.stem for p in (tmp_path / "report" / "tables").glob("*.csv")}
    assert {name for name in written if len(name) <= 31} <= set(book)
