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
NAMED = {"tile": TILES, "boss": BOSSES, "loot": LOOTS, "event": EVENTS, "lair_a": 4, "lair_b": 4, "inn": 5,
         "monster": KINDS_OF_MONSTER}

Box = np.dtype([
    # events_n: cards in the event deck; bosses_n: bosses in the box; c3_tiles: laid in chapter 3
    # c4_tiles: laid in chapter 4; c5_tiles: laid in chapter 5; c4_camp: the camps laid in chapter 4
    # lay_tile: tiles laid at set-up by chapters 3, 4, 5; tile_name: letters; boss_name: letters; loot_name: letters
    # event_name: letters; lair_a_name: letters; lair_b_name: letters; inn_name: letters
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

Own = np.dtype([("nothing", "i8")], align=True)  # a seat knows nothing that the others do not

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
    # campaign: 1 in a campaign; chapter: its chapter, 0 outside of one; brambles: how hard they are, a `Bramble`
    # attempt: set-ups so far; day: the round, counted on over all attempts; active: whose turn it is
    # asking: 1 while a decision waits; over: 1 + the ending to come, or 0; cut: 1 once a turn was cut short
    # cut_striker: 1 + who struck then, or 0; todo_n: tasks that wait; turn_mark: how many waited before the turn
    # lair_mark: how many waited before the lair
    # visit: arrivals so far, by which monsters are known that were fought in one
    # todo: tasks that wait, with what each is about, the last first
    *_fields("campaign chapter brambles attempt day active asking over cut cut_striker todo_n turn_mark lair_mark"
             " visit"),
    ("todo", "i2", (128, 4)),
    # forest
    ("grid", "i1", (SIDE * SIDE,)),  # first place of a cell + 1
    ("link", "i8", (PLACES, 4)),     # the place one step away in each direction, or -1
    ("aside", "i8", (TILES,)), ("scratch", "i8", (256,)),
    # aside: working space; scratch: working space; places: how many there are; stack_n: tiles in the stack
    # low_n: tiles known to lie low in it; under_n: tiles known to lie at its bottom
    # top_n: tiles known to lie on top; tile: the tile to be laid
    # tile_cell: the cell to lay it on, 0 where that is chosen; tile_join: its side that must be open
    # reveal_how: what brought the boss; barred: a cell where nothing may be laid; fires: campfires laid
    *_fields("places stack_n low_n under_n top_n tile tile_cell tile_join reveal_how barred fires"),
    # cell: of each place; rot: how its tile is turned; tile_of: its tile; special: what it is, a `Special`
    # open: its open sides, as bits; far: 1 for the far side of a double dead-end
    # bramble: brambles on its side; chests: left there; events: 1 where one waits
    # tokens: orb tokens left there; quest_down: 1 + the quest marker, which lies face up from FACE_UP
    # camp: the camp there; corrupt: corruption there; plus_shield: shields added there
    # lair_open: 1 where a lair may be entered; spot: places where one stands together have the same
    *_fields("cell rot tile_of special open far bramble chests events tokens quest_down camp corrupt plus_shield"
             " lair_open spot",
             "i8", (PLACES,)),
    ("gone", "i8", (TILES,)),        # tiles that are not in the stack: placed or out of the game
    ("top", "i8", (3,)),             # tiles known to lie on top of the stack, uppermost first
    ("under", "i8", (TILES,)),       # tiles known to lie at its bottom, lowest first
    # heroes
    # hero: of each seat, a `Hero`; hp: hearts left; orbs: held; at: the place; poison: 1 while poisoned
    # entangled: 1 while held by brambles; powers: unlocked, 0 to 2; well_taken: 1 once a token of the well was taken
    # song: dice that a song adds; stance: blows still to be parried; falls: times downed
    # immobile: not 0 while held fast
    *_fields("hero hp orbs at poison entangled powers well_taken song stance falls immobile",
             "i8", (SEATS,)),
    ("loot", "i8", (SEATS, SLOTS)),  # card + 1
    ("used", "i8", (SEATS, SLOTS)),  # turned over
    ("markers", "i8", (SEATS, 4)),   # quest markers: 3 colours of mushrooms, vials
    ("carried", "i8", (SEATS, 4)),   # chapter 2: the orb tokens a hero carries
    # the active hero's turn
    # die: the hero dice, by face; die_slot: the slot of each die; stage: first roll, or again
    # charms: dice rolled by charms; kept: dice kept, as bits; moves: left; focus: focus left
    # a_left: uses of the first power; b_left: uses of the second power; summoned: summons left; agility: Xylia's
    # precision: Xylia's; transport: Klethor's; flights: times fled in the game
    # entries: places entered this turn
    ("die", "i8", (4,)), ("die_slot", "i8", (4,)),
    *_fields("stage charms kept moves focus a_left b_left summoned agility precision transport flights entries"),
    # combats: this turn; boss_fought: 1 once the boss was fought this turn
    # late_orbs: orbs that come at the end of the turn; orb_hearts: 1 once orbs were paid for hearts
    # first_downed: who was downed first; fought_here: 1 once fought at this place
    # bramble_n: bramble rolls this turn; lair_n: lair rolls this turn; skill_n: skill rolls this turn
    # hit_amount: the blow to be parried; striker: who strikes it; moved_rule: 1 where a lair's event moved the heroes
    # chapter_round: the round of the chapter; ordered: top tiles put in order; aboard: heroes taken along
    *_fields("combats boss_fought late_orbs orb_hearts first_downed fought_here bramble_n lair_n skill_n hit_amount"
             " striker moved_rule chapter_round ordered"),
    ("aboard", "i8", (SEATS,)),
    # monsters
    # mon_at: the place of each monster, or NOWHERE; mon_type: its kind, a `Monster`; mon_leaf: its leaf shields
    # mon_frozen: not 0 while frozen; mon_fought: the visit in which it was last fought
    # mon_wins: its wins that count; mon_orbs: orb tokens that it carries, as bits
    # mon_vortex: 1 where it came by a vortex; mon_n: tokens in the monsters' stack; mon_shuffles: of that stack
    # enraged: 1 for kinds that are enraged
    *_fields("mon_at mon_type mon_leaf mon_frozen mon_fought mon_wins mon_orbs mon_vortex", "i8", (TOKENS,)),
    *_fields("mon_n mon_shuffles"),
    ("mon_out", "i8", (TOKENS,)),    # tokens that lie face up in the discard
    ("enraged", "i8", (KINDS_OF_MONSTER,)),
    # decks
    # loot_n: cards in the loot deck; loot_shuffles: of it; event_n: cards in the event deck; event_shuffles: of it
    # inn_n: cards of the inn; inn_shuffles: of them; lairs_used: lairs entered so far
    # drawn: 1 + the loot card just drawn, or 0; drawn_by: the effect that drew it
    # event_gone: 1 for events that were drawn; inn_gone: 1 for cards of the inn that are out
    # lair_gone: 1 for lair cards that are out
    *_fields("loot_n loot_shuffles event_n event_shuffles inn_n inn_shuffles lairs_used drawn drawn_by"),
    ("loot_where", "i8", (CARDS,)),  # where each card is; see loot.py
    ("event_gone", "i8", (EVENTS,)), ("inn_gone", "i8", (5,)), ("lair_gone", "i8", (8,)),
    ("stock", "i8", (2, 3)),         # card + 1: the merchant's, the travelling merchant's
    ("stock_at", "i8", (2,)),        # place + 1 where they are sold
    ("token_gone", "i8", (4,)),      # orb tokens seen
    # the combat
    # foe: the monster fought, or BOSS_FOE; foe_drawn: 1 where it was drawn for the combat; dice_n: dice rolled
    # brewed: dice that Bethras brewed; book: what a book adds to combat dice; auto_hits: hits without a die
    # staffs: colours of staffs in use, as bits; p1_used: 1 once the first power was used
    # p2_used: 1 once the second power was used; marked: dice marked for a reroll, as bits
    # power_rerolled: 1 once power dice were rerolled; extra_dice: dice added
    # joined: how each hero takes part, a `Part`; face: of each die; owner: whose die it is; colour: of each die
    # plus: added to it; rerolls: of each die
    *_fields("foe foe_drawn dice_n brewed book auto_hits staffs p1_used p2_used marked"
             " power_rerolled extra_dice"),
    ("joined", "i8", (SEATS,)),
    *_fields("face owner colour plus rerolls", "i8", (32,)),  # colour NO_COLOUR: a combat die
    # the boss
    # boss: its card; boss_at: its place; boss_shown: 1 once revealed; boss_alive: 1 until beaten
    # threat: on the track; boss_leaf: its leaf shields; skill: 1 + its last skill, or 0; boss_shield: its shield
    # boss_immune: colours that do nothing, as bits; boss_fewer: combat dice fewer against it
    # boss_drains: orbs that each participant loses to it
    # shown_turn: the turn it was revealed in; bosses_drawn: so far; bosses_beaten: so far
    # boss_track: the end of the threat track
    *_fields("boss boss_at boss_shown boss_alive threat boss_leaf skill boss_shield boss_immune boss_fewer boss_drains"
             " shown_turn bosses_drawn bosses_beaten boss_track"),
    # lair
    # in_lair: 1 inside of one; lair_a: its first card; lair_b: its second card
    # lair_space: the space that is reached; lair_events: events done there; lair_first: added to the first dice
    # lair_passes: passes so far; lairs_entered: so far; lairs_done: so far; lair_party: who came along, a `Part`
    *_fields("in_lair lair_a lair_b lair_space lair_events lair_first lair_passes lairs_entered lairs_done"),
    ("lair_party", "i8", (SEATS,)),
    # chapters and campaign
    # potions: brewed; brew_fight: 1 while one fights for the brew; brew_place: where; quest_n: quest markers laid
    # orbs_lost: orb tokens lost; totems: colours with a totem, as bits; supply: corruption markers left
    # ashes_pile: the pile of the ashes, or -1; went_on: 1 once the heroes went on
    # ch_level2: 1 where the chapter is played at its second level; corrupt_tiles: corrupted
    # corrupt_cells: empty cells corrupted; reached: 1 once three camps were clear; trades: in this exchange
    # woken: monsters that may wake, as bits; woken_n: how many; treasure_n: loot cards of the treasure still to draw
    # quest_gone: 1 for markers that are out; camp_gone: 1 for camps that are out; looted: 1 where a chest was taken
    # pile_n: cards in each pile; tries_of: attempts at each chapter; rounds_of: rounds of each chapter
    # kept_loot: of the chapter before; kept_orbs: of the chapter before; kept_hp: of the chapter before
    # kept_powers: of the chapter before; treasure: 1 for who shares the treasure
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
    # won_by: combats won, by kind of monster; lost_to: combats lost, by kind; orbs_gained: in all
    # orbs_reroll: spent on rerolls; orbs_market: spent with merchants; orbs_vortex: spent on vortexes
    # orbs_raise: spent on raising heroes; orbs_unlock: spent on powers; loot_drawn: loot cards drawn
    # shown_round: the round the boss was revealed in; shown_hp: hearts then; shown_orbs: orbs then
    # shown_loot: loot cards then; shown_stack: tiles in the stack then; boss_fights: fought
    # boss_dice: dice rolled against it; boss_hp_before: hearts before the last
    # boss_orbs_before: orbs before the last; hurt_monster: hearts lost to monsters; hurt_boss: to the boss
    # hurt_bramble: to brambles; hurt_poison: to poison; hurt_other: to anything else; risky_steps: taken
    # turns: begun; events_drawn: in all; placed: tiles laid; first_foe: 1 + the kind of the first monster
    # chests_taken: in all; potions_drunk: in all; raised: heroes raised
    # tokens_taken: orb tokens taken from the well
    ("won_by", "i8", (KINDS_OF_MONSTER,)), ("lost_to", "i8", (KINDS_OF_MONSTER,)),
    *_fields("orbs_gained orbs_reroll orbs_market orbs_vortex orbs_raise orbs_unlock loot_drawn shown_round"
             " shown_hp shown_orbs shown_loot shown_stack boss_fights boss_dice boss_hp_before boss_orbs_before"
             " hurt_monster hurt_boss hurt_bramble hurt_poison hurt_other risky_steps turns events_drawn placed"
             " first_foe chests_taken potions_drunk raised tokens_taken"),
], align=True)
