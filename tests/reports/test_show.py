"""What the command line prints of a result."""

import os
from pathlib import Path

import pytest

import hardmode
from hardmode.reports.console.run import print_results
from hardmode.sim.contract import discovery
from hardmode.sim.results.group_table import intern_name
from hardmode.studies.core import metric
from hardmode.studies.core.result_summary import summarize_result
from hardmode.studies.stats import estimates

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def _games(monkeypatch):
    places = (ROOT.parent / "examples" / "pig", ROOT / "reports" / "toy")
    monkeypatch.setenv(discovery.PATH, os.pathsep.join(map(str, places)))


def test_a_measure_that_was_never_anything_but_0_is_kept_in_the_data_and_not_printed(capsys):
    results = hardmode.play("pig/classic", games=50, threads=1)
    print_results(results)
    assert "│ rolls" in capsys.readouterr().out
    [without] = results
    with_values(without, "rolls", 0)
    print_results(results)
    assert "│ rolls" not in capsys.readouterr().out
    assert summarize_result(without).measures["rolls"].estimate.value == 0 and hardmode.cells([without])[
        "rolls"
    ].to_list() == [0]


def with_values(result, column, value):
    """The result as if a measure had come out otherwise in its games, each of which it tells of one by one."""
    counted = result.tally.count_table
    counted["value"][counted["column"] == intern_name(column)] = value
    return result


@pytest.mark.parametrize(("value", "low", "high"), [(0, 0.0, 0.07), (1, 0.93, 1.0)])
def test_a_measure_that_is_0_or_1_is_a_rate(value, low, high):
    [result] = hardmode.play("pig/classic", games=100, threads=1)
    s = summarize_result(with_values(result, "rolls", value)).measures["rolls"]
    assert s.is_rate and low <= s.estimate.low < s.estimate.high <= high and s.estimate.high - s.estimate.low > 0.03
    alone = metric.estimate_mean(result.tally, "rolls")
    assert (alone.low, alone.high) == (
        estimates.wilson_rate(100 * value, 100).low,
        estimates.wilson_rate(100 * value, 100).high,
    )


def test_a_table_holds_together_and_the_headline_by_itself(capsys):
    found = hardmode.play("lantern/home", games=400, threads=1)
    s = summarize_result(found[0])
    n, counts = s.list_lengths, list(s.ending_counts.values())
    alone = estimates.wilson_rate(s.wins, 400)
    assert (s.win_rate.low, s.win_rate.high) == (alone.low, alone.high)
    assert [e.low for e in s.ending_shares.values()] == [e.low for e in estimates.clopper_pearson_shares(counts)]
    rows = [x for values in s.factors.values() for x in values.values()]
    assert n["endings"] == len(counts) and n["factors"] == len(rows)
    assert [x.win_rate.high for x in rows] == [
        e.high for e in estimates.clopper_pearson_rates([(x.wins, x.games) for x in rows])
    ]
    each = estimates.bonferroni_level(0.95, n["measures"])
    assert (
        s.rounds.estimate.low
        == estimates.student_t_mean(*metric.compute_power_sums(found[0].tally.count_values("rounds")), each).low
    )
    print_results(found, details=True)
    told = " ".join(capsys.readouterr().out.split())
    assert "the interval of the win rate holds at 95 %, and so do all intervals of a table together" in told
    assert hardmode.endings(found)["low"].to_list() == [e.low for e in estimates.clopper_pearson_shares(counts)]


def test_cells_of_a_grid_hold_together():
    found = hardmode.play("lantern/grid", games=200, threads=1)
    wide = [
        (e.low, e.high) for e in estimates.clopper_pearson_rates([(metric.count_wins(r.tally), r.games) for r in found])
    ]
    assert hardmode.cells(found).select("low", "high").rows() == wide
    assert hardmode.cells(found[:1])["low"][0] == estimates.wilson_rate(metric.count_wins(found[0].tally), 200).low


@pytest.mark.parametrize("width", [60, 140])
def test_a_grid_tells_how_it_ends_on_a_narrow_terminal_too(width, tmp_path, monkeypatch):
    """No word of it is cut, and no line is wider than the terminal."""
    from tests.test_commands import hardmode as command

    (tmp_path / "grid.yaml").write_text("game: pig\ntitle: three dice\nplayers: 2\nsweep: {die.sides: [6, 8, 10]}\n")
    monkeypatch.setenv("COLUMNS", str(width))
    lines = command("run", "grid.yaml", "--games", 200, folder=tmp_path).out.splitlines()
    assert max(len(line) for line in lines if not line.startswith("Next: ")) <= width  # a command is not broken
    assert sum("how it ends" in line for line in lines) == 1
    assert sum(line.count("first player wins") for line in lines) == 3
    assert any("games" in line and "how it ends" in line for line in lines) == (width == 140)
