"""The four records of a game: the box, what lies open, what one seat knows alone (nothing), and what lies face down."""

import numpy as np

from hardmode.sim.contract import TABLE_HEAD
from hardmode.sim.games.woodlands.names import (
    BOSSES,
    CARDS,
    EVENTS,
    KINDS_OF_MONSTER,
    LOOTS,
    PAIR,
    PLACES,
    SEATS,
    SIDE,
    SLOTS,
    TILES,
    TOKENS,
)
from hardmode.sim.games.woodlands.switches import SWITCHES


def _fields(names, kind="i8", shape=None):
    return [(n, kind) if shape is None else (n, kind, shape) for n in names.split()]


PROBABILITIES = 16  # size of the table of combat chances
_ONES = ("players mode lairs inn bramble boss_choice enraged_boss max_hearts max_orbs slots start_orbs"
         " power1_cost power2_cost price sale vortex_cost raise_cost focus_orbs risky_orbs raise_hearts"
         " eb_hearts eb_track eb_sword token_n round_limit tries_limit"
         " shavi_power_1 shavi_power_2 bethras_power_1 bethras_power_2 events_n bosses_n loot_total"
         " c1_potions c1_orbs c1_vials c1_ambush c2_move c2_move_after c2_thieves"
         " c3_boss_round c4_needed c4_horn c4_trap c4_base c5_markers c5_low c5_high c5_lost c3_tiles c4_tiles"
         " c5_tiles").split()

_PAIRS = {"mon_reward": 5, "mon_penalty": 5, "boss_penalty_of": BOSSES, "bramble_face": 18, "event": EVENTS,
          "lair_a_face": 24, "lair_b_face": 24, "lair_reward": 4, "lair_malus": 4, "inn_card": 5}

NAME = 24  # letters of a name
NAMED = {"tile": TILES, "boss": BOSSES, "loot": LOOTS, "event": EVENTS, "lair_a": 4, "lair_b": 4, "inn": 5}

Box = np.dtype([
    *[(n, "i8") for n in _ONES],
    *[(n, "i8") for n in SWITCHES],
    *[(n, "i8", (k, PAIR, 2)) for n, k in _PAIRS.items()],
    ("hero_choice", "i8", (SEATS,)), ("enraged", "i8", (KINDS_OF_MONSTER,)),
    *[(n, "i8", (SEATS,)) for n in ("a_least", "a_cap", "b_least", "b_cap")],
    *[(n, "i8", (6,)) for n in ("hero_face", "combat_face", "power_face")],
    *[(n, "i8", (TILES,)) for n in ("open", "chest", "events", "lair", "rune", "special")],
    *[(n, "i8", (TILES, 2)) for n in ("side_open", "side_monsters", "side_brambles")],
    *[(n, "i8", (KINDS_OF_MONSTER,)) for n in ("mon_shield", "mon_hearts", "mon_sword", "mon_immune", "mon_returns")],
    ("mon_plus", "i8", (KINDS_OF_MONSTER, 4)), ("kind_of", "i8", (TOKENS,)),
    *[(n, "i8", (BOSSES,)) for n in ("b_shield", "b_hearts", "b_sword", "b_track", "b_immune", "b_treasure")],
    ("b_plus", "i8", (BOSSES, 4)),
    *[(n, "i8", (BOSSES, 6)) for n in ("b_skill", "b_number", "b_colour")],
    *[(n, "i8", (LOOTS,)) for n in ("l_use", "l_effect", "l_amount", "l_colour")],
    ("loot_kind", "i8", (CARDS,)), ("well_value", "i8", (4,)),
    ("lair_rule", "i8", (4,)), ("lair_plus", "i8", (24,)), ("inn_price", "i8", (5,)),
    ("c2_target", "i8", (5,)), ("c3_goal", "i8", (5,)),
    ("c3_advance", "i8", (8,)), ("c3_spawn", "i8", (8,)), ("c4_added", "i8", (4,)), ("c4_camp", "i8", (TILES,)),
    *[(n, "i8", (3, TILES)) for n in ("lay_tile", "lay_x", "lay_y", "lay_rot")],
    *[(f"{n}_name", "i1", (k, NAME)) for n, k in NAMED.items()],
    ("chance", "f8", (7, PROBABILITIES, PROBABILITIES)),  # chance[s, n, m]: n dice give m hits, s faces of six hit
], align=True)

Own = np.dtype([("nothing", "i8")], align=True)

Hidden = np.dtype([
    ("own", Own, (SEATS,)),
    ("stack", "i8", (TILES,)),       # bottom first
    ("dealt", "i8", (TOKENS,)),  # while dealing afresh: the tokens that have their place
    ("mon_stack", "i8", (TOKENS,)),  # token numbers; a token's kind is its number // 4
    ("mon_id", "i8", (TOKENS,)),     # the token in each monster slot of the table
    ("loot", "i8", (CARDS,)),
    ("event", "i8", (EVENTS,)),
    ("boss", "i8", (BOSSES,)),
    ("well", "i8", (4,)),            # which orb tokens lie on the well, in order
    ("lair_a", "i8", (4,)),
    ("lair_b", "i8", (4,)),
    ("inn", "i8", (5,)),
    ("quest", "i8", (8,)),           # chapter 1: a marker's kind is its number // 2, 3 a vial
    ("quest_at", "i8", (PLACES,)),   # the marker face down on each place, or -1
    ("camp_at", "i8", (PLACES,)),    # chapter 4: the camp face down on each place, or -1
    ("pile", "i8", (4, 12)),         # chapter 4: the cards of each pile
], align=True)

Table = np.dtype([
    *TABLE_HEAD,
    *_fields("campaign chapter brambles attempt day active asking over cut cut_striker todo_n turn_mark lair_mark"
             " visit"),
    ("todo", "i2", (128, 4)),
    # forest
    ("grid", "i1", (SIDE * SIDE,)),  # first place of a cell + 1
    ("link", "i8", (PLACES, 4)),     # the place one step away in each direction, or -1
    ("aside", "i8", (TILES,)), ("scratch", "i8", (256,)),
    *_fields("places stack_n low_n under_n top_n tile tile_cell tile_join reveal_how barred fires"),
    *_fields("cell rot tile_of special open far bramble chests events tokens quest_down camp corrupt plus_shield"
             " lair_open spot",
             "i8", (PLACES,)),
    ("gone", "i8", (TILES,)),        # tiles that are not in the stack: placed or out of the game
    ("top", "i8", (3,)),             # tiles known to lie on top of the stack, uppermost first
    ("under", "i8", (TILES,)),       # tiles known to lie at its bottom, lowest first
    # heroes
    *_fields("hero hp orbs at poison entangled powers well_taken song stance falls immobile",
             "i8", (SEATS,)),
    ("loot", "i8", (SEATS, SLOTS)),  # card + 1
    ("used", "i8", (SEATS, SLOTS)),  # turned over
    ("markers", "i8", (SEATS, 4)),   # quest markers: 3 colours of mushrooms, vials
    ("carried", "i8", (SEATS, 4)),   # chapter 2: the orb tokens a hero carries
    # the active hero's turn
    ("die", "i8", (4,)), ("die_slot", "i8", (4,)),
    *_fields("stage charms kept moves focus a_left b_left summoned agility precision transport flights entries"),
    *_fields("combats boss_fought late_orbs orb_hearts first_downed fought_here bramble_n lair_n skill_n hit_amount"
             " striker moved_rule chapter_round ordered"),
    ("aboard", "i8", (SEATS,)),
    # monsters
    *_fields("mon_at mon_type mon_leaf mon_frozen mon_fought mon_wins mon_orbs mon_vortex", "i8", (TOKENS,)),
    *_fields("mon_n mon_shuffles"),
    ("mon_out", "i8", (TOKENS,)),    # tokens that lie face up in the discard
    ("enraged", "i8", (KINDS_OF_MONSTER,)),
    # decks
    *_fields("loot_n loot_shuffles event_n event_shuffles inn_n inn_shuffles lairs_used drawn drawn_by"),
    ("loot_where", "i8", (CARDS,)),  # where each card is; see loot.py
    ("event_gone", "i8", (EVENTS,)), ("inn_gone", "i8", (5,)), ("lair_gone", "i8", (8,)),
    ("stock", "i8", (2, 3)),         # card + 1: the merchant's, the travelling merchant's
    ("stock_at", "i8", (2,)),        # place + 1 where they are sold
    ("token_gone", "i8", (4,)),      # orb tokens seen
    # the combat
    *_fields("foe foe_drawn dice_n brewed book auto_hits staffs p1_used p2_used marked"
             " power_rerolled extra_dice"),
    ("joined", "i8", (SEATS,)),
    *_fields("face owner colour plus rerolls", "i8", (32,)),  # colour NO_COLOUR: a combat die
    # the boss
    *_fields("boss boss_at boss_shown boss_alive threat boss_leaf skill boss_shield boss_immune boss_fewer"
             " shown_turn bosses_drawn bosses_beaten boss_track"),
    # lair
    *_fields("in_lair lair_a lair_b lair_space lair_events lair_first lair_passes lairs_entered lairs_done"),
    ("lair_party", "i8", (SEATS,)),
    # chapters and campaign
    *_fields("potions brew_fight brew_place quest_n orbs_lost totems supply ashes_pile went_on ch_level2"
             " corrupt_tiles corrupt_cells reached trades woken woken_n treasure_n"),
    ("quest_gone", "i8", (8,)), ("camp_gone", "i8", (4,)), ("looted", "i8", (PLACES,)),
    ("pile_n", "i8", (4,)),
    ("corrupt_cell", "i8", (12,)),              # empty cells with a marker
    ("beaten", "i8", (KINDS_OF_MONSTER,)),      # in this chapter, those that count
    ("tries_of", "i8", (6,)), ("rounds_of", "i8", (6,)),
    ("kept_loot", "i8", (SEATS, SLOTS)), ("kept_orbs", "i8", (SEATS,)), ("kept_hp", "i8", (SEATS,)),
    ("kept_powers", "i8", (SEATS,)), ("treasure", "i8", (SEATS,)),
    # what is measured
    ("won_by", "i8", (KINDS_OF_MONSTER,)), ("lost_to", "i8", (KINDS_OF_MONSTER,)),
    *_fields("orbs_gained orbs_reroll orbs_market orbs_vortex orbs_raise orbs_unlock loot_drawn shown_round"
             " shown_hp shown_orbs shown_loot shown_stack boss_fights boss_dice boss_hp_before boss_orbs_before"
             " hurt_monster hurt_boss hurt_bramble hurt_poison hurt_other risky_steps turns events_drawn placed"
             " first_foe chests_taken potions_drunk raised tokens_taken"),
], align=True)
