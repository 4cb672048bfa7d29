"""Comparisons on the same luck: planted changes with exactly known answers, the ledger, and what is printed."""

import json
import re
import subprocess
import sys
from functools import cache
from itertools import pairwise

import polars as pl
import pytest
from scipy import stats

from hardmode.scenarios.load import create_variant, load_scenario
from hardmode.sim.contract import ROUNDS
from hardmode.sim.play.workspace import Workspace
from hardmode.sim.replay import choices, story
from hardmode.studies.comparison.compare import IncomparableError, compare, compare_cell
from hardmode.studies.comparison.divergence import find_first_divergence
from hardmode.studies.core.run import Effort, make_engine, play
from hardmode.studies.stats import estimates
from tests.reports.toy import making

SEEDS, GAMES = 120, 300


@cache
def first_wins(goal, threshold):
    """The first player's exact chance when both hold at the threshold: all pairs of scores, highest first."""

    def turn(need):
        reached, adds = {0: 1.0}, {}
        for total in range(goal + 6):
            p = reached.pop(total, 0.0)
            if p and total and (total >= threshold or total >= need):
                adds[total] = adds.get(total, 0.0) + p
            elif p:
                adds[0] = adds.get(0, 0.0) + p / 6
                for face in range(2, 7):
                    reached[total + face] = reached.get(total + face, 0.0) + p / 6
        return adds

    moves, waits = {}, {}
    for total in range(2 * goal - 2, -1, -1):
        for a in range(max(0, total - goal + 1), min(goal - 1, total) + 1):
            b = total - a
            mine, theirs = turn(goal - a), turn(goal - b)
            x = sum(p * (1.0 if a + k >= goal else waits[a + k, b]) for k, p in mine.items() if k)
            y = sum(p * (0.0 if b + k >= goal else moves[a, b + k]) for k, p in theirs.items() if k)
            moves[a, b] = (x + mine[0] * y) / (1 - mine[0] * theirs[0])
            waits[a, b] = y + theirs[0] * moves[a, b]
    return moves[0, 0]


def pig(**rules):
    return create_variant("pig", players=2, rules=rules)


def test_identical_scenarios_have_no_flip():
    c = compare_cell(pig(), pig(), Effort(games=3000, threads=1))
    assert (c.wins_gained, c.wins_lost, c.identical_games, c.games) == (0, 0, 3000, 3000)
    assert c.is_settled and not c.divergences and c.difference.value == 0


def test_the_interval_covers_the_exact_difference_at_its_rate():
    """Pig to 20 against Pig to 30, both solved exactly; the count of covering intervals is binomial."""
    a, b = pig(target=20), pig(target=30)
    exact = first_wins(30, 20) - first_wins(20, 20)
    covered = 0
    for seed in range(SEEDS):
        d = compare_cell(a, b, Effort(games=GAMES, seed=seed, threads=1)).difference
        covered += d.low <= exact <= d.high
    low, high = stats.binom.interval(1 - 1e-4, SEEDS, 0.95)
    assert low <= covered <= high


def test_pairs_tell_more_than_independent_games():
    """On the same luck the difference has less variance than between games that have nothing in common."""
    c = compare_cell(pig(target=100), pig(target=101), Effort(games=4000, threads=1))
    a, b = c.estimate_win_rate(False).value, c.estimate_win_rate(True).value
    independent = a * (1 - a) + b * (1 - b)
    paired = (c.wins_gained + c.wins_lost) / c.games - c.difference.value**2
    assert paired < 0.2 * independent


def test_the_ledger_names_the_planted_source():
    """Another die makes histories part at the die; another threshold makes them part at the decision."""
    die = compare_cell(pig(), pig(**{"die.sides": 7}), Effort(games=1500, threads=1))
    assert die.divergences and {p.source for p in die.divergences} == {"die"}
    bold = create_variant("pig", players=2, strategies=[{"name": "hold_at", "weights": {"threshold": 25}}])
    held = compare_cell(create_variant("pig", players=2, strategies=["hold_at"]), bold, Effort(games=1500, threads=1))
    assert held.divergences and {p.source for p in held.divergences} == {"decision: roll or hold"}
    for found in (die, held):
        for gained in (True, False):
            rows = found.tabulate_divergences(gained)
            assert sum(r["flips"] for r in rows) == len(found.flipped_games[gained])
            assert sum(r["share"] for r in rows) == pytest.approx(1)


def test_the_ledger_names_a_rule_that_bites_before_any_draw_or_decision_differs():
    """Weaker beasts: the dice and decisions stay, and the hearts part in the round in which a bite is spared."""
    with making.toy():
        a, b = (create_variant("lantern", players=2, rules=rules) for rules in ({}, {"bite.*": -1}))
        c = compare_cell(a, b, Effort(games=300, threads=1))
        assert {p.source for p in c.divergences} == {"the field hearts of the position"}
        assert len({p.round for p in c.divergences}) > 1
        for p in c.divergences[:3]:
            steps = [story(make_engine(side), c.seed, p.game).steps for side in (a, b)]
            before, _ = next(
                (x, y)
                for (x, after), (_, y) in zip(pairwise(steps[0]), pairwise(steps[1]), strict=False)
                if after.state["open"]["hearts"] != y.state["open"]["hearts"]
            )
            assert p.round == before.state["open"]["round"]


def test_without_any_difference_before_the_end_the_ledger_names_the_end_and_its_round():
    engine = make_engine(pig())
    workspaces = Workspace(engine.game), Workspace(engine.game)
    rounds = choices(engine, workspaces[0], 1, 5)[1][ROUNDS]
    assert rounds > 1
    assert find_first_divergence((engine, engine), workspaces, 1, 5) == ("the end itself", rounds)


def test_endings_change_by_what_flips():
    c = compare_cell(pig(), pig(target=60), Effort(games=2000, threads=1))
    by_name = {name: (change, a, b) for name, change, a, b in c.estimate_ending_changes()}
    change, a, b = by_name["first player wins"]
    assert change.value == pytest.approx((b - a) / c.games) == pytest.approx(c.difference.value)
    assert c.estimate_mean_change(c.length_sums).value < 0


def test_grids_are_compared_cell_by_cell_with_wider_intervals(tmp_path):
    grid = tmp_path / "grid.yaml"
    grid.write_text("game: pig\ntitle: three dice\nplayers: 2\nsweep: {die.sides: [6, 8, 10]}\n")
    effort = Effort(games=1000, threads=1)
    found = compare(load_scenario(grid), load_scenario(grid, ["target=+10"]), effort)
    assert [c.a.label for c in found] == [{"die.sides": s} for s in (6, 8, 10)]
    alone = compare_cell(found[0].a, found[0].b, effort)
    assert alone.difference.half_width < found[0].difference.half_width
    with pytest.raises(IncomparableError, match="3 cells and pig/classic 1"):
        compare(load_scenario(grid), load_scenario("pig/classic"), effort)


def test_one_and_two_threads_find_the_same():
    one, two = (compare_cell(pig(), pig(target=90), Effort(games=3000, threads=t)) for t in (1, 2))
    assert (one.outcome_pairs == two.outcome_pairs).all() and one.divergences == two.divergences


def hardmode(*args):
    return subprocess.run([sys.executable, "-m", "hardmode", *args], capture_output=True, text=True, check=False)


def test_the_command_prints_one_json_object(tmp_path):
    done = hardmode(
        "compare", "pig/classic", "--set-b", "target=90", "--games", "500", "--json", "-o", str(tmp_path / "page")
    )
    said = json.loads(done.stdout)
    assert {"games", "difference", "low", "high", "flips", "endings", "ledger", "settled"} <= set(said)
    assert said["games"] == 500 and set(said["flips"]) == {"gained", "lost"}
    assert {"source", "round", "share"} <= set(said["ledger"][0])
    page = (tmp_path / "page" / "index.html").read_text()
    assert "Where do the histories diverge?" in page and "target=90" in page
    assert (tmp_path / "page" / "tables" / "ledger.md").exists()
    refused = hardmode("compare", "pig/classic", "pig/clasic")
    assert refused.returncode == 2 and "did you mean pig/classic?" in refused.stderr


def test_the_terminal_tells_endings_and_length_as_the_page_does_and_their_intervals_hold_together():
    shown = hardmode("compare", "pig/classic", "--set-b", "target=90", "--games", "500").stdout
    found = compare_cell(
        load_scenario("pig/classic").cells[0], load_scenario("pig/classic", ["target=90"]).cells[0], Effort(games=500)
    )
    changes = found.estimate_ending_changes()
    wide = dict(
        (name, change)
        for name, change, _, _ in found.estimate_ending_changes(
            estimates.bonferroni_level(0.95, len(changes) + 1 + found.game.scored)
        )
    )
    for name, change, _, _ in changes:
        line = next(x for x in shown.splitlines() if f"│ {name} " in x)
        e = wide[name]
        assert printed(line) == pytest.approx([100 * x for x in (e.value, e.low, e.high)], abs=0.051)
        assert e.low < change.low and change.high < e.high
    length = next(x for x in shown.splitlines() if f"│ {found.game.unit} " in x)
    assert printed(length)[0] == pytest.approx(found.estimate_mean_change(found.length_sums).value, abs=0.051)
    assert "% points" in shown and "B - A, points" not in shown  # which a game's own points might be


def printed(line):
    """The value and the interval in a line of a table."""
    numbers = re.search(r"([−+]?[0-9.]+) \(([−+]?[0-9.]+) \.\. ([−+]?[0-9.]+)\)", line).groups()
    return [float(number.replace("−", "-")) for number in numbers]


def test_flips_are_grouped_by_how_they_were_lost():
    """Counted again from the endings of all games: of Pig to 60 against Pig to 100, all that flip."""
    c = compare_cell(pig(), pig(target=60), Effort(games=1500, threads=1))
    names = c.game.all_endings
    for gained in (True, False):
        first = {i for i, name in enumerate(names) if name == "first player wins"}
        under = [
            (names[a if gained else b], int(c.ending_pairs[a, b]))
            for a in range(len(names))
            for b in range(len(names))
            if (a in first) != (b in first) and (b in first) == gained and c.ending_pairs[a, b]
        ]
        causes = c.tabulate_losses(gained)
        assert sorted((x["lost_by"], x["flips"]) for x in causes) == sorted(under)
        assert sum(x["share"] for x in causes) == pytest.approx(1)
        for x in causes:
            assert any(p.game == x["game"] and (p.source, p.round) == (x["source"], x["round"]) for p in c.divergences)


def test_where_it_bites_is_counted_by_what_the_games_held():
    """Against the tallies of both sides, which count games and wins by factor on their own."""
    with making.toy():
        a, b = create_variant("lantern"), create_variant("lantern", rules={"light": 9})
        c = compare_cell(a, b, Effort(games=600, threads=1))
        rows = {(row["factor"], row["is"]): row for row in c.tabulate_factors()}
        wins = [
            {
                row["value"]: (row["games"], row["wins"])
                for row in play(x, Effort(600, threads=1))[0]
                .tally.groups_frame.filter(pl.col("factor") == "beast", pl.col("other") == "")
                .group_by("value")
                .agg(pl.col("games", "wins").sum())
                .iter_rows(named=True)
            }
            for x in (a, b)
        ]
        for value, name in enumerate(("wolf", "owl", "bear")):
            row, (games, before), (_, after) = rows["beast", name], wins[0][value], wins[1][value]
            assert (row["games"], row["gained"] - row["lost"]) == (games, after - before)
            assert row["value"] == pytest.approx((after - before) / games) and row["low"] < row["value"] < row["high"]
        assert sum(row["lost"] for key, row in rows.items() if key[0] == "beast") == c.wins_lost
        scouts = rows["hero", "scout"]["games"]
        assert 600 * (1 - (2 / 3) ** 2) == pytest.approx(scouts, abs=45), "a game counts once for a hero at any seat"
        shown = wide_capture(c)
    assert "change of the win rate, by factors of the games under A" in shown and f"│ {'bear':<6} " in shown


def wide_capture(c):
    from hardmode.reports.console import compare

    with compare.out.capture() as said:
        compare.print_comparisons([c])
    return said.get()


def test_where_seats_compete_it_is_said_to_whom_games_are_lost():
    c = compare_cell(pig(), pig(target=60), Effort(games=300, threads=1))
    assert {tuple(x["to"]) for gained in (True, False) for x in c.tabulate_losses(gained)} == {(2,)}
    assert "lost under B to seat 2 with the ending “second player wins”" in wide_capture(c).replace("\n", "")


def test_a_change_of_what_is_dealt_parts_games_where_it_first_shows():
    """Two Traps more among the tokens deal every game otherwise. Two whole stories of a game, laid side by side,
    agree up to the step that is named."""
    a, b = (create_variant("run_run_run", rules=rules) for rules in ({}, {"tokens.trap": 4}))
    c = compare_cell(a, b, Effort(games=120, threads=1))
    assert c.divergences and all(p.round >= 1 for p in c.divergences)
    one, other = make_engine(a), make_engine(b)
    for p in c.divergences[:2]:
        steps = [story(made, c.seed, p.game).steps for made in (one, other)]
        assert steps[0][0].draws != steps[1][0].draws, "they are dealt otherwise"
        first = next(
            (x, y)
            for x, y in zip(steps[0][1:], steps[1][1:], strict=False)
            if (x.kind, x.seat, x.taken, x.draws) != (y.kind, y.seat, y.taken, y.draws)
        )
        assert p.source in {f"decision: {x.kind}" for x in first} | {d["source"] for x in first for d in x.draws}
