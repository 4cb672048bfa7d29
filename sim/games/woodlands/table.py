"""What lies on the table: the four records of a game, and the words for what stands in them.

A place is where heroes and monsters stand: a tile, or one side of the double dead-end. Cells
number a square of 49 by 49 around the first tile, wide enough for every tile in one line.
A hero's number is also the colour of its die: Xylia green, Klethor violet, Sha'Vi blue, Bethras orange.
"""

import numpy as np

from hardmode.sim.contract import TABLE_HEAD

SEATS = 4
HEROES = ("xylia", "klethor", "shavi", "bethras")
XYLIA, KLETHOR, SHAVI, BETHRAS = 0, 1, 2, 3
COLOURS = ("green", "violet", "blue", "orange")
NO_COLOUR = 9

# The forest.
SIDE = 49
CENTRE = 24 * SIDE + 24
NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
BESIDE = (-SIDE, 1, SIDE, -1)  # the next cell in each direction
DIRECTIONS = ("north", "east", "south", "west")
TILES, PLACES = 24, 26
SPECIALS = ("plain", "start", "boss", "inn", "campfire", "vortex", "well", "merchant", "double dead-end")
PLAIN_TILE, START, BOSS, INN, CAMPFIRE, VORTEX, WELL, MERCHANT, DEAD_END = range(9)

# Monsters and bosses.
MONSTERS = ("snake", "spirit", "skeleton", "plant", "mushroom")
SNAKE, SPIRIT, SKELETON, PLANT, MUSHROOM = range(5)
KINDS_OF_MONSTER, COPIES, TOKENS = 5, 4, 20
NOWHERE, IN_LAIR = -1, -2
BOSSES = 6
BOSS_FOE = TOKENS  # the boss among foes, after the monster tokens

# What effects there are on tiles, cards and tokens.
EFFECTS = ("nothing", "hearts", "orbs", "loot", "discard loot", "event", "poison", "entangle", "immobilise",
           "monster", "monsters on runes", "lair die", "merchant", "battle song", "hearts of all here", "order tiles")
(E_NOTHING, E_HEARTS, E_ORBS, E_LOOT, E_DISCARD, E_EVENT, E_POISON, E_ENTANGLE, E_IMMOBILE, E_MONSTER,
 E_RUNES, E_DIE, E_MERCHANT, E_SONG, E_HEARTS_HERE, E_LOOK) = range(16)
PAIR = 2  # a cell of a card holds at most two effects

# Lairs.
LAIR_RULES = ("none", "back after a lost battle", "no power dice", "no orbs", "orb per event")
LR_NONE, LR_BACK, LR_NO_POWER, LR_NO_ORBS, LR_ORB = range(5)

# Loot.
IN_DECK, IN_DISCARD, IN_STOCK, HELD, IN_PILE, OUT = range(6)  # where a card is, as far as all can see
LOOTS, CARDS, SLOTS = 18, 25, 3
USES = ("permanent", "exhaust", "discard")
PERMANENT, EXHAUST, DISCARD = 0, 1, 2
LOOT_EFFECTS = ("combat dice", "better die", "better dice", "power die", "heal", "antidote", "step", "absorb",
                "armour", "orbs", "bomb", "lantern", "charm")
(L_DICE, L_BETTER, L_BETTER_ALL, L_POWER, L_HEAL, L_ANTIDOTE, L_STEP, L_ABSORB, L_ARMOUR, L_ORBS, L_BOMB,
 L_LANTERN, L_CHARM) = range(13)

# A boss's skills, S01 to S15 of the card.
SKILLS = ("shield", "hearts of all", "fewer dice", "poison", "exhaust loot", "discard loot", "immune to a colour",
          "immune to power dice", "threat", "brambles", "nothing", "orbs", "leaf shield", "monster",
          "orbs to threat")
(S_SHIELD, S_HEARTS, S_FEWER, S_POISON, S_EXHAUST, S_DISCARD, S_COLOUR, S_POWER, S_THREAT, S_BRAMBLES, S_NOTHING,
 S_ORBS, S_LEAF, S_MONSTER, S_DRAIN) = range(15)

# Slots of a hero board.
UNUSED, MOVE, FOCUS, SLOT_A, SLOT_B, SUMMON = range(6)
UNPLACED = -1

# How a game can end.
ENDINGS = ("boss beaten", "all downed", "threat full", "chapter won", "orbs lost", "well overrun",
           "corruption too wide", "corruption cannot spread", "campaign finished", "campaign abandoned")
(BOSS_BEATEN, ALL_DOWN, THREAT_FULL, CHAPTER_WON, ORBS_LOST, WELL_OVERRUN, TOO_WIDE, CANNOT_SPREAD, CAMPAIGN_DONE,
 CAMPAIGN_STALLED) = range(10)
CAP_REACHED = len(ENDINGS)

# Kinds of decision.
KINDS = (
    "place a tile", "one more tile", "use the charm", "keep dice", "assign a die", "act", "fight or flee",
    "choose the foe", "support from here", "prepare the combat", "change the roll", "freeze after a loss",
    "parry", "share a reward", "discard loot", "travel along", "buy from the traveller", "lantern",
    "join the lair", "inn", "order the tiles", "choose a pile", "place the sentinel", "purify", "go on",
    "whom to hunt", "give up loot", "exchange loot", "choose the pile to burn", "turn loot over", "choose what wakes",
)
(K_PLACE, K_EXTRA, K_CHARM, K_KEEP, K_ASSIGN, K_ACT, K_PREPARE, K_ORDER, K_SUPPORT, K_POOL, K_REROLL, K_FROST,
 K_PARRY, K_SHARE, K_DISCARD, K_CARRY, K_MARKET, K_LOOK, K_JOIN, K_INN, K_STACK, K_PILE, K_SENTINEL, K_PURIFY,
 K_GO_ON, K_HUNT, K_GIVE_UP, K_TRADE, K_BURN, K_EXHAUST, K_WAKE) = range(31)

# What an option does: verb, and two numbers whose meaning is the verb's.
VERBS = (
    "stop", "place", "no", "yes", "reroll hero die", "keep", "assign", "step", "risky step", "take chest",
    "take orb token", "buy", "sell", "unlock power", "vortex", "raise", "give", "heal with", "antidote", "boots",
    "orb pouch", "lantern", "aura", "remedy", "orb for a heart", "enter lair", "fight", "flee", "risky flight",
    "freeze", "roll", "brew die", "use", "orb reroll", "power 1 reroll", "mark", "reroll marked", "better die",
    "bomb", "power die reroll", "recipient", "discard", "put under", "leave on top", "put on top", "search",
    "brew potion", "leave", "activate totem", "desperate totem", "target", "choose pile", "give marker",
    "pick up marker",
)
(V_STOP, V_PLACE, V_NO, V_YES, V_HERO_REROLL, V_KEEP, V_ASSIGN, V_STEP, V_RISKY, V_CHEST, V_TOKEN, V_BUY, V_SELL,
 V_UNLOCK, V_VORTEX, V_RAISE, V_GIVE, V_HEAL, V_ANTIDOTE, V_BOOTS, V_POUCH, V_LANTERN, V_AURA, V_REMEDY,
 V_ORB_HEART, V_LAIR, V_FIGHT, V_FLEE, V_FLEE_RISKY, V_FREEZE, V_ROLL, V_BREW, V_USE, V_ORB_REROLL, V_P1, V_MARK,
 V_MARKED, V_BETTER, V_BOMB, V_POWER_REROLL, V_SHARE, V_DISCARD, V_UNDER, V_ON_TOP, V_PUT_TOP, V_SEARCH, V_POTION,
 V_LEAVE, V_TOTEM, V_DESPAIR, V_TARGET, V_PILE, V_GIVE_MARKER, V_PICK_UP) = range(54)

# Sources of chance.
(TILE_STACK, MONSTER_STACK, LOOT_DECK, EVENT_DECK, BOSS_DECK, HERO_DRAW, HERO_DIE, COMBAT_DIE, POWER_DIE, SKILL_DIE,
 BRAMBLE_DIE, WELL_TOKENS, LAIR_A, LAIR_B, LAIR_DIE, INN_DECK, QUESTS, CAMPS, PATH_TIE, PILES, ENRAGE) = range(21)

# Tasks of the agenda, in groups; see turn.py.
(T_ROUND, T_GROW, T_EXTRA, T_TURNS, T_ROUND_END, T_NEXT_ROUND, T_DRAW_TILE,
 T_TURN, T_ROLL_HERO, T_CHARM, T_KEEP, T_ASSIGN, T_REROLL, T_READY, T_ACT, T_TURN_END,
 T_STEP, T_ARRIVE, T_CARRY, T_MOVE, T_BRAMBLES, T_FLIP, T_MEET, T_EVENT_HERE,
 T_COMBAT, T_SUPPORT, T_JOINED, T_POOL, T_ROLL, T_CHANGE, T_RESOLVE, T_LOST, T_ATTACK, T_PARRY, T_HIT,
 T_PENALTY, T_REWARD, T_SKILL, T_BRAMBLE_SKILL, T_EXHAUST,
 T_EFFECT, T_DRAWN, T_MARKET, T_LANTERN, T_STACK, T_INN,
 T_LAIR_ENTER, T_JOIN, T_LAIR_STEP, T_LAIR_NEXT, T_LAIR_FIGHT, T_LAIR_LOST,
 T_CHAPTER_ENTER, T_CHAPTER_WON, T_CAMP, T_PILE, T_BURN, T_SENTINEL, T_PURIFY, T_MARCH, T_GO_ON, T_HUNT,
 T_ROUND_OVER,
 T_GIVE_UP, T_TRADE, T_CHAPTER) = range(66)


def _fields(names, kind="i8", shape=None):
    return [(n, kind) if shape is None else (n, kind, shape) for n in names.split()]


Own = np.dtype([("nothing", "i8")], align=True)

Hidden = np.dtype([
    ("own", Own, (SEATS,)),
    ("stack", "i8", (TILES,)),       # bottom first
    ("dealt", "i8", (TOKENS,)),  # while dealing afresh: the tokens that have their place
    ("mon_stack", "i8", (TOKENS,)),  # token numbers; a token's kind is its number // 4
    ("mon_id", "i8", (TOKENS,)),     # the token in each monster slot of the table
    ("loot", "i8", (CARDS,)),
    ("event", "i8", (12,)),
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
    ("event_gone", "i8", (12,)), ("inn_gone", "i8", (5,)), ("lair_gone", "i8", (8,)),
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
