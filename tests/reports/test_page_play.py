"""The panel of the page in which the reader plays: its modules, sliders, and what it shows in a browser."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

from hardmode.reports.page import html
from hardmode.reports.page.model import Chapter
from hardmode.reports.page.play import data as play_data
from hardmode.reports.page.play import modules, panel
from hardmode.reports.page.play.slider_option import parse_sliders
from hardmode.scenarios.load import load_scenario
from hardmode.sim.contract import discovery, load_game
from hardmode.sim.files.yaml_io.errors import ScenarioError
from tests import play_modules
from tests.browser import CHROMIUM, BrowserPage
from tests.play_modules import PANEL, write_page

SEED = 3
SLIDERS = {
    "run_run_run": {"movement.base": [2, 3, 4]},
    "trapwords": {"monster.troll.normal.budget": [3, 4]},
    "vengeance": {"game.kill_points": [5, 6]},
    "woodlands": {"tile.boss.monsters": [0, 1]},
}


def make_data(name, chosen=None):
    scenario = load_scenario(f"{name}/{load_game(name).standard}")
    chosen = SLIDERS[name] if chosen is None else chosen
    return play_data.make_play_data(scenario, (), chosen, SEED)[1]


@pytest.fixture(scope="module")
def runner():
    return make_data("run_run_run")


def test_shipped_modules_are_up_to_date():
    """After a change of rules or strategies: make web."""
    index = modules.read_index()
    for name in discovery.list_shipped_games():
        assert index[name] == modules.compute_digest(load_game(name), modules.list_strategies(name)), name
        assert (modules.SHIPPED / f"{name}.wasm.gz").stat().st_size < 100_000


def test_the_digest_of_a_module_depends_on_its_strategies():
    game, strategies = load_game("trapwords"), modules.list_strategies("trapwords")
    digests = {modules.compute_digest(game, strategies[:n]) for n in range(len(strategies) + 1)}
    assert len(digests) == len(strategies) + 1


@pytest.mark.skipif(not play_modules.NODE, reason="needs node")
@pytest.mark.parametrize("name", ["trapwords"])
def test_node_plays_the_same_games(name):
    """The other games are played in Chromium below, and by `make web` in node."""
    data = make_data(name)
    jobs = play_modules.make_jobs(data, play_data.VERIFIED_GAMES)
    answers = play_modules.play_in_node({**data, "jobs": jobs})
    assert [answer["digest"] for answer in answers] == [job["expected"] for job in jobs]
    assert len({job["expected"] for job in jobs}) > len(data["levels"])  # values make a difference


def test_the_digest_of_a_module_depends_on_the_records_of_the_kernel(monkeypatch):
    game, strategies = load_game("trapwords"), modules.list_strategies("trapwords")
    before = modules.compute_digest(game, strategies)
    monkeypatch.setattr(modules, "make_workspace_dtype", lambda game: np.dtype([("moved", "i8")]))
    assert modules.compute_digest(game, strategies) != before


def test_values_of_sliders_are_plausible():
    cell = load_scenario("run_run_run/standard").cells[0]
    for path in ("movement.base", "torches.start", "tokens.trap"):
        values = play_data.list_slider_values(cell.parameters[path], cell.values[path])
        assert cell.values[path] in values and values == sorted(set(values)) and 2 <= len(values) <= 8
    switch = next(path for path, one in cell.parameters.items() if one.choices and isinstance(one.value, str))
    assert play_data.list_slider_values(cell.parameters[switch], cell.values[switch])[0] == cell.values[switch]


def test_a_value_that_the_game_rejects_is_refused_with_the_reason():
    (slider,) = make_data("run_run_run", {"setup.players": [2, 40]})["sliders"]
    assert list(slider["refused"]) == [1] and slider["refused"][1]
    assert slider["digests"]["steady"][1] == ""


def test_a_value_that_changes_too_much_of_the_box_is_refused(monkeypatch):
    monkeypatch.setattr(play_data, "MAX_PATCH", 0)
    (slider,) = make_data("run_run_run")["sliders"]
    assert set(slider["refused"]) == {0, 2} and "too many for a page" in slider["refused"][0]


@pytest.mark.parametrize(
    ("text", "values"), [("3..5", [3, 4, 5]), ("3,6", [3, 6]), ("[4, 2]", [4, 2])]
)
def test_the_option_names_values(text, values):
    found = parse_sliders([f"torches.start={text}"], [load_scenario("run_run_run/standard")])
    assert found == {"torches.start": values}


@pytest.mark.parametrize("text", ["torches.start=3", "torches.strat=3..5", "torches.start", "torches.start=5..3"])
def test_the_option_refuses_what_it_cannot_use(text):
    with pytest.raises(ScenarioError, match="torches"):
        parse_sliders([text], [load_scenario("run_run_run/standard")])


def test_the_policy_allows_compiled_code_and_a_worker_and_nothing_else(runner, tmp_path):
    chapter = Chapter("a/b", "A", "B", "", ["Hard."], [], [])
    without = html.render_page([chapter], {})
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
    assert f'content="{policy}"' in without and "play-worker" not in without
    write_page(tmp_path / "page.html", runner)
    policy = policy.replace("script-src 'unsafe-inline'", "script-src 'unsafe-inline' 'wasm-unsafe-eval'")
    assert f'content="{policy}; worker-src blob:"' in (tmp_path / "page.html").read_text()


@pytest.mark.skipif(not CHROMIUM, reason="needs Chromium")
class TestInTheBrowser:
    @pytest.mark.parametrize("name", sorted(SLIDERS))
    def test_every_value_is_verified(self, name, tmp_path):
        url = write_page(tmp_path / "page.html", make_data(name))
        with BrowserPage(f"{url}#verify", tmp_path / "profile") as page:
            page.wait_for("document.documentElement.dataset.verified")
            verdicts = json.loads(page.evaluate(f"{PANEL}.dataset.verdicts"))
        assert len(verdicts) >= 6 and not [one for one in verdicts if "error" in one]

    def test_a_slider_shows_the_change_on_the_same_games(self, runner, tmp_path):
        with BrowserPage(write_page(tmp_path / "page.html", runner), tmp_path / "profile") as page:
            page.wait_for("!document.querySelector('details.play').hidden")
            page.evaluate(f"{PANEL}.querySelector('summary').click()")
            page.wait_for(f"{PANEL}.dataset.state === 'verified'")
            page.evaluate(
                f"(() => {{ const field = {PANEL}.querySelector('input'); field.value = 2;"
                "for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind)); })()"
            )
            answer = page.wait_for(f"(/instead of/.exec({PANEL}.querySelector('.answer').textContent) || {{}}).input")
            command = page.evaluate(f"{PANEL}.querySelector('code').textContent")
            page.evaluate(f"{PANEL}.querySelector('button').click()")
        assert "With movement base at 4" in answer and "Verified: the same games as the report" in answer
        assert command.startswith("hardmode replay run_run_run/standard --seed 3 --strategy steady --game ")
        assert command.endswith(" --set movement.base=4")

    @pytest.mark.parametrize("damage", ["digest", "module"])
    def test_a_damaged_module_shows_nothing(self, runner, damage, tmp_path):
        data = dict(runner, digests=dict.fromkeys(runner["digests"], "0"))
        if damage == "module":
            data = {**runner, "module": play_data.encode(b"\0asm" + bytes(80))}
        with BrowserPage(write_page(tmp_path / "page.html", data), tmp_path / "profile") as page:
            page.wait_for("!document.querySelector('details.play').hidden")
            page.evaluate(f"{PANEL}.querySelector('summary').click()")
            page.wait_for(f"{PANEL}.dataset.state === 'refused'")
            answer = page.evaluate(f"{PANEL}.querySelector('.answer').textContent")
        assert answer and "%" not in answer


@pytest.mark.parametrize("asked", [None, True])
def test_a_page_without_a_module_is_written_unless_it_was_asked_for(asked, monkeypatch, caplog):
    def fail(report, chosen):
        raise modules.ModuleError("no compiler")

    monkeypatch.setattr(panel, "make_panel", fail)
    chapter = Chapter("a/b", "A", "B", "", ["Hard."], [], [])
    report = SimpleNamespace(scenario=load_scenario("run_run_run/standard"))
    if asked:
        with pytest.raises(modules.ModuleError):
            panel.add_panel(chapter, report, asked, {})
    else:
        assert panel.add_panel(chapter, report, asked, {}).play is None
    assert panel.add_panel(chapter, report, False, {}) is chapter
