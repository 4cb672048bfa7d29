"""Every listed reading of every switch of every game can be set on the command line, and is then played."""

import json

import pytest
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.scenarios.box import load_parameters
from hardmode.scenarios.load import load_scenario
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.sim.contract import load_game
from hardmode.sim.contract.discovery import list_shipped_games


def list_settings(game):
    """Return each switch of a game with each of its readings, as (path, value)."""
    switches = [p for p in load_parameters(game).values() if p.path.startswith("switches.")]
    return [(p.path, value) for p in switches for value in p.choices]


@pytest.mark.parametrize("game", list_shipped_games())
def test_every_reading_can_be_set_on_the_command_line(game):
    settings = list_settings(game)
    assert len(settings) >= 40
    standard = f"{game}/{load_game(game).standard}"
    for path, value in settings:
        setting = f"{path}={format_yaml_value(value)}"
        [cell, *_] = load_scenario(standard, sets=[setting]).cells
        assert (cell.values[path], type(cell.values[path])) == (value, type(value)), setting
        done = CliRunner().invoke(app, ["run", standard, "--set", setting, "--games", "2", "--threads", "1", "--json"])
        assert done.exit_code == 0, (setting, done.stderr)
        assert json.loads(done.stdout.splitlines()[0])["games"] == 2, setting
