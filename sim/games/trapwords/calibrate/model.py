"""The model's own figures for the kinds of turn that a table has observed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from hardmode.sim.contract import Values
from hardmode.sim.games.trapwords.box import fill, minds_of, shelve, tastes_of
from hardmode.sim.games.trapwords.calibrate.log import Seen, TurnKind, moments
from hardmode.sim.games.trapwords.calibrate.practice import Practice, practise
from hardmode.sim.games.trapwords.names import MOST_SCENES, Giver, Trapper
from hardmode.sim.games.trapwords.records import Box
from hardmode.sim.games.trapwords.traps import burns, hazards, tellings
from hardmode.sim.records import blank, readable

TURNS = 40_000  # played for each kind of turn at each trial
LIBRARY_SEEDS = 1_000_003  # from the luck of one library to that of the next
PRACTICE = {"switches.turns": "odds", "setup.curses": "none", "setup.monster": "none"}  # makes no library


def box_file() -> Path:
    return Path(__file__).parents[4] / "scenarios" / "trapwords" / "box.yaml"


@lru_cache(maxsize=2)
def printed(path: Path) -> dict[str, dict[str, Any]]:
    """The leaves of the box, each with its value and, where it has them, range, min and max."""
    from ruamel.yaml import YAML

    return dict(_leaves(YAML(typ="safe").load(path), ()))


def _leaves(section: Any, where: tuple[str, ...]) -> Iterable[tuple[str, dict[str, Any]]]:
    if not isinstance(section, dict):
        yield ".".join(where), {"value": section}
    elif "value" in section:
        yield ".".join(where), section
    else:
        for name, below in section.items():
            if not str(name).startswith("."):
                yield from _leaves(below, (*where, str(name)))


class Model:
    """The model's own moments for some kinds of turn, at any values of the box, with many people giving clues.

    Another `library` is other scenes, by the same laws, and other luck: by how far the figures differ from one
    to the next, a library of so many scenes errs.
    """

    def __init__(self, kinds: Sequence[TurnKind], values: Mapping[str, Any], turns: int = TURNS, seed: int = 1,
                 library: int = 0) -> None:
        self.kinds, self.values, self.turns = list(kinds), dict(values), turns
        self.seed, self.first = seed + LIBRARY_SEEDS * library, MOST_SCENES * library
        self.lengths = sorted({k.length for k in kinds})
        self.cells = blank(Box)

    def box(self, changed: Mapping[str, Any]) -> np.ndarray:
        """A box with only those scenes that are asked for.

        Skill is left out of practice turns; over many people it spreads as the words' own ease does, and adds to it.
        """
        given = {**self.values, **PRACTICE, **changed}
        values = Values({**given, "turn.word_ease": math.hypot(given["turn.word_ease"], given["turn.skill"])})
        box = readable(self.cells)
        fill(box, values)
        box.full, box.scenes = 1, values["model.scenes"]
        box.part[:] = 0
        minds, tastes = replace(minds_of(values, values["setup.team_b"]), first=self.first), tastes_of(values)
        for kind in self.kinds:
            shelf, policy = self.lengths.index(kind.length), Trapper.labels().index(kind.trappers)
            box.shelf[kind.length] = shelf
            shelve(box.hazard[0, shelf, policy], burns(hazards(minds, tastes, policy, kind.length),
                                                       values["turn.notice"]))
            shelve(box.worth[shelf], tellings(minds, tastes, kind.length))
        return self.cells

    def practise(self, kind: TurnKind, changed: Mapping[str, Any]) -> Practice:
        return self._practise(self.box(changed), kind)

    def _practise(self, box: np.ndarray, kind: TurnKind) -> Practice:
        return practise(box, 0, Trapper.labels().index(kind.trappers), Giver.labels().index(kind.giver), self.turns,
                        seed=self.seed + self.kinds.index(kind), length=kind.length)  # no luck in common

    def moments(self, changed: Mapping[str, Any]) -> dict[TurnKind, Seen]:
        box, found = self.box(changed), {}
        for kind in self.kinds:
            turns = self._practise(box, kind)
            found[kind] = moments(turns.rows[0], turns.success_seconds, turns.rows[3])
        return found
