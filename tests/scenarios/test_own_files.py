"""Files of all kinds refuse the same slips in the same way: a key given twice, and a number written as text."""

import pytest

from hardmode.scenarios import box_overlay
from hardmode.scenarios.load import load_scenario
from hardmode.sim.files.yaml_io.errors import Location, ScenarioError
from hardmode.strategies import player_file
from hardmode.studies.playtests import records
from hardmode.studies.playtests.fit import fit_file
from hardmode.studies.training import retrain_shipped


def read_recipe(path):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(retrain_shipped.discovery, "find_players_folder", lambda game: path.parent / "players")
        path.rename(path.with_name("recipe.yaml"))
        return retrain_shipped.load_recipes("pig")


READERS = {
    "scenario": load_scenario,
    "own box": lambda path: box_overlay.load_overlay(path, "pig", Location("--box")),
    "player": player_file.read_player_file,
    "recipe": read_recipe,
    "fit": lambda path: fit_file.read_fit(path, load_scenario("pig/classic")),
    "plays": lambda path: records.load_play_records(path, load_scenario("pig/classic").cells[0]),
}
WHOLE = {  # a text of each kind, and a number in it
    "scenario": ("game: pig\nrules:\n  target: 50\n", "target: 50"),
    "own box": ("game: pig\n.source: rulebook\ntarget: 50\n", "target: 50"),
    "player": ("player: mine\ngame: pig\nbase: steady\nweights:\n  limit: 20.0\n", "limit: 20.0"),
    "recipe": ("players:\n  mine: {base: steady, scenarios: [pig/classic], generations: 2, games: 6}\n", "games: 6"),
    "fit": ("hardmode: fit\ngame: pig\nscenario: pig/classic\nplays: 3\nlevel: {'5': 0, '50': 0, '95': 0}\n"
            "rung: steady\nrate: {'5': 0, '50': 0, '95': 0}\nfits: true\nbeliefs:\n- {slips: 0.5, numbers: {}}\n",
            "slips: 0.5"),
    "plays": ("- {won: yes, rounds: 12}\n", "rounds: 12"),
}


def written(folder, kind, text):
    file = folder / f"{kind.replace(' ', '-')}.yaml"
    file.write_text(text)
    return file


@pytest.mark.parametrize("kind", READERS)
def test_the_file_itself_is_read(tmp_path, kind):
    READERS[kind](written(tmp_path, kind, WHOLE[kind][0]))


@pytest.mark.parametrize("kind", READERS)
def test_a_key_that_is_given_twice_is_refused_with_its_line(tmp_path, kind):
    text, number = WHOLE[kind]
    key = number.partition(":")[0]
    lines = text.splitlines()
    [at] = [i for i, line in enumerate(lines) if number in line]
    if lines[at].strip() == number:
        lines.insert(at + 1, lines[at].replace("- ", "  "))
        twice, line = "\n".join(lines) + "\n", at + 2
    else:
        twice, line = text.replace(number, f"{number}, {number}"), at + 1
    with pytest.raises(ScenarioError, match=rf"\.yaml:{line}: .*{key}: is given twice \(first on line {at + 1}\)"):
        READERS[kind](written(tmp_path, kind, twice))


@pytest.mark.parametrize("written_as", ["'= 3'", "'3'", '"= 3"', "'=3 '", "= 3", "three"])
@pytest.mark.parametrize("kind", READERS)
def test_a_number_that_is_written_as_text_is_refused_with_its_line(tmp_path, kind, written_as):
    text, number = WHOLE[kind]
    key = number.partition(":")[0]
    if kind == "plays" and written_as == "'3'":
        pytest.skip("cells of a table of plays are texts")
    line = next(i for i, line in enumerate(text.splitlines(), 1) if number in line)
    place = r"recipe\.yaml" if kind == "recipe" else rf"{kind.replace(' ', '-')}\.yaml"
    with pytest.raises(ScenarioError, match=rf"{place}:{line}: .*{key}"):
        READERS[kind](written(tmp_path, kind, text.replace(number, f"{key}: {written_as}")))
