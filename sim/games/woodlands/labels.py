"""What kind of option one is, for those who study choices: the verb, and with it the card, the foe, the slot or the
place."""

from __future__ import annotations

from typing import Any

from hardmode.sim.games.woodlands.agenda import first_of, second_of, verb_of
from hardmode.sim.games.woodlands.box import read_name
from hardmode.sim.games.woodlands.names import BOSS_FOE, LOOTS, Kind, Monster, Slot, Special, Verb
from hardmode.sim.records import rule

# Where the labels of each part begin; those of the verbs alone come first.
STOPS = len(Verb)  # stop, no and yes, for each kind of decision
USES = STOPS + 3 * len(Kind)
BUYS = USES + LOOTS
FOES = BUYS + LOOTS  # face down, each kind of monster, the boss
THE_BOSS = FOES + 1 + len(Monster)
SLOTS = THE_BOSS + 1
STEPS = SLOTS + len(Slot)  # into the unknown, and to each kind of place
KEPT = STEPS + 1 + len(Special)
LABELS = KEPT + 5  # dice kept

SLOT_NAMES = ("nothing", "move", "focus", "the first special", "the second special", "summon")


@rule
def label(box, table, own, option):
    verb, a = verb_of(option), first_of(option)
    if verb == Verb.STOP:
        return STOPS + 3 * table.kind
    if verb in (Verb.NO, Verb.YES):
        return STOPS + 3 * table.kind + 1 + (verb == Verb.YES)
    if verb == Verb.USE:
        return USES + box.loot_kind[table.loot[table.seat, a] - 1]
    if verb == Verb.BUY:
        return BUYS + box.loot_kind[table.stock[a, second_of(option)] - 1]
    if verb == Verb.FIGHT:
        return THE_BOSS if a == BOSS_FOE else FOES + 1 + table.mon_type[a]
    if verb == Verb.ASSIGN:
        return SLOTS + a
    if verb == Verb.STEP:
        to = table.link[table.at[table.active], a]
        return STEPS + (1 + table.special[to] if to >= 0 else 0)
    return KEPT + (a & 1) + (a >> 1 & 1) + (a >> 2 & 1) + (a >> 3 & 1) if verb == Verb.KEEP else verb


def name(box: Any, number: int) -> str:
    """The label in words."""
    if number < STOPS:
        return Verb.labels()[number]
    if number < USES:
        kind, answer = divmod(number - STOPS, 3)
        return f"{Kind.labels()[kind]}: {('stop', 'no', 'yes')[answer]}"
    if number < FOES:
        bought, card = divmod(number - USES, LOOTS)
        return f"{('use', 'buy')[bought]} {read_name(box.loot_name[card])}"
    told = ("fight face-down monster", *(f"fight {read_name(name)}" for name in box.monster_name), "fight the boss",
            *(f"a die on {slot}" for slot in SLOT_NAMES),
            "step into the unknown", *(f"step to {s}" for s in Special.labels()), *(f"keep {n} dice" for n in range(5)))
    return told[number - FOES]
