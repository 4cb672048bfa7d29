"""The records: the numbers of the box, the table, and what is hidden."""

from __future__ import annotations

import numpy as np

import hardmode.sim.games.vengeance.names as n
from hardmode.sim.contract import TABLE_HEAD
from hardmode.sim.games.vengeance.switches import SWITCHES

Box = np.dtype([
    # die: the face on each side; flashback: what each side of each flashback die shows
    # loot_n: slots of the loot track; training_n: slots of the training track; heroes: how many there are
    # bosses: how many there are; boards: den boards; boss_power: what a Boss changes, as bits
    # addition: what a Boss adds to its den; size: dice that a tile asks for; timing: when a tile is used, a `Timing`
    # effect: its actions; length: how many; sharp_length: how many with a D
    # contents: its combat actions counted, six bits each; sharp_contents: the same with a D
    # chance: that a die shows each face; miss: that so many dice show none of a face
    # power: what a passive skill changes, as bits; modifies: the skill that an item changes; tile_name: letters
    # hero_name: letters; boss_name: letters; side_name: letters; room_name: letters, by side
    ("players", "i8"), ("rounds", "i8"), ("pool", "i8"), ("target", "i8"), ("timer", "f8"),
    ("die", "i8", (6,)), ("flashback", "i8", (3, 6)),
    ("hand_cap", "i8"), ("hand_cap_ko", "i8"), ("life_base", "i8"), ("life_extra", "i8"), ("ko_slots", "i8"),
    ("life_goal", "i8"), ("train", "i8"), ("care", "i8"), ("skill_limit", "i8"), ("tough", "i8"),
    ("kill_points", "i8"), ("exit_points", "i8"), ("start_xp", "i8"), ("start_focus", "i8"),
    ("loot_track", "i8", (n.MAX_TRACK,)), ("loot_n", "i8"),
    ("training_track", "i8", (n.MAX_TRACK,)), ("training_n", "i8"),
    ("heroes", "i8"), ("trait", "i8", (n.MAX_HEROES,)),
    ("bosses", "i8"), ("health", "i8", (n.MAX_BOSSES,)), ("boss_power", "i8", (n.MAX_BOSSES,)),
    ("addition", "i8", (n.MAX_BOSSES,)),
    ("boards", "i8"),
    ("seat_hero", "i8", (n.SEATS,)), ("seat_boss", "i8", (n.SEATS,)), ("seat_board", "i8", (n.SEATS,)),
    ("seat_side", "i8", (n.SEATS,)),
    ("size", "i8", (n.ROWS,)), ("fillings", "i8", (n.ROWS,)), ("filling", "i8", (n.ROWS, n.MAX_FILLINGS)),
    ("once", "i8", (n.ROWS,)), ("timing", "i8", (n.ROWS,)), ("slots", "i8", (n.ROWS,)), ("cost", "i8", (n.ROWS,)),
    ("effect", "i8", (n.ROWS, n.MAX_EFFECT)), ("length", "i8", (n.ROWS,)), ("sharp_length", "i8", (n.ROWS,)),
    ("contents", "i8", (n.ROWS,)), ("sharp_contents", "i8", (n.ROWS,)), ("chance", "f8", (len(n.Face),)),
    ("miss", "f8", (4, n.MAX_HAND + 1)),
    ("power", "i8", (n.ROWS,)), ("modifies", "i8", (n.ROWS,)), ("capacity", "i8", (n.ROWS,)),
    ("den", "i8", (n.SIDES * len(n.Addition), n.DEN_SIZE)),
    ("contention", "i8"), ("budget", "i8"), ("throw_cap", "i8"),
    ("roll_base", "f8"), ("roll_each", "f8"), ("roll_sigma", "f8"),
    ("assign_base", "f8"), ("assign_each", "f8"), ("assign_sigma", "f8"),
    ("draw_base", "f8"), ("draw_each", "f8"), ("draw_sigma", "f8"),
    ("life_time", "f8"), ("life_sigma", "f8"),
    ("cocked", "f8"), ("cocked_time", "f8"), ("mistake", "f8"), ("mistake_time", "f8"),
    ("factor", "f8", (n.SEATS,)), ("pause", "f8", (n.SEATS,)), ("think", "f8", (n.SEATS,)), ("spread", "f8"),
    *((name, "i8") for name in SWITCHES),
    ("tile_name", "i1", (n.ROWS, n.NAME)), ("hero_name", "i1", (n.MAX_HEROES, n.NAME)),
    ("boss_name", "i1", (n.MAX_BOSSES, n.NAME)), ("side_name", "i1", (n.SIDES, n.NAME)),
    ("room_name", "i1", (n.SIDES, n.MAX_ROOMS, n.NAME)),
], align=True)

Count = np.dtype([
    # what is counted of a seat for the measures
    # throws: of dice; groups: of dice assigned; dice_used: assigned to skills or the life bar
    # dice_used_in_round_1: of these, in the first round; life_dice: placed on the life bar
    # wounds_taken: life slots crossed; dice_lost: dice that ended a roll phase locked
    # ended_by_timer: roll phases stopped by the clock; ended_by_pool: roll phases that ended with an empty pool
    # ended_stuck: roll phases that ended with locked dice only; ended_by_choice: roll phases that the player ended
    # hands_stuck: with locked dice only, whatever else was over; time_left: tenths of a second left on the clock
    # time_rolled: tenths of a second in roll phases; pool_left: dice left in the pool
    # cap_hit: roll phases that ran into the cap on throws; skill_bought: of the hero's own; skill_used: by skill
    # item_used: by item
    ("throws", "i8"), ("groups", "i8"), ("dice_used", "i8"), ("dice_used_in_round_1", "i8"), ("life_dice", "i8"),
    ("wounds_taken", "i8"), ("dice_lost", "i8"), ("ended_by_timer", "i8"), ("ended_by_pool", "i8"),
    ("ended_stuck", "i8"), ("ended_by_choice", "i8"), ("hands_stuck", "i8"), ("time_left", "i8"),
    ("time_rolled", "i8"), ("pool_left", "i8"), ("cap_hit", "i8"),
    ("skill_bought", "i8", (n.OWN_SKILLS,)), ("skill_used", "i8", (n.SKILLS,)), ("item_used", "i8", (n.ITEMS,)),
], align=True)

Table = np.dtype([
    *TABLE_HEAD,
    # phase: of the round, a `Phase`; stage: of a seat's combat and resolution, a `Stage`; pool: dice in the common pool
    # board_of: the den board of each seat; hero_of: the hero of each seat; offer: the two Bosses to choose from, or -1
    # board: what lies before each seat, in the places that `Slot` in names.py names
    # count: what is counted of each seat
    ("phase", "i8"), ("stage", "i8"), ("pool", "i8"),
    ("board_of", "i8", (n.SEATS,)), ("hero_of", "i8", (n.SEATS,)), ("offer", "i8", (n.SEATS, 2)),
    ("since", "f8", (n.SEATS,)),  # when the event under way of a seat began, or its last one ended
    ("usual", "f8", (n.SEATS,)),  # how long such an event usually takes
    ("board", "i8", (n.SEATS, n.BOARD_SIZE)), ("count", Count, (n.SEATS,)),
], align=True)

Own = np.dtype([("pace", "f8")], align=True)  # how slow the player is
Hidden = np.dtype([
    ("own", Own, (n.SEATS,)), ("boss", "i8", (n.MAX_BOSSES,)),
    ("ends", "f8", (n.SEATS,)),  # when the event under way of a seat ends, or its last one ended
    ("lot", "i8", (n.SEATS,)),  # what settles a tie of ends
], align=True)
