"""What the strategies of Run Run Run! weigh, and the characters that these weights make."""

from hardmode.sim.names import Named


class Weight(Named):
    URGENCY = "urgency"
    STRONG = "strong"
    STRONG_CARDS = "strong_cards"
    WEAK = "weak"
    KEEP = "keep"
    DICE_PER_HEART = "dice_per_heart"
    DOOR = "door"
    THIRD = "third"
    READY_HAND = "ready_hand"
    READY = "ready"
    TORCHES = "torches"
    CONNECTION = "connection"
    SARCOPHAGUS = "sarcophagus"
    TRAP_COST = "trap_cost"
    TRAP_STEPS = "trap_steps"
    TORCH_COST = "torch_cost"
    DARK_COST = "dark_cost"
    FUEL_COST = "fuel_cost"
    EXITS = "exits"
    SHORTCUT_COST = "shortcut_cost"
    DEPTH = "depth"
    COOP_OWN = "coop_own"
    COOP_MEAN = "coop_mean"
    COOP_PILE = "coop_pile"
    BLOCK = "block"
    BLOCK_CARDS = "block_cards"
    BURN_KEEP = "burn_keep"
    RESERVED_COST = "reserved_cost"


COMMON = {
    Weight.URGENCY: 1.2, Weight.STRONG: 5, Weight.STRONG_CARDS: 4, Weight.WEAK: 2, Weight.KEEP: 1,
    Weight.DICE_PER_HEART: 2.0, Weight.DOOR: 12, Weight.THIRD: 0.3, Weight.READY_HAND: 5, Weight.READY: 0.6,
    Weight.TORCHES: 0.5, Weight.CONNECTION: 2, Weight.SARCOPHAGUS: 2.5, Weight.TRAP_COST: 0, Weight.TRAP_STEPS: 0,
    Weight.TORCH_COST: 1, Weight.DARK_COST: 3, Weight.FUEL_COST: 3, Weight.EXITS: 0.0, Weight.SHORTCUT_COST: 1,
    Weight.DEPTH: 0.3, Weight.COOP_OWN: 2, Weight.COOP_MEAN: 2.5, Weight.COOP_PILE: 4, Weight.BLOCK: 2,
    Weight.BLOCK_CARDS: 3, Weight.BURN_KEEP: 2, Weight.RESERVED_COST: 1,
}
BALANCED = COMMON | {Weight.TRAP_COST: 6, Weight.TRAP_STEPS: 2}
SIMPLE = COMMON | {
    Weight.DOOR: 0, Weight.READY: 0, Weight.TORCHES: 0, Weight.SARCOPHAGUS: 0, Weight.TORCH_COST: 0.01,
    Weight.DARK_COST: 0.01, Weight.SHORTCUT_COST: 0, Weight.DEPTH: 0, Weight.FUEL_COST: 0.1,
}
VETERAN = COMMON | {
    Weight.URGENCY: 2.5, Weight.STRONG_CARDS: 3, Weight.DICE_PER_HEART: 3, Weight.READY: 1, Weight.TORCHES: 2,
    Weight.CONNECTION: 1.5, Weight.SARCOPHAGUS: 0, Weight.TORCH_COST: 3, Weight.EXITS: -0.3, Weight.SHORTCUT_COST: 2,
    Weight.DEPTH: 2, Weight.COOP_OWN: 5, Weight.BLOCK: 1, Weight.BLOCK_CARDS: 4, Weight.BURN_KEEP: 0,
}
DOOR_RUSH = COMMON | {
    Weight.URGENCY: 1, Weight.STRONG: 99, Weight.THIRD: 1, Weight.COOP_OWN: 0, Weight.COOP_MEAN: 0,
}
GUARDIAN = COMMON | {
    Weight.STRONG: 4, Weight.STRONG_CARDS: 2, Weight.DEPTH: -1, Weight.DOOR: 6, Weight.BLOCK: 4,
}
BEGINNER = SIMPLE | {Weight.URGENCY: 1, Weight.DOOR: 4}


def by_name(weights):
    """The weights as a scenario names them, in the order in which the strategies get them."""
    return {weight.label: weights[weight] for weight in Weight}


WEIGHTS = {
    "balanced": by_name(BALANCED), "veteran": by_name(VETERAN), "door_rush": by_name(DOOR_RUSH),
    "guardian": by_name(GUARDIAN), "greedy_draw": by_name(SIMPLE), "beginner": by_name(BEGINNER),
    "casual": by_name(BEGINNER),
}
