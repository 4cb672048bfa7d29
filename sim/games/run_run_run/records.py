"""The records of Run Run Run!: the box, the table, what a seat alone knows, and what is hidden.

Tiles are numbered in the order in which they are laid: the Vault is tile 0. Hexes are numbered on a
helix that closes on itself: hex = q + 68 r (mod 68 * 68). A maze has at most 66 tiles and is in one
piece, so the hexes that matter never lie 68 apart in q or in r, and no two of them share a number.
"""

import numpy as np

from hardmode.sim.contract import TABLE_HEAD
from hardmode.sim.games.run_run_run.names import BOSSES, CARDS, EDGES, FACES, HEXES, NAME, SEATS, TILES, TOKENS, Mummy
from hardmode.sim.games.run_run_run.switches import SWITCHES

COUNTS = ("players", "hand", "torches", "bank", "power", "dice_cap", "mummy_faces", "combat_faces", "combat_cap",
          "base_move", "wake_hearts", "refill", "doors", "torch_tokens", "regroups", "coop_cards",
          "coop_per_torch", "coop_offer", "cards", "drawn_features", "vault_exits", "door_exits", "tokens",
          "boss", "bosses", "max_turns", "end_draw", "lit_rooms", "symbols", "sarcophagi")


MONSTERS = Mummy.BOSS + BOSSES  # the mummies of the pile, then the Bosses


def packed(fields: list[tuple]) -> np.dtype:
    """A record without a gap between its fields: the wide ones first, filled up to whole words at the end.

    Copies of a record need not copy its gaps, so a record with gaps may differ from its copy.
    """
    ordered = sorted(fields, key=lambda field: -np.dtype(field[1]).alignment)
    spare = -np.dtype(ordered).itemsize % 8
    return np.dtype([*ordered, *([("spare", "i1", (spare,))] if spare else [])], align=True)


Box = np.dtype([
    # mummy_faces: of a Mummy Die; combat_faces: of a Combat Die; bosses: in the box; boss_name: letters of each Boss
    # mummy_name: of each mummy of the pile
    *((name, "i8") for name in COUNTS),
    *((name, "i8") for name in SWITCHES),
    ("mummy_die", "i8", (FACES,)), ("mean_symbols", "f8"),
    ("combat_die", "i8", (FACES,)), ("mean_hits", "f8"),
    ("hero", "i8", (SEATS,)),  # a hero, or DRAWN, or CHOSEN
    *((name, "i8", (MONSTERS,)) for name in ("hp", "damage", "dice", "steps", "snuffs", "suppresses")),
    ("boss_name", "i1", (BOSSES, NAME)), ("mummy_name", "i1", (Mummy.BOSS, NAME)),
    ("exits", "i8", (CARDS,)), ("turns", "i8", (CARDS,)), ("turned", "i8", (CARDS, 6)),  # a card's distinct masks
    ("shapes", "i8", (CARDS,)),  # the same as a set: bit mask - 1
    ("pattern", "i8", (CARDS,)), ("mark", "i8", (CARDS,)), ("lit", "i8", (CARDS,)),
    ("token_kind", "i8", (TOKENS,)), ("token_value", "i8", (TOKENS,)),
], align=True)

Table = packed([
    # spare: fills the record up to whole words
    *TABLE_HEAD,
    # the turn
    # turn: player turns begun; active: whose turn it is; phase: what is done next, a `Phase`
    # beat: steps and hearts of the Mummy Dice done so far; symbols: what the Mummy Dice showed this turn
    # early: mummies in the maze at the roll, as bits; stopped: mummies that a Cat has stopped in this phase, as bits
    # bonus: bonus steps done; in_phase: 1 during the mummy phase; paused: the beat at which tokens were last asked for
    # movers: mummies still to move in this step, as bits; mover: the one that moves
    # penalty: 1 while mummies advance for a missing torch
    # grace: the turn with which a mummy's grace in the Vault ends, or 0
    # after_step: the `Phase` after the mummies' steps; attackers: mummies still to attack, as bits
    # share: damage of the attack left for each seat; asked: seats that have been asked, as bits
    # after_attack: the `Phase` after the attacks; waking: the mummy that wakes, or -1
    # after_wake: the `Phase` after that
    # after_window: the `Phase` after tokens were used; token: not in use; wounds: cards lost at random this turn
    ("turn", "i8"), ("active", "i8"), ("phase", "i8"),
    ("beat", "i8"), ("symbols", "i8"), ("early", "i8"), ("stopped", "i8"), ("bonus", "i8"), ("in_phase", "i8"),
    ("paused", "i8"),
    ("movers", "i8"), ("mover", "i8"), ("penalty", "i8"), ("grace", "i8"), ("after_step", "i8"),
    ("attackers", "i8"), ("share", "i8", (SEATS,)), ("asked", "i8"), ("after_attack", "i8"),
    ("waking", "i8"), ("after_wake", "i8"), ("after_window", "i8"), ("token", "i8"), ("wounds", "i8"),
    # supplies
    # torches: in the supply; torches_laid: put into Rooms; hearts: on the top mummy card; pile_n: mummies in the pile
    # reshuffles: how often the pile was shuffled again; regroups: Regroup tiles left
    # doors: door mechanisms still to trigger
    # torch_tokens: torch mechanisms still to trigger; tokens_n: sarcophagus tokens in the pile
    # deck_n: Rooms in the deck
    # discard_n: Rooms in the discard pile; discard: which; seen_n: 1 once cards were seen changing hands
    # token_at: of each token 0 in the pile, 1 + the seat that holds it, or USED
    ("torches", "i8"), ("torches_laid", "i8"), ("hearts", "i8"), ("pile_n", "i8"), ("reshuffles", "i8"),
    ("regroups", "i8"), ("doors", "i8"), ("torch_tokens", "i8"), ("tokens_n", "i8"),
    ("deck_n", "i8"), ("discard_n", "i8"), ("discard", "i1", (CARDS,)), ("seen_n", "i8"),
    ("token_at", "i1", (TOKENS,)),
    # Cats and mummies
    # cat: the tile of each Cat; hero: of each seat, a `Hero`, or -1; hand_n: cards in each hand
    # at: the tile of each mummy, the Boss last, or -1; hp: their hearts
    # boss: the Boss's card, once it stands in the maze
    # gone: mummies out of the game, as bits; exit_tile: the tile of the Exit Door, or -1
    ("cat", "i8", (SEATS,)), ("hero", "i8", (SEATS,)), ("hand_n", "i8", (SEATS,)),
    ("at", "i8", (5,)), ("hp", "i8", (5,)), ("boss", "i8"), ("gone", "i8"), ("exit_tile", "i8"),
    # the maze
    # tiles_n: tiles laid, the Vault first; edges_n: empty hexes beside the maze; openings: exits that lead nowhere yet
    # mark: of each Room, a `Mark`; lit: 1 for Rooms with a printed torch; hex: of each tile; q: of each tile
    # r: of each tile
    # card: the Room of each tile, negative for the Vault and the Exit Door; exits: of each tile, as bits of its sides
    # links: sides of each tile with a way to the next, as bits; passages: sides with a Secret Passage, as bits
    # dist: steps from each tile to the Vault; walk: steps to each tile for the Cat that was last asked about
    # through: the same for tiles that it can walk on from; queue: working space; dark: 1 where no torch was left
    # used_torch: 1 once in a torch mechanism; used_door: 1 once in a door mechanism; edge_hex: the hex of each edge
    # edge_near: sides of each edge where a tile lies, as bits
    # edge_open: sides from which an exit opens onto it, as bits
    ("tiles_n", "i8"), ("edges_n", "i8"), ("openings", "i8"),
    ("mark", "i1", (CARDS,)), ("lit", "i1", (CARDS,)),
    ("hex", "i2", (TILES,)), ("q", "i1", (TILES,)), ("r", "i1", (TILES,)), ("card", "i1", (TILES,)),
    ("exits", "i1", (TILES,)), ("links", "i1", (TILES,)), ("passages", "i1", (TILES,)),
    ("dist", "i1", (TILES,)), ("walk", "i1", (TILES,)), ("through", "i1", (TILES,)), ("queue", "i1", (TILES,)),
    ("dark", "i1", (TILES,)), ("used_torch", "i1", (TILES,)), ("used_door", "i1", (TILES,)),
    ("near", "i1", (TILES, 6)),  # 1 + the tile beside it
    ("edge_hex", "i2", (EDGES,)), ("edge_near", "i1", (EDGES,)), ("edge_open", "i1", (EDGES,)),
    ("edge_tile", "i1", (EDGES, 6)),  # 1 + the tile on a side
    ("grid", "i2", (HEXES,)),  # 1 + tile, or -1 - edge, or 0 where the maze has not come near
    # the half-made choice
    # place: the hex to lay a Room on; sides: its Secret Passages, as bits; laid: the Room to lay, or -1
    # mask: how it is turned, its exits as bits; need: steps still to pay for; tile: the Room that was laid
    # made: cards that its connections are worth; remote: passages opened elsewhere this turn; mechanisms: not in use
    # target: the tile to walk to; moving: what for, a `Verb`; dice: Combat Dice paid for; doubles: Doubles spent
    # hits: faces rolled; abilities: faces rolled; card_faces: faces rolled; feet: faces rolled, then steps left
    # damage: hearts still to strike off; suppressed: 1 where the Boss cancels abilities
    # joined: seats in the Cooperate, as bits; given: cards that each has offered; burnt: torches burnt for it
    # pool_n: cards in the pool; pool: which, -1 face down; recovered: cards taken out of the discard pile
    ("place", "i8"), ("sides", "i8"), ("laid", "i8"), ("mask", "i8"), ("need", "i8"), ("tile", "i8"),
    ("made", "i8"), ("remote", "i8"), ("mechanisms", "i8"), ("target", "i8"), ("moving", "i8"),
    ("dice", "i8"), ("doubles", "i8"), ("hits", "i8"), ("abilities", "i8"), ("card_faces", "i8"), ("feet", "i8"),
    ("damage", "i8"), ("suppressed", "i8"),
    ("joined", "i8"), ("given", "i8", (SEATS,)), ("burnt", "i8"), ("pool_n", "i8"), ("pool", "i1", (CARDS,)),
    ("recovered", "i8"),
    # what players have said
    # reserved: the hex that each seat means to build on, or -1; flag: how each says its hand is, a `Flag`
    # open_hand: all hands, where they are played open
    ("reserved", "i8", (SEATS,)), ("flag", "i8", (SEATS,)), ("open_hand", "i1", (SEATS, CARDS)),
    # what is counted
    # boss_drawn: 1 + the Boss's card, told at the end; first_woken: 1 + the first mummy that woke
    # woken: mummies that woke
    # killed: mummies that lost their last heart; fights: Fight actions; dry: Rooms without a torch
    # torch_mechanisms: triggered; door_mechanisms: triggered; cooperations: Cooperate actions
    # traps: drawn; tokens_drawn: in all; jumps: teleports; wounded: cards lost to attacks
    # fuelled: cards discarded to walk further; dark_loss: 1 where the game was lost in an advance for a missing torch
    ("boss_drawn", "i8"), ("first_woken", "i8"), ("woken", "i8"), ("killed", "i8"), ("fights", "i8"),
    ("dry", "i8"), ("torch_mechanisms", "i8"), ("door_mechanisms", "i8"), ("cooperations", "i8"),
    ("traps", "i8"), ("tokens_drawn", "i8"), ("jumps", "i8"), ("wounded", "i8"),
    ("fuelled", "i8"), ("dark_loss", "i8"),
])

Own = np.dtype([
    ("hand", "i1", (CARDS,)),  # as many as the table's hand_n says
    ("give", "i1", (4,)),  # cards offered face down, as many as the table's given says; still in the hand
    ("seen", "i1", (CARDS,)),  # 1 + the seat that holds this card, where this seat has seen it go there
], align=True)

Hidden = packed([
    ("own", Own, (SEATS,)),
    ("deck", "i1", (CARDS,)),  # the top is number deck_n - 1
    ("pile", "i1", (4,)),  # the top is number pile_n - 1
    ("tokens", "i1", (TOKENS,)),  # the top is number tokens_n - 1
    ("boss", "i8"),
    ("pool", "i1", (CARDS,)),  # the pool of a Cooperate, until it is shown
])
