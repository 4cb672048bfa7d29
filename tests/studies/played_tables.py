"""Tables of plays as people would keep them, simulated at known levels in known boxes."""

from datetime import timedelta

import numpy as np

from hardmode.scenarios.load import load_scenario
from hardmode.sim.contract import ENDING, ROUNDS
from hardmode.sim.files.yaml_io.errors import Location
from hardmode.sim.play.engine import Engine
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.studies.core.run import Effort
from hardmode.studies.playtests.fit import fit_model
from hardmode.studies.playtests.fit.simulation import seat_players_at_level
from hardmode.studies.playtests.records import PlayRecord, RecordColumns

SOLO = "pig/classic"
EFFORT = Effort(seed=1, threads=1)
GAMES = 80


def rows_of(cell, share, n, first=10**7, drawn=None):
    """Games at a level, on luck that no fit plays."""
    box = cell.game.fill_box({**cell.values, **(drawn or {})})
    out = allocate_rows(cell.game, n)
    Engine(cell.game, box, seat_players_at_level(cell, share)).play(Workspace(cell.game), 99, first, first + n, out)
    return np.asarray(out)


def simulated(cell, share, n, first=10**7, drawn=None, group="", day=None, endings=True):
    rows = rows_of(cell, share, n, first, drawn)
    return [PlayRecord(Location("plays.csv", i + 2), won=bool(rows[2, i] & 1),
                 ending=int(rows[ENDING, i]) if endings else None,
                 numbers={ROUNDS: float(rows[ROUNDS, i])}, group=group, day=day and day + timedelta(i))
            for i in range(n)]


def fitted(plays, scenario=SOLO, **how):
    return fit_model(load_scenario(scenario), plays, how.pop("effort", EFFORT), **{"games": GAMES, **how})


def written(folder, cell, share, n, first=10**7, drawn=None, names=("won", "ending", "rounds")):
    """A file of plays with these columns, or with all that a new table of plays has."""
    table, rows = RecordColumns(cell), rows_of(cell, share, n, first, drawn)
    names = names or [name for name in table.header if name not in ("date", "group", "seat")]
    lines = [[table.format_game(rows[:, i], 0).get(name, "") for name in names] for i in range(n)]
    file = folder / "plays.csv"
    file.write_text("".join(",".join(line) + "\n" for line in [names, *lines]))
    return file
