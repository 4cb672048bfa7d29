"""Heroes, Bosses and dens are called in every answer as the box calls them."""

import shutil

import hardmode.scenarios.box
from hardmode.scenarios.load import create_variant, load_scenario
from hardmode.scenarios.variant import load_labeled_game
from hardmode.sim.results.result_file import load_results as saved
from hardmode.sim.results.result_file import save_results
from hardmode.studies.core.result_summary import summarize_result
from hardmode.studies.core.run import Effort, play


def labels(game, name):
    return next(m.labels for m in game.measures if m.name == name)


def test_labels_are_the_names_of_the_box():
    game = create_variant("vengeance").game
    assert labels(game, "hero") == ("shadowman", "bruiser", "gunslinger", "acrobat")
    assert labels(game, "boss")[:2] == ("don_zemun", "boss_2") and len(labels(game, "boss")) == 9
    assert labels(game, "den") == ("1A", "1B", "2A", "2B", "3A", "3B", "4A", "4B", "5A", "5B")


def test_a_box_of_ones_own_names_its_own_hero(tmp_path, monkeypatch):
    """The whole way: from the box over a run and its saved file to the factors of an answer."""
    home = tmp_path / "vengeance"
    shutil.copytree(
        hardmode.scenarios.box.find_box_folder("vengeance"), home, ignore=shutil.ignore_patterns("baselines")
    )
    box = home / "box.yaml"
    text = box.read_text()
    assert text.count("shadowman") > 1
    box.write_text(text.replace("shadowman", "lamplighter"))
    monkeypatch.setattr(hardmode.scenarios.box, "find_scenario_folders", lambda: {"vengeance": home})
    results = play(load_scenario("vengeance/solo-medium"), Effort(40))
    save_results(tmp_path / "one.json", results)
    for result in [*results, *saved(tmp_path / "one.json", load_labeled_game)]:
        assert set(summarize_result(result).factors["hero"]) == {"lamplighter", "bruiser", "gunslinger", "acrobat"}
