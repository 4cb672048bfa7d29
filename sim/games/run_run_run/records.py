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
    *((name, "i8") for name in COUNTS),
    *((name, "i8") for name in SWITCHES),
    ("mummy_die", "i8", (FACES,)), ("mean_symbols", "f8"),
    ("combat_die", "i8", (FACES,)), ("mean_hits", "f8"),
    ("hero", "i8", (SEATS,)),  # a hero, or DRAWN, or CHOSEN
    *((name, "i8", (MONSTERS,)) for name in ("hp", "damage", "dice", "steps", "snuffs", "suppresses")),
    ("boss_name", "i1", (BOSSES, NAME)),
    ("exits", "i8", (CARDS,)), ("turns", "i8", (CARDS,)), ("turned", "i8", (CARDS, 6)),  # a card's distinct masks
    ("shapes", "i8", (CARDS,)),  # the same as a set: bit mask - 1
    ("pattern", "i8", (CARDS,)), ("mark", "i8", (CARDS,)), ("lit", "i8", (CARDS,)),
    ("token_kind", "i8", (TOKENS,)), ("token_value", "i8", (TOKENS,)),
], align=True)

Table = packed([
    *TABLE_HEAD,
    # the turn
    ("turn", "i8"), ("active", "i8"), ("first", "i8"), ("phase", "i8"),
    ("beat", "i8"), ("symbols", "i8"), ("early", "i8"), ("stopped", "i8"), ("bonus", "i8"), ("in_phase", "i8"),
    ("paused", "i8"),
    ("movers", "i8"), ("mover", "i8"), ("penalty", "i8"), ("grace", "i8"), ("after_step", "i8"),
    ("attackers", "i8"), ("share", "i8", (SEATS,)), ("asked", "i8"), ("after_attack", "i8"),
    ("waking", "i8"), ("after_wake", "i8"), ("after_window", "i8"), ("token", "i8"), ("wounds", "i8"),
    # supplies
    ("torches", "i8"), ("torches_laid", "i8"), ("hearts", "i8"), ("pile_n", "i8"), ("reshuffles", "i8"),
    ("regroups", "i8"), ("doors", "i8"), ("torch_tokens", "i8"), ("tokens_n", "i8"),
    ("deck_n", "i8"), ("discard_n", "i8"), ("discard", "i1", (CARDS,)), ("seen_n", "i8"),
    ("token_at", "i1", (TOKENS,)),
    # Cats and mummies
    ("cat", "i8", (SEATS,)), ("hero", "i8", (SEATS,)), ("hand_n", "i8", (SEATS,)),
    ("at", "i8", (5,)), ("hp", "i8", (5,)), ("boss", "i8"), ("gone", "i8"), ("exit_tile", "i8"),
    # the maze
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
    ("place", "i8"), ("sides", "i8"), ("laid", "i8"), ("mask", "i8"), ("need", "i8"), ("tile", "i8"),
    ("made", "i8"), ("remote", "i8"), ("mechanisms", "i8"), ("target", "i8"), ("moving", "i8"),
    ("dice", "i8"), ("doubles", "i8"), ("hits", "i8"), ("abilities", "i8"), ("card_faces", "i8"), ("feet", "i8"),
    ("damage", "i8"), ("suppressed", "i8"),
    ("joined", "i8"), ("given", "i8", (SEATS,)), ("burnt", "i8"), ("pool_n", "i8"), ("pool", "i1", (CARDS,)),
    ("recovered", "i8"),
    # what players have said
    ("reserved", "i8", (SEATS,)), ("flag", "i8", (SEATS,)), ("open_hand", "i1", (SEATS, CARDS)),
    # what is counted
    ("boss_drawn", "i8"), ("first_woken", "i8"), ("woken", "i8"), ("killed", "i8"), ("fights", "i8"),
    ("dry", "i8"), ("torch_mechanisms", "i8"), ("door_mechanisms", "i8"), ("cooperations", "i8"),
    ("deck_empty", "i8"), ("traps", "i8"), ("tokens_drawn", "i8"), ("jumps", "i8"), ("wounded", "i8"),
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
