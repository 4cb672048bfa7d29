"""The folder of a report: its numbers are those of its games, its files agree, its page is whole and harmless."""

import csv
import re
import shlex
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from hardmode.reports.console import wording
from hardmode.reports.page import export, report
from hardmode.reports.page.chapters import examples, over_time, rivals, targets
from hardmode.reports.page.model import ESTIMATES, Column, ReportTable, convert_to_json
from hardmode.scenarios.expect import parse_amount, parse_rate
from hardmode.scenarios.load import load_scenario
from hardmode.sim.contract import ENDING, ROUNDS, SCORES, WINNERS
from hardmode.sim.files.atomic_files import OutputError
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.studies.comparison import levels
from hardmode.studies.core import run, saved_results
from hardmode.studies.core.metric import DifficultyMetric
from hardmode.studies.core.progress import ignore_progress
from hardmode.studies.report_run import runner, variant_parts
from hardmode.studies.report_run.data import FactorialGrid, ReportData
from hardmode.studies.stats import estimates, formatting
from hardmode.studies.stats.estimates import Estimate
from tests.reports.toy import making

NAMES = ("lantern/home", "lantern/grid", "lantern/light", "pig/classic")


@pytest.fixture(scope="module", autouse=True)
def _toy():
    with making.toy():
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return making.make(tmp_path_factory.mktemp("report") / "all", *NAMES).parent


@pytest.fixture(scope="module")
def data(folder):
    return making.result(folder)


@pytest.fixture(scope="module")
def page(folder):
    return making.parsed(folder / "index.html")


@pytest.fixture(scope="module")
def home():
    return runner.play_report(load_scenario("lantern/home"), run.Effort(400, threads=1), None, ignore_progress)


def chapters(data):
    return {c["name"]: c for c in data["report"]["chapters"]}


def tables(chapter):
    return {t["name"]: t for s in chapter["sections"] for t in s["tables"]}


def every_table(data):
    return [(name, t) for name, c in chapters(data).items() for t in tables(c).values()]


def estimate(cell):
    known = {k: float("nan") if v is None else v for k, v in cell.items()}
    return Estimate(**known)


# -- the numbers ------------------------------------------------------------------------------------


def test_every_number_of_the_page_is_that_of_the_result_file(data, page):
    seen = 0
    for name, table in every_table(data):
        rows = next(page.by_id(f"{name.replace('/', '-')}-table-{table['name']}").all("tbody")).all("tr")
        for shown, row in zip(rows, table["rows"][: table["page_rows"]], strict=True):
            for cell, column in zip(making.elements(shown), table["columns"], strict=True):
                value = row[column["key"]]
                if column["kind"] in ESTIMATES and value is not None:
                    say, span = (
                        formatting.VALUE_FORMATTERS[column["kind"]],
                        formatting.INTERVAL_FORMATTERS[column["kind"]],
                    )
                    assert float(cell.attributes["data-v"]) == value["value"]
                    assert cell.text == f"{say(estimate(value))} {span(estimate(value))}"
                    seen += 1
                elif column["kind"] == "count":
                    assert cell.text.replace(",", "") == str(value)
                elif value is not None:
                    assert cell.text.replace("\N{NO-BREAK SPACE}", " ") == str(value)
    assert seen > 200


def test_the_win_rate_is_that_of_the_games_played_one_by_one(data):
    made = run.make_engine(load_scenario("lantern/home").cells[0])
    rows = allocate_rows(made.game, 400)
    made.play(Workspace(made.game), 1, 0, 400, rows)
    won = int((np.asarray(rows)[WINNERS] != 0).sum())
    steady = next(r for r in tables(chapters(data)["lantern/home"])["ladder"]["rows"] if r["strategy"] == "steady")
    assert steady["won"] == convert_to_json(estimates.wilson_rate(won, 400))


def test_every_command_plays_the_games_it_stands_for(data):
    for name in NAMES:
        rows = [r for r in tables(chapters(data)[name])["commands"]["rows"] if r["digest"]]
        for row in rows[:: max(1, len(rows) // 4)]:
            words = shlex.split(row["command"])
            flags = [(a, b) for a, b in pairwise(words) if a.startswith("--")]
            scenario = load_scenario(
                words[2],
                sets=[b for a, b in flags if a == "--set"],
                strategies=[b for a, b in flags if a == "--strategy"],
                slips=[b for a, b in flags if a == "--mistakes"],
            )
            effort = run.Effort(int(dict(flags)["--games"]), seed=int(dict(flags)["--seed"]), threads=1)
            (result,) = run.play(scenario, effort)
            assert result.outcome_digest == row["digest"], row["command"]


def test_the_result_file_can_be_reproduced(folder, data):
    checks = saved_results.reproduce_result_file(folder / "result.json.gz", 1, lambda *_: None)
    assert len(checks) == len(data["cells"]) > 40
    assert all(c.is_same and not c.changed_inputs for c in checks)


@pytest.mark.soak
def test_the_same_games_make_the_same_page(folder, tmp_path):
    again = making.make(tmp_path / "again", *NAMES)
    assert again.read_text() == (folder / "index.html").read_text()


def test_the_heat_map_of_a_grid_holds_its_cells(data):
    grid = chapters(data)["lantern/grid"]
    figure = grid["sections"][0]["figures"][0]
    found = {}
    for panel in figure["data"]["panels"]:
        for row, line in zip(panel["rows"], panel["cells"], strict=True):
            for column, cell in zip(panel["columns"], line, strict=True):
                found[row, column, panel["title"]] = cell
    assert len(found) == 18
    for row in tables(grid)["variants"]["rows"]:
        key = row["setup.beast"], str(row["setup.players"]), f"wood {row['setup.wood']}"
        assert found[key] == row["won"]


def test_what_a_value_of_the_grid_does_is_against_all_the_others(data):
    grid = tables(chapters(data)["lantern/grid"])
    variants = grid["variants"]["rows"]
    wins = Counter()
    for row in variants:
        wins[row["setup.beast"]] += round(row["won"]["value"] * row["games"])
    expected = estimates.estimate_level_effects({b: (n, 400 * 6) for b, n in wins.items()})
    effects = {
        r["label"]: r["effect"]
        for r in grid["effects"]["rows"]
        if r["group"] == "beast" and r["against"] == "against all the other variants"
    }
    assert effects == {b: convert_to_json(e) for b, e in expected.items()}


def test_doubtful_numbers_are_tried_in_every_combination(home):
    from hardmode.reports.page.chapters.trust import make_trust_section

    assert home.uncertain_grid.paths == ("light", "bite.wolf") and home.uncertain_grid.values == (
        (9, 12, 15),
        (1, 2, 3),
    )
    assert len(home.uncertain_grid.variants) == 9 and home.uncertain_grid.variants[12, 2] is home.base
    rates = {}
    for (light, wolf), item in home.uncertain_grid.variants.items():
        again = run.play(
            load_scenario("lantern/home", [f"light={light}", f"bite.wolf={wolf}"]), run.Effort(item.result.games)
        )
        assert again[0].outcome_digest == item.result.outcome_digest
        rates[light, wolf] = home.metric.estimate_win_rate(item.tally)
    made = make_trust_section(home)
    told, [figure] = made.sentences[2], made.figures
    assert "“light” and “bite wolf”" in told
    for most in (min, max):
        assert formatting.format_rate(most(rates.values(), key=lambda e: e.value)) in told
    [panel] = figure.data["panels"]
    assert panel["rows"] == ["9", "12", "15"] and panel["columns"] == ["1", "2", "3"]
    assert panel["cells"][0][2] == rates[9, 3]


def test_what_the_scenario_sets_itself_is_no_doubt():
    made = runner.play_report(load_scenario("lantern/home", ["light=10"]), run.Effort(100), None, ignore_progress)
    assert made.uncertain_grid.paths == ("bite.wolf",) and list(made.uncertain_grid.variants) == [(1,), (2,), (3,)]


def test_lists_in_doubt_are_called_by_how_they_stand():
    from hardmode.reports.page.chapters.trust import _name_list_values

    doubts = FactorialGrid(("die.faces", "way"), (((1, 1), (1, 2), (2, 2), (2, 3)), (3, 4)), {})
    names, note = _name_list_values(
        SimpleNamespace(first_cell=SimpleNamespace(values={"die.faces": [1, 2], "way": 3})), doubts
    )
    assert list(names.values()) == ["less", "as it stands", "more", "more more"]
    assert note == "Die faces: less [1, 1], as it stands [1, 2], more [2, 2], more more [2, 3]."


def test_another_choice_is_compared_with_the_scenario_as_it_stands(home):
    from hardmode.reports.page.chapters.causes import make_causes_section

    row = next(r for r in make_causes_section(home).tables[0].rows if r["name"] == "wood thick")
    thick, base = home.setup_choices["setup.wood"]["thick"].tally, home.base.tally
    assert row["effect"] == estimates.newcombe_difference(
        thick.count_wins(), thick.games, base.count_wins(), base.games
    )
    assert home.setup_grid.paths == ("setup.beast", "setup.wood", "setup.players")
    assert len(home.setup_grid.variants) == 3 * 2 * 4


def test_nothing_is_played_twice(home):
    assert home.skill_levels["steady"].result is home.base.result
    keys = [tuple(sorted(i.result.digests.items())) for i in home.played_variants]
    assert len(set(keys)) == len(keys)
    assert home.setup_grid.variants["wolf", "thin", 2].result is home.setup_choices["setup.beast"]["wolf"].result


def test_side_variants_are_kept_without_their_factors(home):
    kept = home.results
    assert kept[0].tally.groups_frame.height > 0 and kept[-1].tally.groups_frame.height == 0
    assert [r.outcome_digest for r in kept] == [i.result.outcome_digest for i in home.played_variants]
    assert home.played_variants[-1].tally.groups_frame.height > 0  # what the report itself reads is left alone


# -- endings and lengths ----------------------------------------------------------------------------


def test_who_is_still_playing_agrees_with_the_lengths(home):
    rounds, games = home.total_tally.count_values("rounds"), home.total_tally.games
    table = over_time.make_length_section(home).tables[0]
    for row in table.rows:
        longer = sum(n for r, n in rounds.items() if r >= row["round"])
        assert row["games"] == longer and row["alive"] == estimates.wilson_rate(longer, games)
    assert table.rows[0]["won"] == estimates.wilson_rate(home.total_tally.count_wins(), games)


def test_curves_are_means_over_the_games_that_reached_the_round(home):
    game, made = home.scenario.game, run.make_engine(home.first_cell)
    rows = allocate_rows(game, 400)
    made.play(Workspace(game), 1, 0, 400, rows)
    rows = np.asarray(rows)
    hearts = next(f for f in over_time.make_length_section(home).figures if f.name == "curve-hearts")
    lost = next(s for s in hearts.data["series"] if s["name"] == "games lost")
    ended = rows[:, (rows[ROUNDS] == 1) & (rows[WINNERS] == 0)]
    assert ended.shape[1] == 0  # nobody loses in the first round, so all lost games stand in its mean
    first = lost["estimates"][0]
    assert first.n == (rows[WINNERS] == 0).sum() and first.low < first.value < first.high
    batches = [t.curves[1:, 1, 1].sum() / t.alive[1:, 1].sum() for t in home.batch_tallies]
    assert first.value == pytest.approx(np.average(batches, weights=[t.alive[1:, 1].sum() for t in home.batch_tallies]))


def test_the_endings_of_every_stacked_bar_add_up(data):
    bars = [
        r
        for c in chapters(data).values()
        for s in c["sections"]
        for f in s["figures"]
        if f["kind"] == "stacked"
        for r in f["data"]["rows"]
    ]
    assert len(bars) > 20
    assert all(sum(r["shares"]) == pytest.approx(1) for r in bars)


def test_histograms_hold_every_game(data):
    for c in chapters(data).values():
        for f in (f for s in c["sections"] for f in s["figures"] if f["kind"] == "bars"):
            assert sum(sum(s["y"]) for s in f["data"]["series"]) == pytest.approx(1), f["name"]


def test_bins_hold_all_values():
    x, heights, width = rivals.bin_counts({-100: 1, 3: 2, 250: 1})
    assert width == 9 and x[0] == -100 and len(x) == len(heights) <= rivals.MAX_BARS
    assert sum(heights) == pytest.approx(1) and heights[(3 + 100) // 9] == 0.5
    assert rivals.bin_counts({4: 3, 6: 1}) == ([4, 5, 6], [0.75, 0.0, 0.25], 1)


# -- rivals -----------------------------------------------------------------------------------------


def test_rivals_have_a_view_of_their_own(data):
    pig = chapters(data)["pig/classic"]
    assert "who-wins" in [s["name"] for s in pig["sections"]]
    seats = tables(pig)["seats"]["rows"]
    assert [r["seat"] for r in seats] == [1, 2]
    assert sum(r["won"]["value"] for r in seats) == pytest.approx(1)
    assert "Seat 1 of 2 wins" in pig["verdict"][0]


def test_the_first_player_edge_is_the_mean_over_the_games():
    masks = {0b001: 5, 0b010: 3, 0b110: 2, 0b111: 1, 0: 4}
    tally = SimpleNamespace(games=15, count_values=lambda column: masks)
    edge = rivals.estimate_first_seat_edge(tally, 3, 0.95)
    ahead = [(m & 1) - ((m >> 1 & 1) + (m >> 2 & 1)) / 2 for m, n in masks.items() for _ in range(n)]
    assert edge.value == pytest.approx(np.mean(ahead))
    assert edge.half_width == pytest.approx(2.1447867 * np.std(ahead, ddof=1) / 15**0.5)  # t with 14 degrees


def test_a_score_alone_gives_the_curve_of_targets(home):
    scored = replace(home.scenario, game=replace(home.scenario.game, scored=True))
    made = ReportData(scored, home.effort, home.metric, home.cells, home.batch_tallies)
    section = rivals.make_score_section(made)
    curve = section.figures[-1].data["series"][0]
    assert curve["estimates"][0].value == 1.0
    scores = home.base.tally.count_values("score 1")
    for x, e in zip(curve["x"], curve["estimates"], strict=True):
        assert e == estimates.wilson_rate(sum(n for s, n in scores.items() if s >= x), 400)


def test_a_game_that_is_won_together_has_no_rivals():
    assert not DifficultyMetric.from_scenario(load_scenario("lantern/home"), 0.95).competitive
    assert DifficultyMetric.from_scenario(load_scenario("pig/classic"), 0.95).competitive
    assert not DifficultyMetric.from_scenario(load_scenario("pig/classic", players=1), 0.95).competitive


# -- examples ---------------------------------------------------------------------------------------


def test_three_games_are_what_they_are_called(home):
    win, loss, narrow = examples.select_example_games(home)
    rows = home.sample_rows
    assert rows[WINNERS, win.number] and not rows[WINNERS, loss.number] and not rows[WINNERS, narrow.number]
    lost = np.flatnonzero(rows[WINNERS] == 0)
    others = lost[lost != loss.number]
    assert rows[SCORES, narrow.number] == rows[SCORES, others].max()
    same = lost[rows[ENDING, lost] == np.bincount(rows[ENDING, lost]).argmax()]
    assert abs(rows[ROUNDS, loss.number] - np.median(rows[ROUNDS, same])) <= 0.5
    assert len({win.number, loss.number, narrow.number}) == 3


def test_stories_end_as_the_game_did(data):
    stories = [st for s in chapters(data)["lantern/home"]["sections"] for st in s["stories"]]
    assert [st["title"] for st in stories] == ["A typical win", "A typical loss", "The closest game"]
    for st in stories:
        assert st["lines"][-1] == st["summary"].split(": ", 1)[1]
        assert st["command"].startswith("hardmode replay lantern/home --game ")


# -- targets ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low", "high", "band", "where"),
    [
        (0.42, 0.44, "40% .. 55%", "inside"),
        (0.30, 0.39, "40% .. 55%", "below"),
        (0.56, 0.6, "40% .. 55%", "above"),
        (0.38, 0.42, "40% .. 55%", "not settled"),
        (0.5, 0.58, "40% .. 55%", "not settled"),
        (0.61, 0.7, "> 60%", "inside"),
        (0.1, 0.2, "> 60%", "below"),
        (0.5, 0.7, "<= 60%", "not settled"),
    ],
)
def test_a_target_is_met_only_by_the_whole_interval(low, high, band, where):
    assert targets.judge_target(Estimate((low + high) / 2, low, high, 100), parse_rate(band)) == where


@pytest.mark.parametrize(
    ("band", "scale", "text"),
    [
        (parse_rate("40% .. 55%"), 100, "40 .. 55 %"),
        (parse_rate("> 60%"), 100, "more than 60 %"),
        (parse_rate("<= 5%"), 100, "at most 5 %"),
        (parse_amount("6 .. 9"), 1, "6 .. 9"),
        (parse_amount("< 7.5"), 1, "less than 7.5"),
    ],
)
def test_bands_in_words(band, scale, text):
    assert targets.format_target(band, scale) == text


def test_the_targets_of_a_scenario_are_judged(data, home):
    rows = {r["what"]: r for r in tables(chapters(data)["lantern/home"])["targets"]["rows"]}
    assert set(rows) == {"win rate", "mean length in rounds"}
    assert rows["win rate"]["target"] == "40 .. 55 %" and rows["mean length in rounds"]["target"] == "4 .. 6"
    assert rows["win rate"]["verdict"] == targets.judge_target(
        home.metric.estimate_win_rate(home.base.tally), parse_rate("40% .. 55%")
    )


# -- words ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "low", "high", "said"),
    [
        (0.42345, 0.41923, 0.42767, "42.3 % (41.9 .. 42.8)"),
        (0.6, 0.45, 0.74, "60 % (45 .. 74)"),
        (0.0012, 0.0009, 0.0016, "0.12 % (0.09 .. 0.16)"),
        (0.5, 0.4999, 0.5001, "50.00 % (49.99 .. 50.01)"),
    ],
)
def test_no_more_figures_than_the_interval_supports(value, low, high, said):
    assert formatting.format_rate(Estimate(value, low, high, 100)) == said


def test_differences_have_signs():
    e = Estimate(-0.0321, -0.0401, 0.0002, 100)
    assert formatting.format_with_interval(e, "points") == "−3.2 (−4.0 .. 0.0)"
    assert formatting.format_with_interval(Estimate(1.5, 1.2, 1.8, 10), "change") == "+1.5 (+1.2 .. +1.8)"
    assert formatting.format_with_interval(Estimate(7.0, float("-inf"), float("inf"), 1), "mean") == "7 (one game only)"
    assert formatting.format_percent(Estimate(float("nan"), 0, 1, 0)) == "unknown"


def test_lists_in_words():
    assert [
        wording.format_two_figures(n) for n in (0, 7, 154, 12_345, 999_499, 2_162_525, 34_500_000, 999_600_000)
    ] == ["0", "7", "150", "12,000", "1 million", "2.2 million", "34 million", "1 billion"]
    assert [wording.join_names(x) for x in (["a"], ["a", "b"], ["a", "b", "c"], [])] == [
        "a",
        "a and b",
        "a, b and c",
        "",
    ]


def test_steps_are_round():
    found = [levels.round_down_to_1_2_5(n) for n in (0.3, 1, 3, 7, 19, 20, 49, 50, 99_999)]
    assert found == [1, 1, 2, 5, 10, 20, 20, 50, 50_000]


# -- the page ---------------------------------------------------------------------------------------


def test_text_stays_text(folder, page):
    raw = (folder / "index.html").read_text()
    title = "Home by <b>lantern</b> light & $\\alpha$"
    assert page.by_id("lantern-home").children and title in [n.text for n in page.all("h2")]
    assert "<b>lantern" not in raw and "<them>" not in raw
    assert any("A wolf follows <them> & the wood is dark." in n.text for n in page.all("pre"))


def test_the_page_asks_for_nothing(folder, page):
    for node in page.all():
        for name, value in node.attributes.items():
            if name in ("src", "href", "action", "data", "poster", "srcset", "xlink:href", "formaction", "background"):
                assert value.startswith("#") or value == "data:,", f"<{node.tag} {name}={value!r}>"
            assert not re.search(r"url\((?!#)", value), f"<{node.tag} {name}={value!r}>"
            assert not name.startswith("on")
    for code in [*page.all("style"), *page.all("script")]:
        assert not re.search(r"url\(|@import|https?:|fetch|XMLHttp|//[a-z]+\.", code.text)
    (policy,) = [n.attributes["content"] for n in page.all("meta") if "http-equiv" in n.attributes]
    assert policy.startswith("default-src 'none';")
    assert "http" not in (folder / "index.html").read_text().replace("http-equiv", "")


def test_names_in_the_page_are_its_own_and_links_lead_somewhere(page):
    names = Counter(n.attributes["id"] for n in page.all() if "id" in n.attributes)
    assert not [n for n, k in names.items() if k > 1]
    used = [n.attributes["href"][1:] for n in page.all() if n.attributes.get("href", "").startswith("#")]
    assert len(used) > 30 and not set(used) - set(names)


def test_every_plot_has_words_and_colours_that_follow_the_light(page, data):
    plots = list(page.all("svg"))
    figures = [f for c in chapters(data).values() for s in c["sections"] for f in s["figures"]]
    once = [
        p.attributes["aria-label"]
        for i, p in enumerate(plots)  # what is drawn for a narrow screen too comes after
        if not i or p.attributes["aria-label"] != plots[i - 1].attributes["aria-label"]
    ]
    assert once == [f["alt"] for f in figures]
    for plot in plots:
        assert plot.attributes["role"] == "img" and len(plot.attributes["aria-label"]) > 30
        styles = ";".join(n.attributes.get("style", "") for n in plot.all())
        colours = set(re.findall(r"(?:fill|stroke): ([^;]+)", styles))
        assert all(c == "none" or c.startswith("var(--") for c in colours), colours


def test_axes_have_labels_with_units(data):
    for c in chapters(data).values():
        for f in (f for s in c["sections"] for f in s["figures"]):
            assert f["data"].get("axis") or f["kind"] == "stacked", f["name"]
            if f["kind"] in ("lines", "bars"):
                assert f["data"]["height"]


# -- the files --------------------------------------------------------------------------------------


def test_every_plot_and_table_is_a_file_too(folder, data):
    for c in data["report"]["chapters"]:
        slug = c["name"].replace("/", "-")
        for s in c["sections"]:
            for f in s["figures"]:
                svg = (folder / "plots" / slug / f"{f['name']}.svg").read_text()
                assert 'aria-label="' in svg and "var(--" not in svg
            for t in s["tables"]:
                assert (folder / "tables" / slug / f"{t['name']}.md").read_text().count("\n|") == len(t["rows"]) + 2


def test_tables_hold_the_same_numbers_in_every_form(folder, data):
    for name, table in every_table(data):
        base = folder / "tables" / name.replace("/", "-") / table["name"]
        frame = pl.read_parquet(base.with_suffix(".parquet"))
        with base.with_suffix(".csv").open() as file:
            rows = list(csv.DictReader(file))
        assert frame.height == len(rows) == len(table["rows"])
        for column in (c for c in table["columns"] if c["kind"] in ESTIMATES):
            for end, key in (("", "value"), (" low", "low"), (" high", "high")):
                expected = [r[column["key"]] and r[column["key"]][key] for r in table["rows"]]
                name = (column["name_in_files"] or column["label"]) + end
                assert frame[name].to_list() == expected
                assert [float(r[name]) if r[name] else None for r in rows] == expected


def test_markdown_is_escaped():
    columns = [Column("a", "a|b"), Column("n", "n", "count")]
    text = export.format_markdown_table(ReportTable("t", "A <b> | c", columns, [{"a": "x|<y>\nz", "n": 1200}]))
    assert text.splitlines() == ["**A &lt;b> \\| c**", "", "| a\\|b | n |", "|---|---:|", "| x\\|&lt;y> z | 1,200 |"]


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(OutputError, match="holds files that no report wrote"):
        making.make(tmp_path, "lantern/light", games=100)
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.txt"]
    with pytest.raises(OutputError, match="is a file"):
        making.make(tmp_path / "thesis.txt", "lantern/light", games=100)


@pytest.mark.soak
def test_an_earlier_report_is_replaced(tmp_path):
    making.make(tmp_path, "lantern/light", games=100)
    (tmp_path / "tables" / "mine.csv").write_text("mine")
    making.make(tmp_path, "lantern/light", games=200)
    assert (tmp_path / "tables" / "mine.csv").read_text() == "mine"
    assert (tmp_path / "plots" / "ladder.svg").exists() and not (tmp_path / "plots" / "ladder.png").exists()
    assert {p.name for p in tmp_path.iterdir()} == {"index.html", "manifest.json", "plots", "result.json.gz", "tables"}
    assert making.result(tmp_path)["report"]["seeds"] == {"lantern/light": 1}


def test_every_plot_is_a_png_file_too_if_that_is_asked_for(tmp_path):
    edition = report.Edition(png=True)
    effort = run.Effort(100, threads=1)
    with making.toy():
        report.write_report([load_scenario("lantern/light")], effort, tmp_path, seconds=None, edition=edition)
    names = {path.stem for path in (tmp_path / "plots").glob("*.svg")}
    pictures = list((tmp_path / "plots").glob("*.png"))
    assert names and {path.stem for path in pictures} == names
    assert all(path.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" for path in pictures)


def test_a_scenario_is_played_with_its_own_seed(tmp_path):
    own = tmp_path / "own.yaml"
    own.write_text("game: lantern\ntitle: Of its own luck\nseed: 7\n")
    made = making.result(making.make(tmp_path / "page", str(own), games=100).parent)
    assert list(made["report"]["seeds"].values()) == [7] and {cell["seed"] for cell in made["cells"]} == {7}


@pytest.mark.parametrize(
    ("order", "verdict"),
    [("13 > 10 > 7", "in order"), ("7 > 10 > 13", "not in order"), ("13 > 7 > 10", "not in order")],
)
def test_an_expected_order_is_judged(tmp_path, order, verdict):
    swept = tmp_path / "swept.yaml"
    swept.write_text(
        "game: lantern\ntitle: Light\nsweep: {light: [7, 10, 13], players: [2, 3]}\n"
        f"expect: {{order: {{path: light, order: {order}}}}}\n"
    )
    page = making.make(tmp_path / "page", str(swept), games=1000)
    rows = list(csv.DictReader((page.parent / "tables" / "targets.csv").open()))
    assert [r["verdict"] for r in rows] == [verdict] * 2 and all(order in r["target"] for r in rows)
    assert [r["variant"] for r in rows] == ["players 2", "players 3"]


def test_time_buys_games(monkeypatch):
    seen = []
    monkeypatch.setattr(variant_parts, "measure_speed", lambda *_, **__: 1000.0)
    effort = run.Effort(100_000, threads=1)
    made = runner.play_report(
        load_scenario("lantern/light"), effort, 2.0, lambda what, done, pace=0.0: seen.append(done)
    )
    assert {i.result.games for i in made.cells} == {100}  # 0.35 of 2 s, 1000 a second, 4 cells: 175, stepped down
    assert all(a <= b + 1e-9 for a, b in pairwise(seen)) and 0 <= seen[0] and seen[-1] <= 1
