"""The cells of a grid in order: by games on the same luck, against rates that are known, all statements together."""

import itertools
import json
import os
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import hardmode
from hardmode.cli import app
from hardmode.reports.console import ranking as told
from hardmode.scenarios.load import load_scenario
from hardmode.sim.contract import discovery
from hardmode.studies.comparison.rank import Ranking

TOYS = Path(__file__).parent / "toys"
RULES = ["die", "agree", "sum", "deal", "whim"]
GRID = {"game": "tosses", "strategies": ["random"], "sweep": {"setup.rule": RULES}}
TARGETS = {"game": "pig", "title": "Pig", "sweep": {"target": [90, 100, 110]}}


@pytest.fixture(scope="module", autouse=True)
def toys():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(discovery.PATH, os.pathsep.join([str(TOYS), os.environ[discovery.PATH]]))
        yield


def exact():
    """The rate of each rule, by all that can be drawn."""
    import tosses as game

    drawn = list(itertools.product(*map(range, (*game.SIZES, 2))))
    return [np.mean([game.scored(which, *d) >= 4 for d in drawn]) for which in range(len(RULES))]


def of(won, confidence=0.95):
    """The ranking of cells whose games are given, a row each."""
    won = np.asarray(won, int)
    return Ranking([{"boss": i} for i in range(len(won))], False, won.shape[1], won @ won.T, confidence)


def test_all_pairs_hold_the_differences_that_counting_gives():
    found = hardmode.play(load_scenario(GRID), games=20_000).ranking
    rates = exact()
    for i, j in itertools.combinations(range(5), 2):
        d = found.estimate_difference(i, j)
        assert d.low <= rates[i] - rates[j] <= d.high and d.high - d.low < 0.06
        assert found.are_distinguishable(i, j) == (abs(rates[i] - rates[j]) > 0.01)
    for i in range(5):
        low, high = found.find_place_range(i)
        assert low <= 1 + sum(r < rates[i] for r in rates) and high >= 5 - sum(r > rates[i] for r in rates)
    assert [sorted(g) for g in found.groups] == [[4], [1, 3], [2], [0]], "two of the rules win half of the games each"


def test_a_pair_says_what_compare_says():
    found = hardmode.play(load_scenario(GRID), games=3000).ranking
    sides = (
        load_scenario("tosses/standard", [f"setup.rule={rule}"], strategies=["random"]) for rule in ("sum", "deal")
    )
    [pair] = hardmode.compare(*sides, games=3000)
    assert found.wins[2] - found.both[2, 3] == pair.wins_lost and found.wins[3] - found.both[2, 3] == pair.wins_gained


def test_games_that_are_told_do_not_depend_on_threads_and_rows_are_written_all_the_same(tmp_path):
    one, two = (hardmode.play(load_scenario(TARGETS), games=800, threads=n, rows=tmp_path / str(n)) for n in (1, 2))
    assert (one.ranking.both == two.ranking.both).all() and (tmp_path / "1" / "cell-003").exists()
    assert list(one.ranking.wins) == [r.tally.count_wins_by_seat()[0] for r in one]


def test_what_was_played_before_is_not_ranked_and_new_games_are(tmp_path):
    file = tmp_path / "kept.json"
    hardmode.play(load_scenario(TARGETS), games=500, out=file)
    assert hardmode.play(load_scenario(TARGETS), games=500, out=file).ranking is None
    more = hardmode.play(load_scenario(TARGETS), games=1500, out=file)
    assert more.ranking.games == 1000 and more[0].games == 1500


def test_the_ends_are_named_and_so_is_what_cannot_be_told_apart():
    luck = np.arange(20_000) / 20_000
    said = told.describe_ranking(of([luck < 0.3, luck < 0.32, luck < 0.5, (luck > 0.02) & (luck < 0.521)]))
    assert said[0].startswith("boss 0 is hardest: 1.") and said[0].endswith("points below the others")
    assert said[1].startswith("easiest is one of boss 2 and boss 3") and said[1].endswith("would be enough")
    assert said[-1].startswith("5 of 6 pairs")


def test_as_many_games_as_are_said_to_do_would_do():
    """Of 1500 games one wins 40 alone, the other 60: a difference that is not shown."""
    few = Ranking([{"boss": 0}, {"boss": 1}], False, 1500, np.array([[740, 700], [700, 760]]), 0.95)
    needed = few.estimate_needed_games(0, 1)
    assert not few.are_distinguishable(0, 1) and f"{needed // 100 + 1}00 games would be enough".replace(
        ",", ""
    ) in told.describe_ranking(few)[0].replace(",", "")
    times = needed / few.games
    assert Ranking(few.labels, False, needed, (few.both * times).astype(int), 0.95).are_distinguishable(0, 1)


def test_cells_that_win_the_same_games_are_said_to():
    won = np.random.default_rng(3).random(500) < 0.4
    found = of([won, won])
    assert not found.estimate_needed_games(0, 1) and "the same number of games" in told.describe_ranking(found)[0]


def test_a_long_grid_is_told_by_its_ends():
    luck = np.random.default_rng(4).random(5000)
    found = of([luck + 0.01 * i < 0.9 for i in range(54)])
    assert len(told.select_rows(found)) == 2 * told.ENDS + 1 and len(told.describe_ranking(found)) <= 7
    assert max(map(len, told.describe_ranking(found))) < 200


def test_the_command_ranks_in_words_and_in_json(tmp_path):
    file = tmp_path / "grid.yaml"
    file.write_text(json.dumps({**GRID, "title": "Tosses"}))
    done = CliRunner().invoke(app, ["run", str(file), "--games", "2000"])
    assert "rule whim is hardest" in done.output and "of 10 pairs" in done.output
    data = json.loads(CliRunner().invoke(app, ["run", str(file), "--games", "2000", "--json"]).stdout)["ranking"]
    assert data["order"][0]["cell"] == {"setup.rule": "whim"} and len(data["pairs"]) == 10
    assert all(p["low"] < p["points"] < p["high"] for p in data["pairs"] if p["told_apart"])


@pytest.mark.soak
def test_all_intervals_hold_together_in_95_of_100_grids():
    """Cells on shared luck, with rates that are near, equal and far: in how many grids any interval misses."""
    rates, rng = np.array([0.02, 0.3, 0.3, 0.31, 0.5, 0.52, 0.9, 0.99]), np.random.default_rng(5)
    grids, missed = 2000, 0
    for _ in range(grids):
        shared = rng.random(1500)
        own = rng.random((len(rates), 1500))
        mixed = np.where(rng.random((len(rates), 1500)) < 0.6, shared, own)
        low, high = of(mixed < rates[:, None])._bounds
        truth = rates[:, None] - rates
        missed += bool(((truth < low) | (truth > high))[~np.eye(len(rates), dtype=bool)].any())
    assert missed / grids <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / grids)


def test_a_notebook_shows_the_cells_with_the_hardest_first():
    few = Ranking([{"boss": 0}, {"boss": 1}], False, 1500, np.array([[760, 700], [700, 740]]), 0.95)
    shown, frame = few._repr_html_(), few.to_polars()
    assert shown.count("<tr>") == 3 and shown.count("<svg") == 2 and shown.index("49 %") < shown.index("51 %")
    assert frame["boss"].to_list() == few.to_pandas()["boss"].tolist() == [1, 0]
    assert frame["win_rate"].to_list() == pytest.approx([740 / 1500, 760 / 1500])
    assert (frame["low"] < frame["win_rate"]).all() and (frame["win_rate"] < frame["high"]).all()
