"""A table laid by hand for rule tests: heroes on a small forest, dice that show what the example wants."""

from __future__ import annotations

from typing import Any

import numpy as np

from hardmode.scenarios.load import create_variant
from hardmode.sim.draws import LUCK
from hardmode.sim.games.woodlands import GAME
from hardmode.sim.games.woodlands.agenda import Task
from hardmode.sim.games.woodlands.forest import lay_tile, populate
from hardmode.sim.games.woodlands.names import CENTRE, NO_COLOUR, SIDE, CardPlace, Monster
from hardmode.sim.records import blank

TILE = ("start", "boss", "inn", "campfire", "vortex", "energy_well", "merchant", "double_dead_end", "lair_glade",
        "lair_den", "bramble_pass", "green_crossroads", "violet_crossroads", "blue_hoard", "orange_fork",
        "guarded_cache", "green_thicket", "blue_shrine", "violet_trail", "thorny_cache", "orange_bend",
        "bramble_bend", "monster_nest", "hidden_hollow")
LOOT = ("mace", "mace", "mace", "sword", "sword", "axe", "green_staff", "violet_staff", "blue_staff", "orange_staff",
        "healing_potion", "healing_potion", "antidote", "antidote", "boots", "boots", "leather_armour",
        "reinforced_armour", "shield", "spell_book", "spell_book", "orb_pouch", "bomb", "lantern", "charm")


class Case:
    """Heroes on the first tile, nothing else in play; the stack holds what the game would deal."""

    def __init__(self, *heroes: str, rules: dict | None = None, setup: dict | None = None, key: int = 1) -> None:
        setup = {"heroes": list(heroes), "brambles": "classic", **(setup or {})}
        found = create_variant("woodlands", players=len(heroes), setup=setup, rules=rules or {})
        self.box = found.box.view(type(blank(GAME.box)))[0]
        self.table, self.hidden, self.luck = blank(GAME.table)[0], blank(GAME.hidden)[0], blank(LUCK)[0]
        self.luck.key = np.uint64(key)
        GAME.setup(self.box, self.table, self.hidden, self.luck)
        self.table.asking, self.table.todo_n, self.table.turn_mark = 0, 0, 0
        self.table.active, self.table.visit, self.table.turns = 0, 1, 1

    def lay(self, name: str, x: int, y: int, turned: int = 0, markers: bool = False) -> int:
        p = lay_tile(self.box, self.table, TILE.index(name), CENTRE + y * SIDE + x, turned // 90)
        if markers:
            populate(self.box, self.table, self.hidden, self.luck, p)
        return p

    def monster(self, kind: str, place: int = 0, slot: int = 0) -> int:
        """A face-up monster, taken from the stack."""
        wanted = Monster.labels().index(kind)
        stack, n = self.hidden.mon_stack, self.table.mon_n
        i = next(i for i in range(n) if self.box.kind_of[stack[i]] == wanted)
        self.hidden.mon_id[slot] = stack[i]
        stack[i] = stack[n - 1]
        self.table.mon_n = n - 1
        self.table.mon_at[slot], self.table.mon_type[slot] = place, wanted
        return slot

    def give(self, seat: int, *cards: str) -> None:
        for slot, name in enumerate(cards):
            card = next(c for c, k in enumerate(LOOT) if k == name and self.table.loot_where[c] == CardPlace.DECK)
            self.table.loot[seat][slot] = card + 1
            self.table.loot_where[card] = CardPlace.HELD
            pile = [c for c in self.hidden.loot[: self.table.loot_n] if c != card]
            for i, c in enumerate(pile):
                self.hidden.loot[i] = c
            self.table.loot_n = len(pile)

    def boss(self, number: int, place: int) -> None:
        self.table.boss, self.table.boss_at, self.table.boss_shown, self.table.boss_alive = number, place, 1, 1
        self.table.boss_shield, self.table.boss_track = self.box.b_shield[number], self.box.b_track[number]
        self.table.boss_immune, self.table.threat, self.table.bosses_drawn = self.box.b_immune[number], 1, 1
        self.table.shown_turn = -1

    def use_skill(self, name: str) -> None:
        """The boss uses a skill that stands on its card."""
        from hardmode.sim.games.woodlands.boss import use_skill
        from hardmode.sim.games.woodlands.names import Skill

        skills = [Skill.labels()[k] for k in self.box.b_skill[self.table.boss]]
        use_skill(self.box, self.table, self.hidden, self.luck, skills.index(name))
        self.go()

    def options(self) -> list[tuple[int, int, int]]:
        from hardmode.sim.games.woodlands.agenda import first_of, second_of, verb_of

        out = np.zeros(GAME.max_options, np.int64)
        n = GAME.options(self.box, self.table, self.hidden, out)
        return [(verb_of(int(c)), first_of(int(c)), second_of(int(c))) for c in out[:n]]

    def take(self, verb: int, a: int = 0, b: int = 0) -> None:
        from hardmode.sim.games.woodlands.agenda import option, push

        assert (verb, a, b) in self.options()
        if self.table.todo_n == 0:
            push(self.table, Task.ACT, 0, 0, 0)  # so that there is something to go on to
        GAME.take(self.box, self.table, self.hidden, self.luck, option(verb, a, b))

    def go(self) -> None:
        """Do what is on the agenda, and stop when it is empty or somebody has to decide."""
        from hardmode.sim.games.woodlands.campaign import settle
        from hardmode.sim.games.woodlands.tasks import cut_short, perform

        table = self.table
        while not table.over and (table.cut or (table.todo_n and not table.asking)):
            if table.cut:
                cut_short(table)
                continue
            table.todo_n -= 1
            task, a, b, c = (int(x) for x in table.todo[table.todo_n])
            perform(self.box, table, self.hidden, self.luck, task, a, b, c)
        if table.over:
            settle(self.box, table, self.luck)

    def show(self, *dice: tuple[int, int, int] | tuple[int, int]) -> None:
        """Lay combat dice: face, owner, and the colour of a power die."""
        self.table.dice_n = len(dice)
        for i, (face, owner, *colour) in enumerate(dice):
            self.table.face[i], self.table.owner[i], self.table.plus[i] = face, owner, 0
            self.table.colour[i] = colour[0] if colour else NO_COLOUR

    def resolve(self, foe: int, *dice: Any) -> None:
        """The combat ends with these dice; go on until somebody has to decide."""
        from hardmode.sim.games.woodlands.combat_result import resolve

        self.table.foe = foe
        self.table.joined[self.table.active] = 1
        self.show(*dice)
        resolve(self.box, self.table, self.hidden, self.luck, foe)
        self.go()
