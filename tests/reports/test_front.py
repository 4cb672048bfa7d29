"""The first screen and the short edition: what is quoted, what a box says on its side, and what is left out."""

import re
from types import SimpleNamespace

import pytest

from hardmode.reports.console import wording
from hardmode.reports.page import html, model, print_edition
from hardmode.reports.page.chapters import compared, front, how_hard, skill_band, skill_levels
from hardmode.reports.page.chapters.scenario import make_scenario_chapter
from hardmode.reports.page.model import Column, ReportTable
from hardmode.scenarios.load import load_scenario
from hardmode.sim.files.atomic_files import OutputError
from hardmode.studies.core import run
from hardmode.studies.core.progress import ignore_progress
from hardmode.studies.game_flow import turn_stats
from hardmode.studies.game_flow.setup_factors import find_setup_factors
from hardmode.studies.report_run import runner
from hardmode.studies.report_run.variant_player import play_sample
from hardmode.studies.stats import estimates
from hardmode.studies.uncertainty.band import UncertaintyBand
from tests.reports.toy import making


@pytest.fixture(scope="module", autouse=True)
def _toy():
    with making.toy():
        yield


def surveyed(name, games=200, **more):
    return runner.play_report(load_scenario(name, **more), run.Effort(games, threads=1), None, ignore_progress)


@pytest.fixture(scope="module")
def home():
    return surveyed("lantern/home")


@pytest.fixture(scope="module")
def grid():
    return surveyed("lantern/grid", 100)


def test_the_verdict_to_quote_is_the_win_rate_and_those_of_better_players(home):
    won = home.metric.estimate_win_rate(home.base.tally).value
    assert front.describe_headline(home).startswith(f"Steady players win {100 * won:.0f} of 100 games")
    assert "%" not in front.describe_headline(home) and "(" not in front.describe_headline(home)


def test_no_headline_rests_on_ten_games(home):
    few = home.skill_levels["expert"].result.games
    assert few < 100 and "expert" not in " ".join(
        [front.describe_headline(home), *(f"{a} {c}" for a, _, c in front.list_facts(home))]
    )


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.0, "fewer than 1"), (0.004, "fewer than 1"), (0.5, "50"), (0.996, "more than 99"), (1.0, "more than 99")],
)
def test_nothing_is_said_to_be_certain(share, said):
    assert wording.format_games_in_100(share) == said


def test_the_box_names_minutes_author_and_date_where_they_are_given(home, monkeypatch):
    monkeypatch.setenv(front.EPOCH, "86400")
    assert {"time", "author"}.isdisjoint(dict(front.list_box_facts(home)))
    assert dict(front.list_box_facts(home))["date"] == "2 January 1970"
    assert (
        dict(front.list_box_facts(home))["length"].startswith("5 rounds")
        or "rounds" in dict(front.list_box_facts(home))["length"]
    )
    made = surveyed({"game": "lantern", "author": "Ada", "minutes_per_round": 2.5}, 100)
    told = dict(front.list_box_facts(made))
    median = int(front.describe_length(made).split()[0])
    assert told["author"] == "Ada" and told["time"].startswith(f"{round(2.5 * median)} minutes (half of all games: ")


@pytest.mark.parametrize("minutes", [0, -1, "long", float("nan")])
def test_minutes_are_a_number_above_zero(minutes):
    with pytest.raises(Exception, match="minutes_per_round"):
        load_scenario({"game": "lantern", "minutes_per_round": minutes})


def test_the_short_edition_has_no_commands_tables_or_stories(home, grid):
    for survey in (home, grid):
        whole = make_scenario_chapter(survey)
        short = print_edition.shorten_chapter(whole)
        assert 5 < len(short.sections) < len(whole.sections) and short.explorer is None
        for section in short.sections:
            assert not (section.tables or section.stories or section.notes or section.hints)
            assert section.sentences or section.figures  # no heading over nothing
            assert "hardmode " not in " ".join(section.sentences)
        kept = {f.name for s in short.sections for f in s.figures}
        assert kept <= {f.name for s in whole.sections for f in s.figures} and len(kept) > 3


def test_a_plot_beside_which_nothing_would_stand_takes_the_whole_width(home):
    figures = how_hard.make_difficulty_section(home).figures
    assert print_edition.find_broad_figures(figures) == {"win-rate"}
    assert print_edition.find_broad_figures([*figures, *figures]) in (set(), {"win-rate"})


def test_of_many_differences_the_largest_stand_on_paper():
    values = (0.1, -0.5, *[0.0] * 8, 0.3)
    found = [
        {
            "name": f"number {i}",
            "group": f"kind {i % 3}",
            "label": str(i),
            "estimate": estimates.Estimate(x, x - 0.1, x + 0.1, 9),
        }
        for i, x in enumerate(values)
    ]
    many = model.make_dot_plot("many", "Many", found, "points", "change", mark=0.0)
    paper = print_edition.make_paper_figure(many)
    assert [row["label"] for row in paper.data["rows"]][:3] == ["number 1", "number 10", "number 0"]
    assert len(paper.data["rows"]) == 8 and paper.note == "The 8 largest of 11."
    assert (
        print_edition.make_paper_figure(model.make_dot_plot("few", "Few", found[:5], "points", "change", mark=0.0))
        is None
    )
    assert print_edition.make_paper_figure(model.make_dot_plot("rates", "Rates", found * 4, "rate", "rate")) is None


def test_several_scenarios_stand_side_by_side_on_paper_too():
    row = dict.fromkeys(("scenario", "game", "what", "found", "target", "length"), "it") | {"variants": 1, "games": 2}
    two = [model.Chapter(name, "It", name, "", ["It is."], [], [], row) for name in ("one", "two")]
    [kind] = re.findall(r'<details class="([^"]*)" id="all-table-overview"', html.render_page(two, {}))
    assert kind == "table", "long is what paper has not"


def test_a_heat_map_of_many_columns_takes_the_whole_width():
    def make(n_panels, n_columns):
        panel = {"title": "", "rows": ["a"], "columns": ["b"] * n_columns, "cells": []}
        return model.Figure("f", "heat", "F", "alt", {"panels": [panel] * n_panels})

    assert not print_edition.needs_width(make(1, 4)) and not print_edition.needs_width(make(2, 2))
    assert print_edition.needs_width(make(1, 5)) and print_edition.needs_width(make(3, 2))


def test_without_a_browser_a_pdf_is_refused_before_anything_is_played(tmp_path, monkeypatch):
    from hardmode.reports.page import report

    monkeypatch.setattr(print_edition.shutil, "which", lambda name: None)
    with pytest.raises(OutputError, match=r"printed by Chromium, and none of chromium, .* is on the PATH"):
        report.write_report(
            [load_scenario("lantern/home")],
            run.Effort(10**9, threads=1),
            tmp_path / "page",
            seconds=None,
            edition=report.Edition(pdf=True),
        )
    assert not (tmp_path / "page").exists()


def test_columns_in_which_nothing_stands_are_left_out():
    columns = [Column("a", "a"), Column("target", "target"), Column("n", "n", "count")]
    rows = [{"a": "x", "target": "", "n": 0}, {"a": "", "target": None, "n": 1}]
    assert [c.key for c in ReportTable("t", "T", columns, rows).columns] == ["a", "n"]


def test_a_comparison_is_called_by_what_differs():
    a, b = (load_scenario("pig/classic", sets).cells[0] for sets in ([], ["target=90"]))
    assert compared.describe_differences(a, b) == f"{a.title}: target 90 instead of {a.values['target']}"
    assert "against" in compared.describe_differences(a, a)


def test_a_grid_has_names_from_the_hardest_to_the_easiest_and_numbers_as_they_grow(grid):
    beasts, players = how_hard.sort_values(grid, "setup.beast"), how_hard.sort_values(grid, "setup.players")
    assert players == sorted(players, key=int)
    rates = [
        sum(grid.metric.estimate_win_rate(i.tally).value for i in grid.cells if i.result.label["setup.beast"] == b)
        for b in beasts
    ]
    assert rates == sorted(rates)
    panels = next(f for f in how_hard.make_difficulty_section(grid).figures if f.kind == "heat").data["panels"]
    shown = [e for p in panels for line in p["cells"] for e in line if e]
    assert shown == [grid.metric.estimate_win_rate(item.tally) for item in how_hard.list_cells_in_plot_order(grid)]


def test_every_ending_of_every_variant_is_told(grid):
    from hardmode.reports.page.chapters import over_time

    table = next(t for t in over_time.make_endings_section(grid).tables if t.name == "endings-by-variant")
    assert [r["cell"] for r in table.rows] == [i.label for i in grid.cells]
    for row, item in zip(table.rows, grid.cells, strict=True):
        ends = item.tally.count_endings()
        assert all(row[c.key] == grid.metric.estimate_rate(ends[c.key], 100) for c in table.columns if c.key in ends)


def test_labels_are_wrapped_and_never_cut():
    from hardmode.reports.plots.style import wrap_names

    long = ["boss snake matriarch, brambles easy, two players", "boss snake matriarch, brambles easy, three players"]
    for letters in (14, 30):
        assert [name.replace("\n", " ") for name in wrap_names(long, letters)] == long


# -- what was dealt, and how a turn goes ------------------------------------------------------------


def test_what_is_dealt_is_read_from_the_table_as_it_was_dealt(home):
    game = home.scenario.game
    factors = {m.name for m in game.measures if m.factor}
    made = run.make_engine(home.first_cell)
    assert home.setup_factors <= factors
    moved = home.sample_rows.copy()  # a factor that ends otherwise in one game is not dealt
    for name in home.setup_factors:
        at = game.columns.index(name if name in game.columns else f"{name} 1")
        moved[at, 7] += 1
        assert find_setup_factors(made, 1, 0, moved, home.first_cell.players) == home.setup_factors - {name}
        moved[at, 7] -= 1


@pytest.mark.parametrize(
    ("name", "among", "not_among"),
    [
        ("run_run_run/standard", "hero", "first woken"),
        ("woodlands/classic", "hero", "first downed"),
        ("trapwords/standard", "starred", "first to face"),
    ],
)
def test_of_the_shipped_games_what_happens_in_play_is_not_dealt(name, among, not_among):
    cell = load_scenario(name).cells[0]
    made = run.make_engine(cell)
    rows = play_sample(made, 1, 0, 100)
    found = find_setup_factors(made, 1, 0, rows, cell.players)
    assert among in found and not_among not in found


@pytest.mark.parametrize(
    ("name", "dealt"),
    [
        ("vengeance/solo-medium", {"hero", "boss", "den"}),
        ("trapwords/monsters", {"monster", "first book"}),
    ],
)
def test_what_the_deal_fixes_is_found_as_dealt(name, dealt):
    """Heroes, Bosses and dens are dealt at random here, so that they differ from game to game."""
    cell = load_scenario(name).cells[0]
    made = run.make_engine(cell)
    rows = play_sample(made, 1, 0, 100)
    assert dealt <= find_setup_factors(made, 1, 0, rows, cell.players)


def test_turns_and_waits():
    game = [(0, 3), (0, 2), (1, 5), (2, 2), (2, 2), (0, 4), (1, 2), (0, 2)]
    assert turn_stats.split_turns(game) == [(0, 2), (1, 1), (2, 2), (0, 1), (1, 1), (0, 1)]
    assert (
        turn_stats.find_waits(game, 0) == [3, 1]
        and turn_stats.find_waits(game, 1) == [3]
        and turn_stats.find_waits(game, 2) == []
    )


def test_the_decisions_of_a_game_are_those_of_its_replay():
    from hardmode.sim.play.workspace import Workspace
    from hardmode.sim.replay import story

    cell = load_scenario("pig/classic").cells[0]
    made = run.make_engine(cell)
    steps = [s for s in story(made, 1, 3).to_list() if "options" in s]
    told = [len(s["options"]) for s in steps if len(s["options"]) > 1]
    assert [n for _, n in turn_stats.iterate_decisions(made, Workspace(cell.game), 1, 3)] == told
    found = turn_stats.measure_turns(cell, run.Effort(100, threads=1), 6, 0.0)
    assert found.estimate_mean_decisions().n == 6 and found.estimate_mean_wait(0).value > 0


def test_causes_and_what_goes_with_winning_stand_apart(home):
    from hardmode.reports.page.chapters import causes

    section = causes.make_factors_section(home)
    names = [f.name for f in section.figures]
    dealt_rows, during = causes.list_factor_effects(home)
    assert ("dealt" in names) == bool(dealt_rows) and ("during" in names) == bool(during)
    assert not {r["group"] for r in dealt_rows} & {r["group"] for r in during}
    for figure in section.figures:
        assert (figure.name == "during") == bool(re.search("no cause", figure.note))


def test_a_card_turned_up_later_is_told_by_games_in_which_it_was_set():
    from hardmode.reports.page.chapters import causes

    measure = SimpleNamespace(name="beast", factor=True, per_seat=False)
    made = surveyed("lantern/home", 100)
    game = SimpleNamespace(measures=(measure,))
    stand_in = SimpleNamespace(
        scenario=SimpleNamespace(game=game),
        metric=made.metric,
        setup_factors=frozenset(),
        first_cell=SimpleNamespace(values={"setup.beast": "any"}),
        setup_choices=made.setup_choices,
    )
    rows, during = causes.list_factor_effects(stand_in)
    set_apart = made.setup_choices["setup.beast"]
    assert not during and {r["label"]: r["games"] for r in rows} == {
        wording.format_setup_value(v): i.result.games for v, i in set_apart.items()
    }


# -- every sentence of whole pages ------------------------------------------------------------------


def spoken(chapter):
    """All that a chapter says in sentences."""
    yield from chapter.verdict
    for section in chapter.sections:
        yield from section.sentences
        for part in (*section.figures, *section.tables):
            yield from filter(None, (part.note,))
        yield from (f.alt for f in section.figures)


def test_every_sentence_of_a_page_reads_as_one(home, grid):
    from hardmode.studies.comparison.compare import compare

    pig = compare(load_scenario("pig/classic"), load_scenario("pig/classic", ["target=60"]), run.Effort(300, threads=1))
    chapters = [
        make_scenario_chapter(home),
        make_scenario_chapter(grid),
        make_scenario_chapter(surveyed("pig/classic", 100)),
        compared.make_comparison_chapter(pig),
    ]
    for text in (text for made in chapters for text in spoken(made)):
        print(f"  {text}")
        assert re.match(r"[A-Z0-9“]", text) or text.startswith(("light", "hearts", "rolls")), text
        assert text.endswith("."), text
        plain = text.replace(" .. ", " ")
        assert not re.search(r"  | [,.;](?!\.)|\bnan\b|\binf\b|None\b(?! of)|unknown|[?.]\. |_", plain), text
        assert not re.search(r"(?<![\d.,])1 (games|rounds|players|variants|numbers|steps|points)\b", text), text
        assert text.count("(") == text.count(")") and text.count("“") == text.count("”"), text


def test_luck_or_skill_is_one_number_and_one_bar_in_the_short_edition_too(home):
    short = print_edition.shorten_chapter(make_scenario_chapter(home))
    assert "luck" not in [section.name for section in short.sections]
    [bar] = [section.bar for section in short.sections if section.bar]
    (skill, share), (luck, rest) = bar.parts
    assert (skill, luck) == ("skill", "luck") and share + rest == pytest.approx(1)
    assert "skill decides" in bar.note and "The rest is luck." in bar.note


def test_beginners_who_win_nothing_come_with_a_group_between(home):
    def with_wins(wins):
        level = SimpleNamespace(result=SimpleNamespace(games=200))
        metric = SimpleNamespace(competitive=False)
        return SimpleNamespace(
            scenario=home.scenario, skill_levels={"beginner": level}, metric=metric, wins=wins
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(skill_band, "get_precise_levels", lambda _: ["beginner"])
        patch.setattr(skill_levels, "_estimate_level", lambda report, _: estimates.wilson_rate(report.wins, 200))
        assert skill_levels.list_level_hints(with_wins(1)) == []
        [(text, command)] = skill_levels.list_level_hints(with_wins(0))
    assert text.startswith("Beginners won none of 200 games.")
    assert command == "hardmode run lantern/home --strategy steady --mistakes 10%"


def test_the_range_over_assumptions_names_whose_it_is(home, monkeypatch):
    """Trained players and experts stand before it in the headline, and have other ranges."""
    ends = {5: 0.1, 50: 0.3, 95: 0.6}
    percentiles = {p: estimates.Estimate(share, share, share, 400) for p, share in ends.items()}
    monkeypatch.setattr(front.assumptions, "get_named_player_band", lambda report: UncertaintyBand(percentiles, 400))
    headline = front.describe_headline(home)
    assert "with other plausible values, steady players could win between 10 and 60 of 100 games" in headline
